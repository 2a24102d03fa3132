// SPDX-License-Identifier: Apache-2.0
//
// Small questions about shapes of the format table and the JSON values that may stand for them.
//
// Called by: format_check.
#pragma once

#include <string>

#include "scenarios/run/format_table.h"
#include "scenarios/run/json_tree.h"

namespace klab::scenario {

/// Can a value of this kind be right at all?
[[nodiscard]] bool accepts_kind(const Shape& expected, JsonKind kind);

/// Is a time wanted here (or one of several things that can be a time)?
[[nodiscard]] bool wants_time(const Shape& expected);

/// Matches its rule, and its number is not beyond what 64 bits (31 for partitions) hold: the one
/// thing that the pattern in the schema cannot say.
[[nodiscard]] bool is_readable(TextRule rule, const std::string& text);

}  // namespace klab::scenario
