// SPDX-License-Identifier: Apache-2.0
//
// The language of `that` and `from_run`: comparisons, + - * of integers and times, names, lists and
// functions over the run. No loops, no side effects. Grammar:
//
//     expression = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//     sum        = product { ("+" | "-") product }
//     product    = operand { "*" operand }
//     operand    = integer | time | name | call | list | "(" expression ")" | "-" operand
//     call       = name "(" [ argument { "," argument } ] ")"
//     argument   = expression | name "=" (name | integer)
//     list       = "[" [ name { "," name } ] "]"
//
// A hyphen inside a name belongs to it (t-0, cut-off), so minus stands between spaces.
//
// Owns: tokens and syntax tree. Types are expression_check.h, values expression_eval.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/run/diagnostic.h"
#include "scenarios/run/source_text.h"
#include "sim/base/time.h"

namespace klab::scenario {

enum class ExpressionKind : std::uint8_t {
    kInteger,
    kTime,
    kName,  ///< b2, t-0, cut-off, none, true, false
    kList,
    kCall,
    kField,  ///< field=value inside count(...): `name` and one part
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual
};

/// One node of the tree with the place of its text in the file.
struct Expression {
    ExpressionKind kind = ExpressionKind::kInteger;
    Span where;
    std::int64_t integer = 0;
    Duration time;
    std::string name;  ///< kName, kCall, kField
    std::vector<Expression> parts;

    friend bool operator==(const Expression& a, const Expression& b);
};

/// Longer texts are refused, which bounds the depth of the tree.
constexpr std::size_t kExpressionCharactersMax = 1000;

/// Where the text of an expression stands. `exact` means that byte i of the text is byte i of the
/// span (no escapes in the JSON text), so that errors point into it; else they mark the whole.
struct TextPlace {
    Span where;
    bool exact = false;
};

/// The place of the text inside the quotes of a JSON text.
[[nodiscard]] TextPlace place_inside_quotes(std::string_view text,
                                            Span where,
                                            const Sources& sources);

/// Reports S042 and returns nothing when the text is no expression.
[[nodiscard]] std::optional<Expression> parse_expression(std::string_view text,
                                                         TextPlace place,
                                                         Findings& findings);

/// The operator as written, for example "<=". Empty for kinds that are no operator.
[[nodiscard]] std::string_view operator_text(ExpressionKind kind);

[[nodiscard]] bool is_comparison(ExpressionKind kind);

}  // namespace klab::scenario
