// SPDX-License-Identifier: Apache-2.0
//
// Walks a JSON tree along the format table and reports everything that has no place in format 1:
// unknown and missing fields, wrong kinds, wrong words, times without a unit. What names mean
// (does b4 exist?) is checked later, on the scenario itself.
//
// Called by: scenario_loader. The generated JSON Schema accepts the same files; a test holds the
// two together.
#pragma once

#include "scenarios/run/diagnostic.h"
#include "scenarios/run/format_table.h"
#include "scenarios/run/json_tree.h"

namespace klab::scenario {

/// Reports to `findings` (codes S011 to S019); nothing is reported if and only if the tree has the
/// shape of format 1 (and no number in a text is too large to be held, such as 999999999h).
void check_format(const Json& file, Findings& findings);

/// The same for one part, for example one changed by a pointer.
void check_shape(const Json& value, const Shape& expected, Findings& findings);

/// The finding for a text that is no time, with the usual slips ("20", "20sec", "20 ms") set right.
[[nodiscard]] Finding time_finding(const Json& value, std::string_view field, bool sign_allowed);

}  // namespace klab::scenario
