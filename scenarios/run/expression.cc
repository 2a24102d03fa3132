// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/expression.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "scenarios/run/expression_lexer.h"
#include "scenarios/run/text_rules.h"

namespace klab::scenario {

namespace {

struct Operator {
    std::string_view text;
    ExpressionKind kind;
};

constexpr std::array<Operator, 6> kComparisons = {{{"==", ExpressionKind::kEqual},
                                                   {"!=", ExpressionKind::kNotEqual},
                                                   {"<", ExpressionKind::kLess},
                                                   {"<=", ExpressionKind::kLessOrEqual},
                                                   {">", ExpressionKind::kGreater},
                                                   {">=", ExpressionKind::kGreaterOrEqual}}};

constexpr std::array<Operator, 2> kSums = {
    {{"+", ExpressionKind::kAdd}, {"-", ExpressionKind::kSubtract}}};

constexpr std::array<Operator, 1> kProducts = {{{"*", ExpressionKind::kMultiply}}};

template <std::size_t N>
const Operator* find_operator(const std::array<Operator, N>& operators, const Token& token) {
    if (token.kind != TokenKind::kSymbol) {
        return nullptr;
    }
    const auto found = std::find_if(operators.begin(), operators.end(), [&](const Operator& o) {
        return o.text == token.text;
    });
    return found == operators.end() ? nullptr : &*found;
}

/// Recursive descent. The first error ends it: what follows would be guesswork.
class Parser {
  public:
    Parser(std::string_view text, TextPlace place, Findings& findings)
        : tokens_(tokenize(text)), place_(place), findings_(findings) {}

    std::optional<Expression> parse() {
        std::optional<Expression> out = expression();
        if (out && peek().kind != TokenKind::kEnd) {
            return fail(peek(), "nothing more is expected here");
        }
        return out;
    }

  private:
    [[nodiscard]] const Token& peek() const { return tokens_[next_]; }

    Token take() {
        const Token token = tokens_[next_];
        next_ += token.kind == TokenKind::kEnd ? 0U : 1U;
        return token;
    }

    [[nodiscard]] bool at(std::string_view symbol) const {
        return peek().kind == TokenKind::kSymbol && peek().text == symbol;
    }

    [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
        if (!place_.exact) {
            return place_.where;
        }
        const std::uint32_t base = place_.where.begin;
        return {place_.where.source,
                base + static_cast<std::uint32_t>(begin),
                base + static_cast<std::uint32_t>(end)};
    }

    [[nodiscard]] Span span_from(const Expression& first) const {
        const std::size_t end = next_ == 0 ? 0 : tokens_[next_ - 1].end;
        Span out = span(0, end);
        out.begin = first.where.begin;
        return out;
    }

    std::optional<Expression> fail(const Token& token, std::string label) {
        Finding finding;
        finding.code = "S042";
        finding.message = token.kind == TokenKind::kEnd
                              ? std::string("the expression ends too early")
                              : fmt::format("the expression is wrong at \"{}\"", token.text);
        finding.where = span(token.begin, std::max(token.end, token.begin + 1));
        finding.label = std::move(label);
        finding.help.emplace_back("for example: lost_acked(p1) == 3");
        findings_.add(std::move(finding));
        return std::nullopt;
    }

