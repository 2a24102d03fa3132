// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/expression.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "scenarios/run/expression_check.h"
#include "scenarios/run/expression_eval.h"
#include "scenarios/run/function_table.h"
#include "tests/scenario/fake_run_view.h"

namespace klab::scenario {
namespace {

/// Names as in the first example of the format.
NameTable example_names() {
    NameTable names;
    names.brokers = 3;
    names.controllers = 1;
    names.topics["t"] = TopicNames{1, {{"b1", "b2", "b3"}}};
    names.topics["orders"] = TopicNames{4, {}};
    names.clients = {
        {"p1", ClientRole::kProducer}, {"c1", ClientRole::kConsumer}, {"a1", ClientRole::kAdmin}};
    names.groups = {"billing"};
    names.steps = {"cut-off", "crash-leader", "come-back"};
    return names;
}

FakeRunView example_run() {
    FakeRunView run;
    run.leaders = {{"t-0", "b2"}};
    run.isrs = {{"t-0", {"b3", "b2"}}};
    run.numbers = {{"epoch t-0", 1},
                   {"hw t-0", 9},
                   {"leo t-0@b2", 9},
                   {"acked p1", 12},
                   {"acked p1 cut-off..crash-leader", 4},
                   {"lost_acked p1", 3},
                   {"errors p1 NOT_ENOUGH_REPLICAS", 2},
                   {"count isr.shrunk", 5}};
    run.steps = {{"cut-off", milliseconds(130)}, {"crash-leader", milliseconds(190)}};
    run.gaps = {{"t-0", milliseconds(9500)}};
    run.flags = {{"logs_equal t-0", true}};
    return run;
}

struct Parsed {
    std::optional<Expression> expression;
    Findings findings;

