// SPDX-License-Identifier: Apache-2.0
//
// Tokens of the expression language. Called by: expression.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace klab::scenario {

enum class TokenKind : std::uint8_t {
    kNumber,  ///< 12, 20ms
    kName,    ///< b2, t-0@b2, message.sent, 10-x, 'any text in quotes'
    kSymbol,  ///< == != <= >= < > + - * ( ) [ ] , =
    kWrong,   ///< a character that belongs to nothing
    kEnd
};

/// `begin` and `end` are byte offsets in the text.
struct Token {
    TokenKind kind = TokenKind::kEnd;
    std::string_view text;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// All tokens, the last one kEnd. A run of letters, digits and . _ - @ is one token: a number when
/// it is only digits or a time, else a name. So is what stands between two ', without them.
[[nodiscard]] std::vector<Token> tokenize(std::string_view text);

}  // namespace klab::scenario
