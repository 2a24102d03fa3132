// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean ...?": the known word nearest to a misspelt one, by Damerau-Levenshtein distance
// (optimal string alignment: insert, delete, replace, swap of neighbours cost 1 each).
//
// Called by: every check that meets a word it does not know.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace klab::scenario {

/// Number of single edits between the two words. Words longer than 64 characters are compared by
/// their first 64, so the cost is bounded.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest of `known` (the first of several), if it is near enough to be meant: at most one
/// edit in four characters (always at least one), or the same word but for case and separators.
[[nodiscard]] std::optional<std::string> nearest_word(std::string_view word,
                                                      const std::vector<std::string>& known);

}  // namespace klab::scenario
