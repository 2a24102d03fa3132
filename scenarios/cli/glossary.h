// SPDX-License-Identifier: Apache-2.0
//
// The terms of docs/glossary.md, which is compiled into the program.
//
// Called by: explain.
#pragma once

#include <string_view>
#include <vector>

namespace klab::cli {

struct Term {
    std::string_view name;  ///< "HW, high watermark"
    std::string_view meaning;
};

/// All terms in the order of the page.
[[nodiscard]] std::vector<Term> glossary();

/// The names under which a term can be asked for: "HW" and "high watermark".
[[nodiscard]] std::vector<std::string_view> names_of(const Term& term);

}  // namespace klab::cli
