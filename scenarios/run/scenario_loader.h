// SPDX-License-Identifier: Apache-2.0
//
// From a path to a scenario that can run, or to everything that is wrong with it. Order: bytes,
// JSON, changes (variant, question, --set, --choices, --seed), format, values, meaning. The
// variants and questions of the file are tried as well, so that one look finds all errors.
//
// Called by: the engine, `klab check`, `klab list`, the tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/run/diagnostic.h"
#include "scenarios/run/json_tree.h"
#include "scenarios/run/scenario_ast.h"
#include "scenarios/run/vocabulary.h"

namespace klab::scenario {

/// What the command line changes. Applied in this order: variant or question, sets, choices, seed.
struct LoadOptions {
    std::optional<std::string> variant;
    std::optional<std::string> question;  ///< apply its `set` and drop the expectations
    std::vector<std::string> sets;        ///< POINTER=VALUE
    std::optional<std::string> choices_path;
    std::optional<std::uint64_t> seed;
};

struct LoadedScenario {
    std::optional<Scenario> scenario;  ///< present if and only if there is no error
    DiagnosticList diagnostics;
    Json json;  ///< the file as it runs, all changes applied
    Sources sources;
    std::string variant;        ///< "" for the file itself
    std::string variant_title;  ///< of the variant, if it has one
};

[[nodiscard]] LoadedScenario load_scenario(const std::string& path,
                                           const LoadOptions& options,
                                           const Vocabulary& words);

/// The same for a text that is at hand; `name` stands for the path in messages.
[[nodiscard]] LoadedScenario load_scenario_text(const std::string& name,
                                                std::string text,
                                                const LoadOptions& options,
                                                const Vocabulary& words);

}  // namespace klab::scenario
