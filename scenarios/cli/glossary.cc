// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/glossary.h"

// tidy: allow(include-missing): made by CMake from docs/glossary.md
#include "scenarios/cli/glossary_text.h"

namespace klab::cli {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

std::vector<Term> glossary() {
    std::vector<Term> terms;
    std::string_view rest = kGlossaryText;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        const bool is_row = line.substr(0, 2) == "| ";
        const std::size_t bar = is_row ? line.find(" | ", 2) : std::string_view::npos;
        if (bar == std::string_view::npos) {
            continue;
        }
        const std::string_view name = trimmed(line.substr(2, bar - 2));
        if (name != "Term") {
            const std::string_view meaning = line.substr(bar + 3);
            terms.push_back({name, trimmed(meaning.substr(0, meaning.rfind('|')))});
        }
    }
    return terms;
}

std::vector<std::string_view> names_of(const Term& term) {
    std::vector<std::string_view> names;
    std::string_view rest = term.name;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        names.push_back(trimmed(rest.substr(0, comma)));
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    return names;
}

}  // namespace klab::cli
