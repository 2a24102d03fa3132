// SPDX-License-Identifier: Apache-2.0
//
// The parser and the generated schema are two readings of one table. Here both judge thousands of
// mutated example files and must agree on each; and whatever the mutation, there is a scenario or
// an error, never a crash.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "scenarios/run/format_check.h"
#include "scenarios/run/format_schema.h"
#include "scenarios/run/json_reader.h"
#include "scenarios/run/kafka_vocabulary.h"
#include "tests/scenario/scenario_files.h"
#include "tests/scenario/schema_evaluator.h"

namespace klab::scenario {
namespace {

using nlohmann::json;

const json& schema() {
    static const json parsed = json::parse(format_schema_json());
    return parsed;
}

const Vocabulary& words() {
    static const KafkaVocabulary vocabulary({"ACK"});
    return vocabulary;
}

/// Every JSON pointer of the document.
void collect(const json& value,
             const json::json_pointer& at,
             std::vector<json::json_pointer>& out) {
    out.push_back(at);
    if (value.is_object()) {
        for (const auto& member : value.items()) {
            collect(member.value(), at / member.key(), out);
        }
    }
    if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            collect(value[i], at / i, out);
        }
    }
}

std::vector<json::json_pointer> places(const json& document) {
    std::vector<json::json_pointer> out;
    collect(document, json::json_pointer(), out);
    return out;
}

/// Values that stand somewhere in scenario files, and some that stand nowhere.
const std::vector<json>& pieces() {
    static const std::vector<json> values = {
        json(),
        true,
        false,
        0,
        1,
        -1,
        2.0,
        2.5,
        3,
        7,
        "",
        "x",
        "b1",
        "20ms",
        "20",
        "t-0",
        "t-0@b2",
        "all",
        "end",
        "always",
        "4.1",
        "before",
        "hdd",
        "/seed",
        "leader(t-0)",
        json::array(),
        json::object(),
        json::array({"1ms", "3ms"}),
        json::array({"1ms"}),
        json::array({1, 2}),
        json::array({json::array({"b1"}), json::array({"b2"})}),
        json{{"at", "1s"}},
        json{{"after", "a"}, {"delay", "1s"}},
        json{{"hw", 3}},
        json{{"client", "p1"}},
        json{{"client", "p1"}, {"acked", 3}},
        json{{"end", true}},
        json{{"end", false}},
        json{{"crash", "b1"}, {"say", "x"}},
        json{{"from_run", "1"}},
        json{{"choice", 0}, {"of", json::array({"a"})}},
        json{{"node", "b1"}, {"for", "1s"}},
        json{{"all", json::array({json{{"at", "1s"}}, json{{"at", "2s"}}})}},
        json{{"any", json::array({json{{"at", "1s"}}})}},
        json{{"name", "t"}},
        json{{"//", "remark"}},
        json{{"every", "1s"}}};
    return values;
}

const std::vector<std::string>& keys() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> out = {"//", "// remark", "x", "Note", ""};
        for (const Shape& shape : format_shapes()) {
            for (const std::string& name : field_names(shape)) {
                out.push_back(name);
            }
        }
        return out;
    }();
    return names;
}

/// A valid document that uses much of the format.
json rich_document() {
    return json::parse(R"({
      "klab": 1, "title": "rich", "note": ["a", "b"], "limit": "1min", "seed": 3,
      "cluster": {"brokers": 3, "controllers": 1, "racks": ["r1"], "mutant": "m",
        "features": {"log.truncation": "leader-epoch"}, "disk": {"kind": "ssd", "write": "1ms"},
        "network": {"latency": "1ms", "loss": 0.5, "bandwidth": "1MB/s"},
        "nodes": {"b1": {"clock": "-1s", "drift_ppm": -3, "rack": "r1",
                         "heap_pause": {"every": "1s", "for": ["1ms", "2ms"]}}}},
      "topics": [{"name": "t", "partitions": 2, "replicas": 2, "// why": 1}],
      "clients": [{"producer": "p1", "topic": "t",
                   "send": {"count": 3, "every": "1ms", "keys": ["a", null]}},
                  {"consumer": "c1", "assign": ["t-0"], "work": {"commit": "before"}},
                  {"admin": "a1", "config": {"x": 1}}],
      "timeline": [
        {"id": "a", "when": {"all": [{"at": "1s"}, {"partition": "t-0", "hw": 1}]},
         "do": [{"power_off": {"nodes": ["b1"], "keep": "all", "torn": true}}, {"heal": "all"},
                {"pause": {"node": "b1", "for": "1s"}}, {"cut": {"from": "b1", "to": "b2"}},
                {"slow_link": {"from": "b1", "by": "1ms"}}, {"say": ["x"]},
                {"alter_config": {"topic": "t", "config": {}}},
                {"elect": {"partition": "t-0", "type": "preferred"}}],
         "within": "2s", "repeat": 2},
        {"when": {"event": "x", "where": {"a": 1}, "nth": 2}, "do": {"end": true}}],
      "chaos": {"during": ["1s", "2s"], "faults": {"crash": {"every": "1s", "at_most": 1}}},
      "expect": [{"that": "1 == 1", "at": "always"}, {"violates": "ACK", "at": {"at": "1s"}}],
      "questions": [{"id": "q", "ask": "?", "answer": {"choice": 0, "of": ["a"]},
                     "set": {"/seed": 4}}],
      "variants": {"v": {"set": {"/seed": 9}, "expect": []}},
      "overrides": [{"site": "s", "node": "b1", "n": 0, "pick": 1}]
    })");
}

