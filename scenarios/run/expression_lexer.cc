// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/expression_lexer.h"

#include <algorithm>

#include "scenarios/run/text_rules.h"

namespace klab::scenario {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool continues_word(char c) { return starts_word(c) || c == '.' || c == '-' || c == '@'; }

bool is_number(std::string_view word) {
    return std::all_of(word.begin(), word.end(), is_digit) || matches(TextRule::kDuration, word);
}

std::size_t symbol_length(std::string_view rest) {
    for (const std::string_view two : {"==", "!=", "<=", ">="}) {
        if (rest.substr(0, 2) == two) {
            return 2;
        }
    }
    return std::string_view("<>+-*()[],=").find(rest.front()) == std::string_view::npos ? 0 : 1;
}

/// Bytes of the character that begins here, so that a wrong one is marked whole.
std::size_t character_length(std::string_view rest) {
    std::size_t length = 1;
    while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0U) == 0x80U) {
        ++length;
    }
    return length;
}

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
    std::vector<Token> tokens;
    std::size_t i = 0;
    while (i < text.size()) {
        if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
            ++i;
            continue;
        }
        std::size_t end = i + 1;
        TokenKind kind = TokenKind::kSymbol;
        const std::size_t quote = text[i] == '\'' ? text.find('\'', i + 1) : std::string_view::npos;
        if (quote != std::string_view::npos) {
            tokens.push_back({TokenKind::kName, text.substr(i + 1, quote - i - 1), i, quote + 1});
            i = quote + 1;
            continue;
        }
        if (starts_word(text[i])) {
            while (end < text.size() && continues_word(text[end])) {
                ++end;
            }
            kind = is_number(text.substr(i, end - i)) ? TokenKind::kNumber : TokenKind::kName;
        } else if (const std::size_t length = symbol_length(text.substr(i)); length > 0) {
            end = i + length;
        } else {
            end = i + character_length(text.substr(i));
            kind = TokenKind::kWrong;
        }
        tokens.push_back({kind, text.substr(i, end - i), i, end});
        i = end;
    }
    tokens.push_back({TokenKind::kEnd, {}, text.size(), text.size()});
    return tokens;
}

}  // namespace klab::scenario
