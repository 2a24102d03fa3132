// SPDX-License-Identifier: Apache-2.0
//
// Expectations and questions: conditions are conditions, names exist.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenarios/run/expression_check.h"
#include "scenarios/run/json_values.h"
#include "scenarios/run/semantic_checks.h"

namespace klab::scenario {

namespace {

void check_violates(const At<std::string>& name, const CheckContext& c) {
    const std::vector<std::string> known = c.words.invariants();
    if (known.empty() || std::find(known.begin(), known.end(), name.value) != known.end()) {
        return;
    }
    c.findings.add(unknown_word("S038", "invariant", name.value, name.where, known));
}

void check_expectation(const Expectation& expectation, const CheckContext& c) {
    if (const auto* that = std::get_if<At<Expression>>(&expectation.condition)) {
        check_condition(that->value, c.names, c.words, c.findings);
    } else {
        check_violates(std::get<Violates>(expectation.condition).name, c);
    }
    if (expectation.at) {
        check_trigger(*expectation.at, c);
    }
    if (!expectation.by) {
        return;
    }
    const At<Duration>& by = *expectation.by;
    if (by.value > c.scenario.limit.value) {
        c.findings.add(
            make_finding("S030",
                         "an expectation for a time after the run",
                         by.where,
                         fmt::format("the run ends at {}", to_text(c.scenario.limit.value))));
    }
    if (expectation.judged != JudgedAt::kEnd) {
        c.findings.add(make_finding("S015",
                                    "an expectation is judged \"by\" a time or \"at\" a moment",
                                    by.where,
                                    "not both"));
    }
}

void check_question(const Question& question, const CheckContext& c) {
    if (question.pause_before) {
        check_step(c.names, question.pause_before->value, question.pause_before->where, c.findings);
    }
    if (const auto* from_run = std::get_if<At<Expression>>(&question.answer)) {
        const auto type = check_expression(from_run->value, c.names, c.words, c.findings);
        if (type == ValueType::kWindow || type == ValueType::kNone) {
            c.findings.add(make_finding("S044",
                                        fmt::format("{} is no answer", name_of(*type)),
                                        from_run->where,
                                        "a number, a time, a node or a yes or no"));
        }
        return;
    }
    const ChoiceAnswer& choice = std::get<ChoiceAnswer>(question.answer);
    if (choice.choice.value >= static_cast<std::int64_t>(choice.of.size())) {
        c.findings.add(make_finding("S017",
                                    "the right answer is not among the choices",
                                    choice.choice.where,
                                    fmt::format("there are {}, counted from 0", choice.of.size())));
    }
}

}  // namespace

void check_expectations(const CheckContext& context) {
    for (const Expectation& expectation : context.scenario.expect) {
        if (context.findings.full()) {
            return;
        }
        check_expectation(expectation, context);
    }
    std::set<std::string> seen;
    for (const Question& question : context.scenario.questions) {
        check_question(question, context);
        if (!seen.insert(question.id.value).second) {
            context.findings.add(
                make_finding("S025",
                             fmt::format("two questions are called \"{}\"", question.id.value),
                             question.id.where,
                             "given before"));
        }
    }
}

}  // namespace klab::scenario