std::vector<json> documents() {
    return {json::parse(lesson_text()),
            json::parse(read_fixture("fixtures/zombie-consumer.json")),
            rich_document()};
}

/// Changes one place: another value, a new member, a removed one, a renamed one, an element more.
json mutate(json document) {
    const std::vector<json::json_pointer> all = places(document);
    const json::json_pointer at = *rc::gen::elementOf(all);
    json& value = document[at];
    switch (*rc::gen::inRange(0, 5)) {
        case 0:
            value = *rc::gen::elementOf(pieces());
            break;
        case 1:
            if (value.is_object()) {
                value[*rc::gen::elementOf(keys())] = *rc::gen::elementOf(pieces());
            }
            break;
        case 2:
            if (value.is_object() && !value.empty()) {
                std::vector<std::string> names;
                for (const auto& member : value.items()) {
                    names.push_back(member.key());
                }
                value.erase(*rc::gen::elementOf(names));
            }
            break;
        case 3:
            if (value.is_array()) {
                value.push_back(*rc::gen::elementOf(pieces()));
            }
            break;
        default:
            if (value.is_array() && !value.empty()) {
                value.erase(0);
            }
    }
    return document;
}

bool parser_accepts(const std::string& text, Findings& findings) {
    const std::optional<Json> tree = read_json(SourceText("m.json", text), 0, findings);
    if (tree) {
        check_format(*tree, findings);
    }
    return tree.has_value() && !findings.has_errors();
}

TEST(MutatedFiles, TheUnchangedDocumentsAreValidForBoth) {
    for (const json& document : documents()) {
        Findings findings;
        EXPECT_TRUE(parser_accepts(document.dump(), findings))
            << (findings.all().empty() ? "" : findings.all()[0].message);
        EXPECT_TRUE(is_valid(document, schema(), schema()));
    }
}

RC_GTEST_PROP(MutatedFiles, ParserAndSchemaAgree, ()) {
    json document = *rc::gen::elementOf(documents());
    const int changes = *rc::gen::inRange(1, 4);
    for (int i = 0; i < changes; ++i) {
        document = mutate(std::move(document));
    }
    Findings findings;
    const bool parser = parser_accepts(document.dump(), findings);
    const bool by_schema = is_valid(document, schema(), schema());
    if (parser != by_schema) {
        RC_LOG() << "parser " << parser << ", schema " << by_schema << "\n"
                 << (findings.all().empty() ? "" : findings.all()[0].message) << "\n"
                 << document.dump(1);
    }
    RC_ASSERT(parser == by_schema);
    RC_CLASSIFY(parser, "still valid");
}

TEST(MutatedFiles, EverySingleReplacementIsJudgedAlike) {
    // Every place of the rich document meets a third of the pieces, each piece a third of the
    // places: more thorough than chance, and quick.
    const json document = rich_document();
    std::size_t valid = 0;
    std::size_t judged = 0;
    std::size_t pairs = 0;
    for (const json::json_pointer& at : places(document)) {
        for (const json& piece : pieces()) {
            ++pairs;
            if (pairs % 3 != 0) {
                continue;
            }
            json changed = document;
            changed[at] = piece;
            Findings findings;
            const bool parser = parser_accepts(changed.dump(), findings);
            ASSERT_EQ(parser, is_valid(changed, schema(), schema()))
                << at.to_string() << " = " << piece.dump();
            valid += parser ? 1U : 0U;
            ++judged;
        }
    }
    EXPECT_GT(valid, 50U);
    EXPECT_GT(judged - valid, 500U);
}

RC_GTEST_PROP(MutatedFiles, LoadingGivesAScenarioOrAnError, ()) {
    json document = *rc::gen::elementOf(documents());
    const int changes = *rc::gen::inRange(1, 6);
    for (int i = 0; i < changes; ++i) {
        document = mutate(std::move(document));
    }
    const LoadedScenario loaded = load_text(document.dump(1), words());
    RC_ASSERT(loaded.scenario.has_value() == loaded.diagnostics.ok());
    for (const Diagnostic& diagnostic : loaded.diagnostics.shown) {
        RC_ASSERT(diagnostic.line > 0U);
        RC_ASSERT(diagnostic.help.size() <= 3U);
        RC_ASSERT(!render(diagnostic).empty());
    }
    (void)to_json(loaded.diagnostics);
}

RC_GTEST_PROP(MutatedFiles, BrokenBytesGiveAScenarioOrAnError, ()) {
    std::string text = lesson_text();
    const int changes = *rc::gen::inRange(1, 8);
    for (int i = 0; i < changes; ++i) {
        const auto at =
            static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(text.size())));
        switch (*rc::gen::inRange(0, 3)) {
            case 0:
                text[at] = static_cast<char>(*rc::gen::inRange(0, 256));
                break;
            case 1:
                text.erase(at, static_cast<std::size_t>(*rc::gen::inRange(1, 40)));
                break;
            default:
                text.insert(at,
                            *rc::gen::elementOf(std::vector<std::string>{
                                "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "-", "1e9"}));
        }
        if (text.empty()) {
            text = " ";
        }
    }
    const LoadedScenario loaded = load_text(text, words());
    RC_ASSERT(loaded.scenario.has_value() == loaded.diagnostics.ok());
    (void)render(loaded.diagnostics);
}

}  // namespace
}  // namespace klab::scenario
