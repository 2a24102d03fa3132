// SPDX-License-Identifier: Apache-2.0
//
// Files that somebody built to break klab: each must end quickly with an error.
#include <string>

#include <gtest/gtest.h>

#include "scenarios/run/kafka_vocabulary.h"
#include "tests/scenario/scenario_files.h"

namespace klab::scenario {
namespace {

std::string repeated(const std::string& piece, int times, const std::string& between) {
    std::string out;
    for (int i = 0; i < times; ++i) {
        out += i == 0 ? "" : between;
        out += piece;
    }
    return out;
}

std::string first_code(const std::string& text) {
    const LoadedScenario loaded = load_text(text, KafkaVocabulary());
    EXPECT_FALSE(loaded.scenario);
    (void)render(loaded.diagnostics);
    return loaded.diagnostics.shown.empty() ? "" : loaded.diagnostics.shown[0].code;
}

std::string with_timeline(const std::string& steps) {
    return "{\"klab\": 1, \"title\": \"x\", \"cluster\": {\"brokers\": 3, \"controllers\": 1}, "
           "\"timeline\": [" +
           steps + "]}";
}

TEST(HostileInput, Brackets) {
    EXPECT_EQ(first_code(std::string(200'000, '[')), "S007");
    EXPECT_EQ(first_code(repeated("{\"a\":", 200'000, "")), "S007");
    EXPECT_EQ(first_code(std::string(200'000, ']')), "S005");
}

TEST(HostileInput, NotAScenarioAtAll) {
    EXPECT_EQ(first_code(""), "S006");
    EXPECT_EQ(first_code("   \n"), "S006");
    EXPECT_EQ(first_code("[]"), "S013");
    EXPECT_EQ(first_code("null"), "S013");
    EXPECT_EQ(first_code("\"scenario\""), "S013");
    EXPECT_EQ(first_code("{}"), "S012");
    EXPECT_EQ(first_code(std::string("\0\0\0", 3)), "S005");
    EXPECT_EQ(first_code("\xFF\xFE{\0}\0"), "S004");
}

TEST(HostileInput, AHundredThousandUnknownFields) {
    std::string text = "{";
    for (int i = 0; i < 100'000; ++i) {
        text += "\"acked" + std::to_string(i) + "\": 1, ";
    }
    EXPECT_EQ(first_code(text + "\"x\": 1}"), "S014");
}

TEST(HostileInput, AHundredThousandDuplicateKeys) {
    EXPECT_EQ(first_code("{" + repeated("\"a\": 1", 100'000, ", ") + "}"), "S008");
}

TEST(HostileInput, AHundredThousandUnknownNodes) {
    const std::string act = "{\"crash\": \"b77\"}";
    EXPECT_EQ(first_code(with_timeline("{\"when\": {\"at\": \"1s\"}, \"do\": [" +
                                       repeated(act, 100'000, ", ") + "]}")),
              "S020");
}

TEST(HostileInput, AHundredThousandStepsInOneChain) {
    std::string steps;
    for (int i = 0; i < 20'000; ++i) {
        steps += i == 0 ? "" : ", ";
        steps += "{\"id\": \"s" + std::to_string(i) + "\", \"when\": {\"after\": \"s" +
                 std::to_string(i + 1) + "\"}, \"do\": {\"say\": \"x\"}}";
    }
    EXPECT_EQ(first_code(with_timeline(steps)), "S024");
}

TEST(HostileInput, TriggersInsideTriggers) {
    std::string when = "{\"at\": \"1s\"}";
    for (int i = 0; i < 25; ++i) {
        when = "{\"all\": [" + when + ", {\"at\": \"99h\"}]}";
    }
    EXPECT_EQ(first_code(with_timeline("{\"when\": " + when + ", \"do\": {\"say\": \"x\"}}")),
              "S030");
    for (int i = 0; i < 10; ++i) {
        when = "{\"all\": [" + when + ", {\"at\": \"1s\"}]}";
    }
    EXPECT_EQ(first_code(with_timeline("{\"when\": " + when + ", \"do\": {\"say\": \"x\"}}")),
              "S007");
}

TEST(HostileInput, ManyVariantsOfALargeFile) {
    std::string text =
        "{\"klab\": 1, \"title\": \"x\", \"cluster\": {\"brokers\": 3, "
        "\"controllers\": 1}, \"timeline\": [], \"note\": [" +
        repeated("\"x\"", 100'000, ",") + "], \"variants\": {";
    for (int i = 0; i < 2'000; ++i) {
        text += i == 0 ? "" : ", ";
        text += "\"v" + std::to_string(i) + "\": {\"set\": {\"/x\": 1}}";
    }
    EXPECT_EQ(first_code(text + "}}"), "S014");
}

TEST(HostileInput, NumbersAtTheEdge) {
    const auto with = [](const std::string& key, const std::string& value) {
        return first_code(
            "{\"klab\": 1, \"title\": \"x\", \"timeline\": [], \"cluster\": "
            "{\"brokers\": 1, \"controllers\": 1}, \"" +
            key + "\": " + value + "}");
    };
    EXPECT_EQ(with("seed", "-1"), "S017");
    EXPECT_EQ(with("seed", "1e300"), "S013");
    EXPECT_EQ(with("limit", "\"99999999999999999999s\""), "S016");
    EXPECT_EQ(
        with("topics", "[{\"name\": \"t\", \"replicas\": 1, \"partitions\": 9223372036854775807}]"),
        "S017");
    EXPECT_EQ(first_code("{\"klab\": 1, \"title\": \"x\", \"timeline\": [], \"cluster\": "
                         "{\"brokers\": 9223372036854775807, \"controllers\": 1}}"),
              "S017");
}

TEST(HostileInput, LongTextsWhereNamesBelong) {
    const std::string huge(1'000'000, 'a');
    EXPECT_EQ(first_code(with_timeline("{\"when\": {\"at\": \"1s\"}, \"do\": {\"crash\": \"" +
                                       huge + "\"}}")),
              "S027");
    EXPECT_EQ(first_code(with_timeline("{\"when\": {\"at\": \"" + huge +
                                       "\"}, \"do\": {\"say\": \"x\"}}")),
              "S016");
    EXPECT_EQ(first_code("{\"" + huge + "\": 1}"), "S012");
}

}  // namespace
}  // namespace klab::scenario
