// SPDX-License-Identifier: Apache-2.0
//
// What `klab explain` says about the words of the model's tables: an error code (by name or
// number), a setting, a version, two versions ("3.6..4.1": what differs), a feature or a mutant.
//
// Called by: scenarios/cli.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace klab::types {

/// The text about a word, lines of at most 96 characters, each ended by a newline. A word that
/// stands in several tables gets one paragraph for each. Nothing if no table has it.
[[nodiscard]] std::optional<std::string> explain(std::string_view word);

/// Every word that explain() knows, sorted, without ranges of versions: for suggestions.
[[nodiscard]] std::vector<std::string> explainable_words();

}  // namespace klab::types