    [[nodiscard]] std::string code() const {
        return findings.all().empty() ? "" : findings.all().front().code;
    }
};

Parsed parse(const std::string& text) {
    Parsed out;
    const Span where{0, 0, static_cast<std::uint32_t>(text.size())};
    out.expression = parse_expression(text, {where, true}, out.findings);
    return out;
}

/// The code of the first thing wrong with the text as a condition, or "".
std::string check(const std::string& text) {
    Parsed parsed = parse(text);
    if (parsed.expression) {
        check_condition(*parsed.expression, example_names(), Vocabulary(), parsed.findings);
    }
    return parsed.code();
}

std::string value_of(const std::string& text) {
    Parsed parsed = parse(text);
    if (!parsed.expression ||
        !check_expression(*parsed.expression, example_names(), Vocabulary(), parsed.findings)) {
        return parsed.code();
    }
    return to_text(evaluate(*parsed.expression, example_run()));
}

TEST(Expression, AHyphenInsideANameBelongsToIt) {
    EXPECT_EQ(value_of("hw(t-0)"), "9");
    EXPECT_EQ(value_of("10 - lost_acked(p1)"), "7");
    EXPECT_EQ(value_of("10 -3"), "7");
    EXPECT_EQ(value_of("hw(t-0)-1"), "8") << "behind a bracket it can only be minus";
    EXPECT_EQ(check("10-3 == 7"), "S044");
    EXPECT_EQ(value_of("acked(p1, between(cut-off, crash-leader))"), "4");
}

TEST(Expression, CalculatesWithTheUsualPrecedence) {
    EXPECT_EQ(value_of("2 + 3 * 4"), "14");
    EXPECT_EQ(value_of("(2 + 3) * 4"), "20");
    EXPECT_EQ(value_of("10 - 3 - 2"), "5");
    EXPECT_EQ(value_of("-3 + 1"), "-2");
    EXPECT_EQ(value_of("2 * -3"), "-6");
    EXPECT_EQ(value_of("2s - 500ms"), "1.5s");
    EXPECT_EQ(value_of("2 * 300ms"), "600ms");
}

TEST(Expression, ComparesNodesListsAndTimes) {
    EXPECT_EQ(value_of("leader(t-0) == b2"), "true");
    EXPECT_EQ(value_of("leader(t-0) != b2"), "false");
    EXPECT_EQ(value_of("isr(t-0) == [b2, b3]"), "true") << "order does not count";
    EXPECT_EQ(value_of("size(isr(t-0))"), "2");
    EXPECT_EQ(value_of("size([]) == 0"), "true");
    EXPECT_EQ(value_of("unavailable(t-0) < 10s"), "true");
    EXPECT_EQ(value_of("fired_at(crash-leader) - fired_at(cut-off)"), "60ms");
    EXPECT_EQ(value_of("logs_equal(t-0)"), "true");
    EXPECT_EQ(value_of("leo(t-0@b2) == hw(t-0)"), "true");
    EXPECT_EQ(value_of("errors(p1, NOT_ENOUGH_REPLICAS)"), "2");
}

TEST(Expression, AsksLogs) {
    FakeRunView run;
    run.numbers = {{"log 0 t-0 0", 10},
                   {"log 1 t-0@b2 0", 40},
                   {"log 2 t-0 0", 2},
                   {"log 3 t-0 0", 4},
                   {"log 4 t-0 368801", 368796},
                   {"log 5 t-0@b2 13", 4}};
    const auto holds_in = [&](const std::string& text) {
        return holds(*parse(text).expression, run);
    };
    EXPECT_TRUE(holds_in("log_start(t-0) == 10"));
    EXPECT_TRUE(holds_in("records(t-0@b2) == 40"));
    EXPECT_TRUE(holds_in("segments(t-0) == 2"));
    EXPECT_TRUE(holds_in("index_entries(t-0) == 4"));
    EXPECT_TRUE(holds_in("segment_of(t-0, 368801) == 368796"));
    EXPECT_TRUE(holds_in("batches_read(t-0@b2, 13) == 4"));
    EXPECT_TRUE(holds_in("batches_read(t-0@b1, 13) == none"));
}

TEST(Expression, WhatDoesNotExistIsNoneAndNothingIsOrderedWithIt) {
    FakeRunView run;  // no leader, no step has fired
    const auto holds_in = [&](const std::string& text) {
        return holds(*parse(text).expression, run);
    };
    EXPECT_TRUE(holds_in("leader(t-0) == none"));
    EXPECT_FALSE(holds_in("leader(t-0) == b1"));
    EXPECT_TRUE(holds_in("leader(t-0) != b1"));
    EXPECT_FALSE(holds_in("hw(t-0) <= 5"));
    EXPECT_FALSE(holds_in("hw(t-0) > 5"));
    EXPECT_FALSE(holds_in("hw(t-0) + 1 >= 0"));
    EXPECT_FALSE(holds_in("acked(p1, between(cut-off, crash-leader)) == 0"));
}

TEST(Expression, OverflowIsNoneNotWrapping) {
    EXPECT_EQ(value_of("999999999999999999 * 999999999999999999"), "none");
    EXPECT_EQ(value_of("999999999999999999 * 9 - 1"), "8999999999999999990");
}

TEST(Expression, PassesTheFieldsOfCountOn) {
    const FakeRunView run = example_run();
    const Parsed parsed = parse("count(isr.shrunk, partition=t-0, leader_epoch=1, x=-2)");
    ASSERT_TRUE(parsed.expression);
    EXPECT_EQ(to_text(evaluate(*parsed.expression, run)), "5");
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"partition", "t-0"}, {"leader_epoch", "1"}, {"x", "-2"}};
    EXPECT_EQ(run.last_fields, expected);
}

TEST(Expression, AValueWithSpacesStandsInQuotes) {
    const FakeRunView run = example_run();
    const Parsed parsed = parse("count(isr.shrunk, partition='t-0', why='too slow, by far')");
    ASSERT_TRUE(parsed.expression) << parsed.code();
    EXPECT_EQ(to_text(evaluate(*parsed.expression, run)), "5");
    const std::vector<std::pair<std::string, std::string>> expected = {{"partition", "t-0"},
                                                                       {"why", "too slow, by far"}};
    EXPECT_EQ(run.last_fields, expected);
    EXPECT_EQ(parse("count(isr.shrunk, why='too slow)").code(), "S042") << "it never ends";
}

TEST(Expression, ShowsTheLeftSideOfAComparison) {
    EXPECT_EQ(to_text(shown_value(*parse("lost_acked(p1) == 0").expression, example_run())), "3");
    EXPECT_EQ(to_text(shown_value(*parse("logs_equal(t-0)").expression, example_run())), "true");
}

TEST(ExpressionCheck, AcceptsTheExamplesOfTheFunctionTable) {
    // Every example of the table is shown to users, so it must be right.
    for (const Function& function : functions()) {
        const std::string code = check(function.example);
        EXPECT_EQ(code, function.supported ? "" : "S050") << function.example;
    }
}

TEST(ExpressionCheck, FunctionNamesAreUniqueAndDescribed) {
    std::set<std::string> names;
    for (const Function& function : functions()) {
        EXPECT_TRUE(names.insert(function.name).second) << function.name;
        EXPECT_FALSE(function.doc.empty());
        EXPECT_NE(function.example.find(function.name + "("), std::string::npos);
    }
}

