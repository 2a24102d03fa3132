// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/scenario_builder.h"

#include <utility>

namespace klab::scenario {

namespace {

std::optional<At<Expression>> build_expression(const Json* json, ReadContext context) {
    const std::optional<At<std::string>> text = read_text(json);
    if (!text) {
        return std::nullopt;
    }
    const TextPlace place = place_inside_quotes(text->value, text->where, context.sources);
    std::optional<Expression> expression = parse_expression(text->value, place, context.findings);
    if (!expression) {
        return std::nullopt;
    }
    return At<Expression>{std::move(*expression), text->where};
}

void build_moment(const Json* at, Expectation& out, ReadContext context) {
    if (at == nullptr) {
        return;
    }
    if (at->is(JsonKind::kText)) {
        out.judged = at->text == "always"  ? JudgedAt::kAlways
                     : at->text == "never" ? JudgedAt::kNever
                                           : JudgedAt::kEnd;
        return;
    }
    out.at = build_trigger(*at, context);
    out.judged = JudgedAt::kTrigger;
}

std::optional<Expectation> build_expectation(const Json& json, ReadContext context) {
    Expectation out;
    out.where = json.where;
    build_moment(json.find("at"), out, context);
    out.by = read_duration(json.find("by"));
    out.why = read_lines(json.find("why"));
    out.note = read_lines(json.find("note"));
    if (const auto violates = read_text(json.find("violates"))) {
        out.condition = Violates{*violates};
        out.text = violates->value;
        return out;
    }
    std::optional<At<Expression>> that = build_expression(json.find("that"), context);
    if (!that) {
        return std::nullopt;
    }
    out.text = json.find("that")->text;
    out.condition = std::move(*that);
    return out;
}

std::vector<Expectation> build_expectations(const Json* json, ReadContext context) {
    std::vector<Expectation> out;
    if (json == nullptr) {
        return out;
    }
    for (const Json& element : json->elements) {
        if (!element.is(JsonKind::kObject)) {
            continue;
        }
        if (std::optional<Expectation> expectation = build_expectation(element, context)) {
            out.push_back(std::move(*expectation));
        }
    }
    return out;
}

std::optional<Question> build_question(const Json& json, ReadContext context) {
    Question out;
    const auto id = read_text(json.find("id"));
    const Json* answer = json.find("answer");
    if (!id || answer == nullptr) {
        return std::nullopt;
    }
    out.id = *id;
    out.ask = read_lines(json.find("ask"));
    out.pause_before = read_text(json.find("pause_before"));
    out.hint = read_lines(json.find("hint"));
    out.explain = read_lines(json.find("explain"));
    out.changes_file = json.find("set") != nullptr;
    if (const auto choice = read_integer(answer->find("choice"))) {
        ChoiceAnswer of;
        of.choice = *choice;
        for (At<std::string>& text : read_texts(answer->find("of"))) {
            of.of.push_back(std::move(text.value));
        }
        out.answer = std::move(of);
        return out;
    }
    std::optional<At<Expression>> from_run = build_expression(answer->find("from_run"), context);
    if (!from_run) {
        return std::nullopt;
    }
    out.answer_text = answer->find("from_run")->text;
    out.answer = std::move(*from_run);
    return out;
}

std::vector<Question> build_questions(const Json* json, ReadContext context) {
    std::vector<Question> out;
    if (json == nullptr) {
        return out;
    }
    for (const Json& element : json->elements) {
        if (!element.is(JsonKind::kObject)) {
            continue;
        }
        if (std::optional<Question> question = build_question(element, context)) {
            out.push_back(std::move(*question));
        }
    }
    return out;
}

std::vector<VariantSpec> build_variants(const Json* json) {
    std::vector<VariantSpec> out;
    if (json == nullptr) {
        return out;
    }
    for (const JsonMember& member : json->members) {
        const auto title = read_text(member.value.find("title"));
        out.push_back({{member.key, member.key_where},
                       title ? title->value : "",
                       read_lines(member.value.find("note"))});
    }
    return out;
}

std::vector<Override> build_overrides(const Json* json) {
    std::vector<Override> out;
    if (json == nullptr) {
        return out;
    }
    for (const Json& element : json->elements) {
        const auto site = read_text(element.find("site"));
        const auto n = read_integer(element.find("n"));
        const auto pick = read_integer(element.find("pick"));
        if (site && n && pick && n->value >= 0 && pick->value >= 0) {
            out.push_back({*site,
                           read_text(element.find("node")),
                           static_cast<std::uint64_t>(n->value),
                           static_cast<std::uint64_t>(pick->value)});
        }
    }
    return out;
}

}  // namespace

Scenario build_scenario(const Json& file, ReadContext context) {
    Scenario out;
    if (const auto title = read_text(file.find("title"))) {
        out.title = title->value;
    }
    out.note = read_lines(file.find("note"));
    out.lesson = read_lines(file.find("lesson"));
    if (const auto kafka = read_text(file.find("kafka"))) {
        out.kafka = *kafka;
    }
    const auto seed = read_integer(file.find("seed"));
    if (seed && seed->value >= 0) {
        out.seed = static_cast<std::uint64_t>(seed->value);
    }
    if (const auto limit = read_duration(file.find("limit"))) {
        out.limit = *limit;
    }
    out.cluster = build_cluster(file.find("cluster"), context);
    out.topics = build_topics(file.find("topics"));
    out.clients = build_clients(file.find("clients"));
    out.timeline = build_timeline(file.find("timeline"), context);
    out.chaos = build_chaos(file.find("chaos"), context);
    out.expect = build_expectations(file.find("expect"), context);
    out.questions = build_questions(file.find("questions"), context);
    out.variants = build_variants(file.find("variants"));
    out.overrides = build_overrides(file.find("overrides"));
    return out;
}

}  // namespace klab::scenario
