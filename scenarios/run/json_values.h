// SPDX-License-Identifier: Apache-2.0
//
// Small readers from JSON values to the values of a scenario. They are tolerant: what has the wrong
// shape was reported by format_check already and reads as absent, so that the rest of the file can
// still be checked and all errors appear at once.
//
// Called by: the builders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/run/diagnostic.h"
#include "scenarios/run/json_tree.h"
#include "scenarios/run/scenario_ast.h"

namespace klab::scenario {

/// What every reader needs: the texts behind the spans and the list of findings.
struct ReadContext {
    const Sources& sources;
    Findings& findings;
};

[[nodiscard]] std::optional<At<std::string>> read_text(const Json* json);
[[nodiscard]] std::optional<At<std::int64_t>> read_integer(const Json* json);
[[nodiscard]] std::optional<At<Duration>> read_duration(const Json* json);
[[nodiscard]] std::optional<At<Duration>> read_shift(const Json* json);
[[nodiscard]] std::optional<At<Spread>> read_spread(const Json* json, Findings& findings);
[[nodiscard]] std::optional<At<PartitionName>> read_partition(const Json* json);
[[nodiscard]] std::optional<At<ReplicaName>> read_replica(const Json* json);

/// Reports S027 for a text that is neither a name nor a role.
[[nodiscard]] std::optional<At<Target>> read_target(const Json* json, Findings& findings);

/// One target or a list of them.
[[nodiscard]] std::vector<At<Target>> read_targets(const Json* json, Findings& findings);

[[nodiscard]] bool read_boolean(const Json* json, bool absent);

/// A text, or the lines of a list with line ends between them.
[[nodiscard]] std::string read_lines(const Json* json);

/// All members of an object as settings.
[[nodiscard]] std::vector<Setting> read_settings(const Json* json);

[[nodiscard]] std::vector<At<std::string>> read_texts(const Json* json);

/// A finding that is complete but for its code, message, place and label.
[[nodiscard]] Finding make_finding(std::string code,
                                   std::string message,
                                   Span where,
                                   std::string label);

/// Opening bracket of a list or object, the whole of anything else: where to put the mark.
[[nodiscard]] Span head_span(const Json& json);

}  // namespace klab::scenario
