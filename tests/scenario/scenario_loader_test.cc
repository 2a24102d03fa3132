// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/scenario_loader.h"

#include <gtest/gtest.h>

#include "scenarios/run/kafka_vocabulary.h"
#include "tests/scenario/scenario_files.h"

namespace klab::scenario {
namespace {

LoadedScenario load_lesson(const LoadOptions& options = {}) {
    return load_text(lesson_text(), KafkaVocabulary(), options);
}

TEST(ScenarioLoader, ReadsTheLessonCompletely) {
    const LoadedScenario loaded = load_lesson();
    ASSERT_TRUE(loaded.scenario) << render(loaded.diagnostics);
    const Scenario& s = *loaded.scenario;
    EXPECT_EQ(s.title, "acks=1: acknowledged and gone");
    EXPECT_EQ(s.lesson, "04-acks");
    EXPECT_EQ(s.kafka.value, "4.0");
    EXPECT_EQ(s.seed, 7U);
    EXPECT_EQ(s.limit.value, seconds(60));
    EXPECT_EQ(s.cluster.brokers.value, 3);
    EXPECT_EQ(s.cluster.controllers.value, 1);
    EXPECT_EQ(s.cluster.network.latency->value, (Spread{milliseconds(1), milliseconds(3)}));
    ASSERT_EQ(s.cluster.config.size(), 2U);
    EXPECT_EQ(s.cluster.config[0].name.value, "broker.session.timeout.ms");
    EXPECT_EQ(s.cluster.config[0].value.value, "9000");
    EXPECT_EQ(s.cluster.config[1].value.value, "false");
    ASSERT_EQ(s.topics.size(), 1U);
    EXPECT_EQ(s.topics[0].assignment[0][2].value, 3);
    ASSERT_EQ(s.clients.size(), 2U);
    EXPECT_EQ(s.clients[0].role(), ClientRole::kProducer);
    const auto& producer = std::get<ProducerSpec>(s.clients[0].kind);
    EXPECT_EQ(producer.send->value.count->value, 12);
    EXPECT_EQ(producer.send->value.every, milliseconds(20));
    EXPECT_EQ(producer.send->value.to->value, (PartitionName{"t", 0}));
    const auto& consumer = std::get<ConsumerSpec>(s.clients[1].kind);
    EXPECT_EQ(consumer.assign[0].value, (PartitionName{"t", 0}));
}

TEST(ScenarioLoader, ReadsTheTimelineOfTheLesson) {
    const LoadedScenario loaded = load_lesson();
    ASSERT_TRUE(loaded.scenario);
    const std::vector<Step>& steps = loaded.scenario->timeline;
    ASSERT_EQ(steps.size(), 4U);
    const auto& all = std::get<AllOf>(steps[0].when.form);
    EXPECT_EQ(std::get<ReplicaFetched>(all.parts[1].form).replica.value,
              (ReplicaName{{"t", 0}, "b3"}));
    const auto& split = std::get<SplitNetwork>(std::get<FaultAction>(steps[0].actions[0].act));
    EXPECT_EQ(split.groups.size(), 2U);
    EXPECT_EQ(std::get<ClientReaches>(steps[1].when.form).acked->value, 10);
    EXPECT_EQ(steps[1].within->value, seconds(5));
    const auto& crash = std::get<NodeAction>(std::get<FaultAction>(steps[1].actions[0].act));
    EXPECT_EQ(crash.verb, NodeVerb::kCrash);
    EXPECT_EQ(crash.node.value, Target(LeaderRole{{"t", 0}}));
    EXPECT_TRUE(std::get<LinkAction>(std::get<FaultAction>(steps[2].actions[0].act)).all);
    EXPECT_TRUE(std::holds_alternative<EndRun>(std::get<OtherAction>(steps[3].actions[0].act)));
    ASSERT_EQ(loaded.scenario->expect.size(), 4U);
    EXPECT_EQ(loaded.scenario->expect[0].judged, JudgedAt::kTrigger);
    EXPECT_EQ(loaded.scenario->expect[3].judged, JudgedAt::kNever);
    EXPECT_EQ(loaded.scenario->questions.size(), 2U);
    EXPECT_EQ(loaded.scenario->variants.size(), 1U);
}

TEST(ScenarioLoader, IsTheShippedLesson) {
    // The fixture is the page of the format; the shipped lesson is the same text.
    const LoadedScenario shipped =
        load_scenario(std::string(KLAB_SOURCE_DIR) + "/scenarios/lessons/04-acks/acks1-lost.json",
                      {},
                      KafkaVocabulary());
    ASSERT_TRUE(shipped.scenario);
    EXPECT_EQ(*shipped.scenario, *load_lesson().scenario);
}

TEST(ScenarioLoader, AppliesAVariantAndItsExpectations) {
    LoadOptions options;
    options.variant = "acks-all";
    const LoadedScenario loaded = load_lesson(options);
    ASSERT_TRUE(loaded.scenario) << render(loaded.diagnostics);
    EXPECT_EQ(loaded.variant, "acks-all");
    EXPECT_EQ(loaded.variant_title, "acks=all: nothing acknowledged is lost");
    EXPECT_EQ(loaded.scenario->clients[0].config[0].value.value, "all");
    EXPECT_EQ(std::get<AfterStep>(loaded.scenario->timeline[1].when.form).delay->value, seconds(4));
    EXPECT_EQ(loaded.scenario->expect.size(), 3U);
    EXPECT_EQ(loaded.scenario->expect[0].text, "lost_acked(p1) == 0");
}

TEST(ScenarioLoader, AQuestionChangesTheFileAndDropsTheExpectations) {
    LoadOptions options;
    options.question = "acks-all";
    const LoadedScenario loaded = load_lesson(options);
    ASSERT_TRUE(loaded.scenario) << render(loaded.diagnostics);
    EXPECT_TRUE(loaded.scenario->expect.empty());
    EXPECT_EQ(loaded.scenario->clients[0].config[0].value.value, "all");
}

TEST(ScenarioLoader, NamesTheVariantsWhenOneIsUnknown) {
    LoadOptions options;
    options.variant = "acks-al";
    const LoadedScenario loaded = load_lesson(options);
    EXPECT_FALSE(loaded.scenario);
    EXPECT_EQ(codes_of(loaded), "S040");
    EXPECT_EQ(loaded.diagnostics.shown[0].suggestions[0].with, "acks-all");
}

TEST(ScenarioLoader, AppliesSetsAndSeed) {
    LoadOptions options;
    options.sets = {"/clients/p1/send/count=30", "/limit=2min"};
    options.seed = 18'446'744'073'709'551'615U;
    const LoadedScenario loaded = load_lesson(options);
    ASSERT_TRUE(loaded.scenario) << render(loaded.diagnostics);
    EXPECT_EQ(loaded.scenario->seed, 18'446'744'073'709'551'615U);
    EXPECT_EQ(loaded.scenario->limit.value, seconds(120));
    EXPECT_EQ(std::get<ProducerSpec>(loaded.scenario->clients[0].kind).send->value.count->value,
              30);
}

TEST(ScenarioLoader, ReportsAWrongSetAtTheArgument) {
    LoadOptions options;
    options.sets = {"/limit=soon"};
    const LoadedScenario loaded = load_lesson(options);
    EXPECT_EQ(codes_of(loaded), "S016");
    EXPECT_EQ(loaded.diagnostics.shown[0].file, "--set");
    EXPECT_EQ(loaded.diagnostics.shown[0].column, 8U);
}

TEST(ScenarioLoader, ReadsAFileOfChoices) {
    const std::string path = std::string(KLAB_BINARY_DIR) + "/scenario_loader_choices.json";
    std::ofstream(path) << R"([{"site": "net.latency", "node": "b1->b2", "n": 3, "pick": 31}])";
    LoadOptions options;
    options.choices_path = path;
    const LoadedScenario loaded = load_lesson(options);
    ASSERT_TRUE(loaded.scenario) << render(loaded.diagnostics);
    ASSERT_EQ(loaded.scenario->overrides.size(), 1U);
    EXPECT_EQ(loaded.scenario->overrides[0].site.value, "net.latency");
    EXPECT_EQ(loaded.scenario->overrides[0].pick, 31U);
    options.choices_path = "/no/such/file";
    EXPECT_EQ(codes_of(load_lesson(options)), "S001");
}

TEST(ScenarioLoader, TriesTheVariantsOfAFileThatIsRight) {
    // An error that only a variant has must show before somebody runs that variant.
    const std::string text =
        replaced(lesson_text(),
                 "\"variants\": {\n    \"acks-all\": {",
                 "\"variants\": {\n    \"b\": { \"set\": { \"/clients/p9/config/acks\": \"0\" } },"
                 "\n    \"acks-all\": {");
    EXPECT_EQ(codes_of(load_text(text, KafkaVocabulary())), "S039");
}

TEST(ScenarioLoader, SaysWhatTheSecondExampleStillNeeds) {
    // Consumer groups come later; until then the file is refused, word by word.
    const LoadedScenario loaded =
        load_text(read_fixture("fixtures/zombie-consumer.json"), KafkaVocabulary());
    EXPECT_FALSE(loaded.scenario);
    ASSERT_FALSE(loaded.diagnostics.shown.empty());
    bool unsupported = false;
    for (const Diagnostic& diagnostic : loaded.diagnostics.shown) {
        unsupported = unsupported || diagnostic.code == "S050";
    }
    EXPECT_TRUE(unsupported);
}

TEST(ScenarioLoader, ReportsAllErrorsOfAFileAtOnce) {
    std::string text = lesson_text();
    text = replaced(text, "\"acked\": 10", "\"akced\": 10");
    text = replaced(text, "\"restart\": \"b1\"", "\"restart\": \"b4\"");
    text = replaced(text, "\"limit\": \"60s\"", "\"limit\": 60");
    text = replaced(text, "lost_acked(p1) == 3", "lost_ackd(p1) == 3");
    ASSERT_FALSE(text.empty());
    EXPECT_EQ(codes_of(load_text(text, KafkaVocabulary())), "S016 S014 S020 S043");
}

TEST(ScenarioLoader, AScenarioComparesAndCopies) {
    const Scenario one = *load_lesson().scenario;
    Scenario two = one;
    EXPECT_EQ(one, two);
    two.timeline[1].actions.clear();
    EXPECT_NE(one, two);
}

}  // namespace
}  // namespace klab::scenario
