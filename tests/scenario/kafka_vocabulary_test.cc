// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/kafka_vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace klab::scenario {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(KafkaVocabulary, KnowsTheWordsOfTheModel) {
    const KafkaVocabulary words({"ACK"});
    EXPECT_THAT(words.versions(), Contains("4.1"));
    EXPECT_THAT(words.versions(), Contains("3.6"));
    EXPECT_THAT(words.errors(), Contains("NOT_ENOUGH_REPLICAS"));
    EXPECT_THAT(words.apis(), Contains("Fetch"));
    EXPECT_THAT(words.mutants(), Not(IsEmpty()));
    EXPECT_THAT(words.invariants(), Contains("ACK"));
    EXPECT_THAT(words.settings(SettingScope::kTopic, "4.1"), Contains("min.insync.replicas"));
    EXPECT_THAT(words.settings(SettingScope::kProducer, "4.1"), Contains("linger.ms"));
}

TEST(KafkaVocabulary, NamesEventsWithTheirFields) {
    bool found = false;
    for (const EventInfo& event : KafkaVocabulary().events()) {
        if (event.name == "leader.elected") {
            found = true;
            EXPECT_THAT(event.fields, Contains("partition"));
        }
    }
    EXPECT_TRUE(found);
}

TEST(KafkaVocabulary, JudgesSettings) {
    const KafkaVocabulary words;
    const auto check = [&](SettingScope scope, const std::map<std::string, std::string>& values) {
        return words.check_settings(scope, "4.1", values);
    };
    EXPECT_THAT(check(SettingScope::kProducer, {{"acks", "1"}, {"enable.idempotence", "false"}}),
                IsEmpty());
    ASSERT_EQ(check(SettingScope::kProducer, {{"akcs", "1"}}).size(), 1U);
    EXPECT_EQ(check(SettingScope::kProducer, {{"akcs", "1"}})[0].what,
              SettingProblem::What::kUnknown);
    EXPECT_EQ(check(SettingScope::kTopic, {{"min.insync.replicas", "0"}}).at(0).what,
              SettingProblem::What::kWrongValue);
    EXPECT_EQ(
        check(SettingScope::kProducer, {{"acks", "1"}, {"enable.idempotence", "true"}}).at(0).what,
        SettingProblem::What::kConflict);
}

TEST(KafkaVocabulary, KnowsDefaults) {
    EXPECT_EQ(KafkaVocabulary().default_of(SettingScope::kTopic, "4.1", "min.insync.replicas"),
              "1");
    EXPECT_EQ(KafkaVocabulary().default_of(SettingScope::kTopic, "4.1", "no.such"), "");
}

}  // namespace
}  // namespace klab::scenario
