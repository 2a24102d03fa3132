// SPDX-License-Identifier: Apache-2.0
//
// Interner: texts and integer lists of a run, each with a small number. Numbers are given in order
// of first use, so they are the same in every replay. Shared between forks until one adds to it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/cow.h"

namespace klab::sim {

class Interner {
  public:
    /// The number of `text`; `added` tells whether it is new (the kernel hashes new content).
    [[nodiscard]] std::int64_t text(std::string_view text, bool& added);
    [[nodiscard]] std::int64_t list(std::span<const std::int32_t> values, bool& added);

    /// The number of `text` if it was ever used, else -1.
    [[nodiscard]] std::int64_t find_text(std::string_view text) const;

    /// Requires: a number that text() or list() returned; -1 reads as "" or {}.
    [[nodiscard]] const std::string& text_of(std::int64_t number) const;
    [[nodiscard]] const std::vector<std::int32_t>& list_of(std::int64_t number) const;

    friend bool operator==(const Interner&, const Interner&) = default;

  private:
    struct Tables {
        std::vector<std::string> texts;
        std::map<std::string, std::int64_t, std::less<>> text_numbers;
        std::vector<std::vector<std::int32_t>> lists;
        std::map<std::vector<std::int32_t>, std::int64_t> list_numbers;

        friend bool operator==(const Tables&, const Tables&) = default;
    };

    Cow<Tables> tables_;
};

}  // namespace klab::sim