    std::optional<Expression> expression();
    std::optional<Expression> sum();
    std::optional<Expression> product();
    std::optional<Expression> operand();
    std::optional<Expression> number();
    std::optional<Expression> name_or_call();
    std::optional<Expression> argument();
    std::optional<Expression> list();
    std::optional<Expression> binary(ExpressionKind kind,
                                     std::optional<Expression> left,
                                     std::optional<Expression> right);

    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    TextPlace place_;
    Findings& findings_;
};

std::optional<Expression> Parser::binary(ExpressionKind kind,
                                         std::optional<Expression> left,
                                         std::optional<Expression> right) {
    if (!left || !right) {
        return std::nullopt;
    }
    Expression out;
    out.kind = kind;
    out.where = span_from(*left);
    out.parts.push_back(std::move(*left));
    out.parts.push_back(std::move(*right));
    return out;
}

std::optional<Expression> Parser::expression() {
    std::optional<Expression> left = sum();
    const Operator* found = find_operator(kComparisons, peek());
    if (!left || found == nullptr) {
        if (left && at("=")) {
            return fail(peek(), "equal is written ==");
        }
        return left;
    }
    take();
    std::optional<Expression> right = sum();
    if (right && find_operator(kComparisons, peek()) != nullptr) {
        return fail(peek(), "one comparison in one expression");
    }
    return binary(found->kind, std::move(left), std::move(right));
}

std::optional<Expression> Parser::sum() {
    std::optional<Expression> left = product();
    while (left) {
        const Operator* found = find_operator(kSums, peek());
        if (found == nullptr) {
            break;
        }
        take();
        std::optional<Expression> right = product();
        left = binary(found->kind, std::move(left), std::move(right));
    }
    return left;
}

std::optional<Expression> Parser::product() {
    std::optional<Expression> left = operand();
    while (left) {
        const Operator* found = find_operator(kProducts, peek());
        if (found == nullptr) {
            break;
        }
        take();
        std::optional<Expression> right = operand();
        left = binary(found->kind, std::move(left), std::move(right));
    }
    return left;
}

std::optional<Expression> Parser::operand() {
    const Token token = peek();
    if (token.kind == TokenKind::kNumber) {
        return number();
    }
    if (token.kind == TokenKind::kName) {
        return name_or_call();
    }
    if (at("[")) {
        return list();
    }
    if (at("(")) {
        take();
        std::optional<Expression> inside = expression();
        if (inside && !at(")")) {
            return fail(peek(), "expected )");
        }
        take();
        return inside;
    }
    if (at("-")) {
        take();
        std::optional<Expression> inside = operand();
        if (!inside) {
            return std::nullopt;
        }
        Expression out;
        out.kind = ExpressionKind::kNegate;
        out.where = inside->where;
        out.parts.push_back(std::move(*inside));
        return out;
    }
    return fail(token, "expected a number, a name or a function");
}

std::optional<Expression> Parser::number() {
    const Token token = take();
    Expression out;
    out.where = span(token.begin, token.end);
    const TimeText time = parse_duration(token.text);
    if (time.duration) {
        out.kind = ExpressionKind::kTime;
        out.time = *time.duration;
        return out;
    }
    if (time.problem != TimeProblem::kNoUnit || token.text.size() > 18) {
        return fail(token, "this number does not fit");
    }
    for (const char c : token.text) {
        out.integer = out.integer * 10 + (c - '0');
    }
    return out;
}

std::optional<Expression> Parser::name_or_call() {
    const Token token = take();
    Expression out;
    out.kind = ExpressionKind::kName;
    out.name = std::string(token.text);
    out.where = span(token.begin, token.end);
    if (!at("(")) {
        return out;
    }
    out.kind = ExpressionKind::kCall;
    take();
    while (!at(")")) {
        std::optional<Expression> next = argument();
        if (!next) {
            return std::nullopt;
        }
        out.parts.push_back(std::move(*next));
        if (at(",")) {
            take();
        } else if (!at(")")) {
            return fail(peek(), "expected , or )");
        }
    }
    const Token close = take();
    out.where = span(token.begin, close.end);
    return out;
}

std::optional<Expression> Parser::argument() {
    const Token name = peek();
    std::optional<Expression> first = sum();
    if (!first || !at("=")) {
        return first;
    }
    if (first->kind != ExpressionKind::kName) {
        return fail(name, "the name of a field stands before =");
    }
    take();
    std::optional<Expression> value = operand();
    if (!value) {
        return std::nullopt;
    }
    first->kind = ExpressionKind::kField;
    first->where = span_from(*first);
    first->parts.push_back(std::move(*value));
    return first;
}

std::optional<Expression> Parser::list() {
    const Token open = take();
    Expression out;
    out.kind = ExpressionKind::kList;
    while (!at("]")) {
        std::optional<Expression> next = sum();
        if (!next) {
            return std::nullopt;
        }
        out.parts.push_back(std::move(*next));
        if (at(",")) {
            take();
        } else if (!at("]")) {
            return fail(peek(), "expected , or ]");
        }
    }
    const Token close = take();
    out.where = span(open.begin, close.end);
    return out;
}

}  // namespace

bool operator==(const Expression& a, const Expression& b) {
    return a.kind == b.kind && a.where == b.where && a.integer == b.integer && a.time == b.time &&
           a.name == b.name && a.parts == b.parts;
}

TextPlace place_inside_quotes(std::string_view text, Span where, const Sources& sources) {
    if (where.source >= sources.size() || where.end < where.begin + 2) {
        return {where, false};
    }
    const std::string& source = sources[where.source].text();
    if (where.end > source.size()) {
        return {where, false};
    }
    const Span inside = {where.source, where.begin + 1, where.end - 1};
    const std::string_view written =
        std::string_view(source).substr(inside.begin, inside.end - inside.begin);
    return written == text ? TextPlace{inside, true} : TextPlace{where, false};
}

std::optional<Expression> parse_expression(std::string_view text,
                                           TextPlace place,
                                           Findings& findings) {
    if (count_characters(text) > kExpressionCharactersMax) {
        Finding finding;
        finding.code = "S042";
        finding.message =
            fmt::format("an expression of more than {} characters", kExpressionCharactersMax);
        finding.where = place.where;
        finding.label = "too long";
        findings.add(std::move(finding));
        return std::nullopt;
    }
    return Parser(text, place, findings).parse();
}

bool is_comparison(ExpressionKind kind) {
    return std::any_of(kComparisons.begin(), kComparisons.end(), [&](const Operator& o) {
        return o.kind == kind;
    });
}

std::string_view operator_text(ExpressionKind kind) {
    for (const Operator& o : kComparisons) {
        if (o.kind == kind) {
            return o.text;
        }
    }
    for (const Operator& o : kSums) {
        if (o.kind == kind) {
            return o.text;
        }
    }
    return kind == ExpressionKind::kMultiply ? kProducts.front().text : std::string_view();
}

}  // namespace klab::scenario