TEST(ExpressionCheck, FindsWrongNames) {
    EXPECT_EQ(check("leader(t-3) == b1"), "S021");
    EXPECT_EQ(check("leader(u-0) == b1"), "S022");
    EXPECT_EQ(check("leader(t-0) == b4"), "S020");
    EXPECT_EQ(check("acked(p2) == 1"), "S023");
    EXPECT_EQ(check("acked(c1) == 1"), "S026");
    EXPECT_EQ(check("acked(p1, between(cut-of, crash-leader)) == 1"), "S024");
    EXPECT_EQ(check("leo(t-0@k1) == 1"), "S021");
    EXPECT_EQ(check("lost_ack(p1) == 1"), "S043");
}

TEST(ExpressionCheck, FindsWrongTypes) {
    EXPECT_EQ(check("lost_acked(p1)"), "S044") << "a number is no condition";
    EXPECT_EQ(check("unavailable(t-0) < 5"), "S044");
    EXPECT_EQ(check("leader(t-0) == 2"), "S044");
    EXPECT_EQ(check("leader(t-0) < b2"), "S044");
    EXPECT_EQ(check("isr(t-0) == [1, 2]"), "S044");
    EXPECT_EQ(check("hw == 3"), "S044");
    EXPECT_EQ(check("t-0 == 3"), "S044");
    EXPECT_EQ(check("1s * 1s == 1s"), "S044");
    EXPECT_EQ(check("1s + 1 == 1s"), "S044");
    EXPECT_EQ(check("acked(p1, 3) == 1"), "S044");
    EXPECT_EQ(check("partition=t-0"), "S042");
    EXPECT_EQ(check("count(isr.shrunk, t-0) == 1"), "S044");
    EXPECT_EQ(check("leader() == b1"), "S045");
    EXPECT_EQ(check("leader(t-0, t-0) == b1"), "S045");
}

TEST(ExpressionCheck, FindsWrongSyntax) {
    for (const char* text : {"",
                             "==",
                             "1 ==",
                             "lost_acked(p1) = 3",
                             "lost_acked(p1",
                             "[b1",
                             "1 2",
                             "1 == 2 == 3",
                             "lost_acked(p1)) == 3",
                             "a $ b",
                             "(1",
                             "1 +",
                             "count(a=)",
                             "99999999999999999999 == 1"}) {
        EXPECT_EQ(parse(text).code(), "S042") << text;
    }
}

TEST(Expression, PointsIntoTheText) {
    const std::string text = "leader(t-0) == b4";
    Parsed parsed = parse(text);
    check_condition(*parsed.expression, example_names(), Vocabulary(), parsed.findings);
    const Span where = parsed.findings.all().at(0).where;
    EXPECT_EQ(text.substr(where.begin, where.end - where.begin), "b4");
}

TEST(Expression, MarksTheWholeTextWhenItHoldsEscapes) {
    const std::string file = "\"1 \\u003d\\u003d x\"";
    const Sources sources = {SourceText("f", file)};
    const Span where{0, 0, static_cast<std::uint32_t>(file.size())};
    EXPECT_EQ(place_inside_quotes("1 == x", where, sources).where, where);
    EXPECT_FALSE(place_inside_quotes("1 == x", where, sources).exact);
}

TEST(Expression, RefusesAVeryLongText) {
    // A sum of a million terms would be a tree a million deep.
    std::string text = "1";
    for (int i = 0; i < 100'000; ++i) {
        text += "+1";
    }
    EXPECT_EQ(parse(text).code(), "S042");
    EXPECT_EQ(parse(std::string(999, '(')).code(), "S042");
}

RC_GTEST_PROP(Expression, AnyTextIsParsedOrRefused, ()) {
    // Built of tokens, so that many texts get past the lexer.
    const auto tokens =
        *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
            "leader", "(", ")",    "t-0",   "==", "+",    "-", "*",     "[",  "]", ",",
            "b2",     "3", "20ms", "count", "=",  "none", " ", "acked", "p1", "<", "$"}));
    std::string text;
    for (const std::string& token : tokens) {
        text += token;
    }
    Parsed parsed = parse(text);
    RC_ASSERT(parsed.expression.has_value() != parsed.findings.has_errors());
    if (!parsed.expression) {
        return;
    }
    const auto type =
        check_expression(*parsed.expression, example_names(), Vocabulary(), parsed.findings);
    RC_ASSERT(type.has_value() != parsed.findings.has_errors());
    if (type) {
        (void)evaluate(*parsed.expression, example_run());
    }
}

}  // namespace
}  // namespace klab::scenario
