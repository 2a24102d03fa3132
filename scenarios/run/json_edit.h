// SPDX-License-Identifier: Apache-2.0
//
// Changes a JSON tree by pointers, before the scenario is built from it: the `set` of variants and
// questions, and --set on the command line. An element of a list goes by its id, its name or its
// index; "-" is the place behind the last.
//
// Owns: what a pointer means. Called by: scenario_loader.
#pragma once

#include <string>
#include <vector>

#include "scenarios/run/diagnostic.h"
#include "scenarios/run/json_tree.h"

namespace klab::scenario {

/// "Put `value` at `pointer`".
struct Edit {
    At<std::string> pointer;
    Json value;

    friend bool operator==(const Edit&, const Edit&) = default;
};

/// Applies the edits in order. A missing member of an object is made (format_check judges its name
/// afterwards); a missing element of a list is S039. Says whether all could be applied.
bool apply_edits(Json& file, const std::vector<Edit>& edits, Findings& findings);

/// The members of a `set` object as edits; a value that is no object gives none.
[[nodiscard]] std::vector<Edit> edits_of(const Json* set);

/// Reads "POINTER=VALUE". VALUE is JSON, or else taken as text (all, 20ms). The argument becomes a
/// source of its own. Reports S041 and returns nothing when there is no pointer or no "=".
[[nodiscard]] std::optional<Edit> parse_edit_argument(const std::string& argument,
                                                      Sources& sources,
                                                      Findings& findings);

}  // namespace klab::scenario
