// SPDX-License-Identifier: Apache-2.0
//
// Error messages as a user reads them. Each golden/NAME.txt is what klab says about the lesson with
// one change; KLAB_REWRITE=1 writes the files anew, and the difference is then to be read.
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/run/diagnostic.h"
#include "scenarios/run/kafka_vocabulary.h"
#include "tests/scenario/scenario_files.h"

namespace klab::scenario {
namespace {

struct GoldenCase {
    const char* name;
    const char* from;  ///< a piece of the lesson
    const char* to;    ///< what stands there instead
};

const GoldenCase kCases[] = {
    {"misspelt-trigger-field", "\"acked\": 10", "\"akced\": 10"},
    {"field-of-another-form",
     "\"client\": \"p1\", \"acked\": 10",
     "\"client\": \"p1\", \"hw\": 10"},
    {"two-forms",
     "\"client\": \"p1\", \"acked\": 10",
     "\"client\": \"p1\", \"acked\": 10, \"at\": \"2s\""},
    {"no-form", "{ \"client\": \"p1\", \"acked\": 10 }", "{}"},
    {"bare-number-as-time", "\"every\": \"20ms\"", "\"every\": 20"},
    {"unknown-unit", "\"within\": \"5s\"", "\"within\": \"5 seconds\""},
    {"wrong-unit-word", "\"within\": \"5s\"", "\"within\": \"5sec\""},
    {"number-in-quotes", "\"brokers\": 3", "\"brokers\": \"3\""},
    {"negative-count", "\"count\": 12", "\"count\": -12"},
    {"missing-when", "\"when\": { \"client\": \"p1\", \"acked\": 10 },\n", "\n"},
    {"unknown-action", "{ \"crash\": \"leader(t-0)\" }", "{ \"crush\": \"leader(t-0)\" }"},
    {"two-verbs", "{ \"crash\": \"leader(t-0)\" }", "{ \"crash\": \"b1\", \"say\": \"x\" }"},
    {"unknown-node", "\"restart\": \"b1\"", "\"restart\": \"b4\""},
    {"unknown-partition", "\"leader(t-0)\" }", "\"leader(t-3)\" }"},
    {"unknown-client", "\"client\": \"p1\", \"acked\": 10", "\"client\": \"p2\", \"acked\": 10"},
    {"acks-of-a-consumer",
     "\"client\": \"p1\", \"acked\": 10",
     "\"client\": \"c1\", \"acked\": 10"},
    {"never-fires", "\"acked\": 10", "\"acked\": 20"},
    {"assigned-to-nobody", "[[1, 2, 3]]", "[[1, 2, 4]]"},
    {"min-insync-too-large", "\"min.insync.replicas\": 2", "\"min.insync.replicas\": 4"},
    {"misspelt-setting", "\"min.insync.replicas\": 2", "\"min.insync.replica\": 2"},
    {"setting-with-unit",
     "\"broker.session.timeout.ms\": 9000",
     "\"broker.session.timeout.ms\": \"9s\""},
    {"conflicting-settings", "\"enable.idempotence\": false", "\"enable.idempotence\": true"},
    {"unknown-version", "\"kafka\": \"4.0\"", "\"kafka\": \"5.0\""},
    {"newer-format", "\"klab\": 1", "\"klab\": 2"},
    {"misspelt-function", "lost_acked(p1) == 3", "lost_ack(p1) == 3"},
    {"assignment-in-expression", "lost_acked(p1) == 3", "lost_acked(p1) = 3"},
    {"number-is-no-condition", "lost_acked(p1) == 3", "lost_acked(p1)"},
    {"trailing-comma", "\"limit\": \"60s\",", "\"limit\": \"60s\",,"},
    {"comment", "\"limit\": \"60s\",", "\"limit\": \"60s\", // a minute"},
    {"duplicate-key", "\"seed\": 7,", "\"seed\": 7, \"seed\": 8,"},
    {"pointer-leads-nowhere",
     "\"/clients/p1/config/acks\": \"all\", \"/timeline/crash-leader/when\": { \"after\": "
     "\"cut-off\", \"delay\": \"4s\" } },\n      \"expect\"",
     "\"/clients/p2/config/acks\": \"all\" },\n      \"expect\""},
    {"cut-by-request",
     "\"heal\": \"all\"",
     "\"cut\": { \"from\": \"b1\", \"to\": \"b2\", \"api\": \"Fetch\" }"},
    {"full-disk-by", "\"heal\": \"all\"", "\"disk_full\": { \"node\": \"b1\", \"by\": \"5ms\" }"},
    {"settings-of-a-broker",
     "\"heal\": \"all\"",
     "\"alter_config\": { \"node\": \"b1\", \"config\": { \"min.insync.replicas\": 2 } }"},
    {"override-of-a-link",
     "\"seed\": 7,",
     "\"seed\": 7, \"overrides\": [ { \"site\": \"net.latency\", \"node\": \"b1\", \"n\": 0, "
     "\"pick\": 1 } ],"},
    {"not-supported", "\"heal\": \"all\"", "\"add_voter\": \"b1\""},
};

bool rewrite() {
    return std::getenv("KLAB_REWRITE") != nullptr;  // NOLINT: a test may look at its environment
}

void compare(const std::string& name, const std::string& text) {
    const std::string path =
        std::string(KLAB_SOURCE_DIR) + "/tests/scenario/golden/" + name + ".txt";
    if (rewrite()) {
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    EXPECT_EQ(text, read_fixture("golden/" + name + ".txt")) << name;
}

TEST(DiagnosticGolden, EveryUsualMistakeReadsWell) {
    for (const GoldenCase& golden : kCases) {
        const std::string text = replaced(lesson_text(), golden.from, golden.to);
        ASSERT_FALSE(text.empty()) << golden.name;
        const LoadedScenario loaded = load_scenario_text(
            "scenarios/lessons/04-acks/acks1-lost.json", text, {}, KafkaVocabulary({"ACK"}));
        EXPECT_FALSE(loaded.diagnostics.shown.empty()) << golden.name;
        compare(golden.name, render(loaded.diagnostics));
    }
}

TEST(DiagnosticGolden, TheSampleOfTheCommandLinePageIsWordForWord) {
    const std::string text = replaced(lesson_text(), "\"acked\": 10", "\"akced\": 10");
    const LoadedScenario loaded = load_scenario_text(
        "scenarios/lessons/04-acks/acks1-lost.json", text, {}, KafkaVocabulary());
    EXPECT_EQ(render(loaded.diagnostics),
              "error[S014]: unknown field \"akced\" in a trigger\n"
              "  --> scenarios/lessons/04-acks/acks1-lost.json:36:33\n"
              "   |\n"
              "36 |      \"when\": { \"client\": \"p1\", \"akced\": 10 },\n"
              "   |                                ^^^^^^^ did you mean \"acked\"?\n"
              "   |\n"
              "   = a trigger with \"client\" takes: acked, processed, error\n"
              "   = more: klab explain S014\n");
}

TEST(DiagnosticGolden, TheJsonFormHasEveryField) {
    const std::string text = replaced(lesson_text(), "\"acked\": 10", "\"akced\": 10");
    compare(
        "json-form",
        to_json(load_scenario_text("acks1-lost.json", text, {}, KafkaVocabulary()).diagnostics));
}

TEST(DiagnosticRender, ShowsTenErrorsAndCountsTheRest) {
    std::string text =
        "{\"klab\": 1, \"title\": \"x\", \"cluster\": {\"brokers\": 1}, \"timeline\": [";
    for (int i = 0; i < 25; ++i) {
        text += i == 0 ? "7" : ", 7";
    }
    text += "]}";
    const LoadedScenario loaded = load_text(text, KafkaVocabulary());
    EXPECT_EQ(loaded.diagnostics.errors, 25U);
    EXPECT_EQ(loaded.diagnostics.shown.size(), 10U);
    EXPECT_NE(render(loaded.diagnostics).find("... and 15 more"), std::string::npos);
}

TEST(DiagnosticRender, CutsALongLineAroundTheMark) {
    // A whole file on one line must not flood the terminal.
    const std::string text = "{\"note\": \"" + std::string(5000, 'x') + "\", \"klap\": 1}";
    const std::string shown = render(load_text(text, KafkaVocabulary()).diagnostics);
    EXPECT_LT(shown.size(), 4000U);
    EXPECT_NE(shown.find("did you mean \"klab\"?"), std::string::npos);
    EXPECT_NE(shown.find("..."), std::string::npos);
}

TEST(DiagnosticRender, LetsNoControlCharacterThrough) {
    // A scenario file from elsewhere must not be able to drive the reader's terminal.
    const std::string text =
        "{\"a\x7F\xC2\x9B\": \"\xC2\x9B"
        "31m\"}";
    const std::string shown = render(load_text(text, KafkaVocabulary()).diagnostics);
    const std::size_t source = shown.find("1 |");
    ASSERT_NE(source, std::string::npos);
    EXPECT_EQ(shown.substr(source).find('\x7F'), std::string::npos);
    EXPECT_EQ(shown.substr(source).find("\xC2\x9B"), std::string::npos);
}

TEST(DiagnosticRender, CountsColumnsInCharacters) {
    const LoadedScenario loaded =
        load_text("{\"title\": \"\xC3\xA4\xC3\xB6\", \"klap\": 1}", KafkaVocabulary());
    for (const Diagnostic& diagnostic : loaded.diagnostics.shown) {
        if (diagnostic.code == "S014") {
            EXPECT_EQ(diagnostic.column, 17U);
            return;
        }
    }
    ADD_FAILURE() << "the misspelt key was not found";
}

}  // namespace
}  // namespace klab::scenario
