// SPDX-License-Identifier: Apache-2.0
//
// Dynamic settings: targets, checks, and which records are written.
#include "model/controller/config_changes.h"

#include <gtest/gtest.h>

#include "model/controller/decided_topic_settings.h"
#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

using protocol::ConfigEntry;
using protocol::ConfigTarget;

class ConfigChanges : public testing::Test {
  protected:
    ConfigChanges() {
        lab.register_brokers({1});
        lab.unfence({1});
        lab.create("foo", {ids({1})});
    }

    ErrorCode alter(const ConfigTarget& target, std::vector<ConfigEntry> entries) {
        const auto decision = decide_alter_configs(lab.view(), {target, std::move(entries)});
        lab.last_records = decision.records;
        lab.write(decision.records);
        return decision.result.result.error;
    }

    const ConfigTarget topic{ConfigTarget::Kind::kTopic, "foo"};
    const ConfigTarget cluster{ConfigTarget::Kind::kCluster, ""};
    const ConfigTarget one{ConfigTarget::Kind::kBroker, "1"};
    ControllerLab lab;
};

TEST_F(ConfigChanges, SetsAndRemovesASettingOfATopic) {
    EXPECT_EQ(alter(topic, {{"min.insync.replicas", "2"}}), ErrorCode::kNone);
    const metadata::ConfigResource foo{metadata::ConfigResourceKind::kTopic, "foo"};
    EXPECT_EQ(*lab.state.image.config(foo, "min.insync.replicas"), "2");
    EXPECT_EQ(alter(topic, {{"min.insync.replicas", std::nullopt}}), ErrorCode::kNone);
    EXPECT_EQ(lab.state.image.config(foo, "min.insync.replicas"), nullptr);
}

TEST_F(ConfigChanges, WritesNothingForATopicWhenNothingChanges) {
    ASSERT_EQ(alter(topic, {{"min.insync.replicas", "2"}}), ErrorCode::kNone);
    EXPECT_EQ(alter(topic, {{"min.insync.replicas", "2"}}), ErrorCode::kNone);
    EXPECT_TRUE(lab.last_records.empty());
    EXPECT_EQ(alter(topic, {{"segment.bytes", std::nullopt}}), ErrorCode::kNone);
    EXPECT_TRUE(lab.last_records.empty());
}

TEST_F(ConfigChanges, RefusesSettingsThatContradictEachOther) {
    // LogConfig.validateValues: also against what the topic has already.
    EXPECT_EQ(alter(topic, {{"min.compaction.lag.ms", "2"}, {"max.compaction.lag.ms", "1"}}),
              ErrorCode::kInvalidConfig);
    EXPECT_TRUE(lab.last_records.empty());
    ASSERT_EQ(alter(topic, {{"max.compaction.lag.ms", "1"}}), ErrorCode::kNone);
    EXPECT_EQ(alter(topic, {{"min.compaction.lag.ms", "2"}}), ErrorCode::kInvalidConfig);
    EXPECT_EQ(
        alter(topic, {{"min.compaction.lag.ms", "2"}, {"max.compaction.lag.ms", std::nullopt}}),
        ErrorCode::kNone);
}

TEST_F(ConfigChanges, WritesABrokersSettingEvenWhenItIsUnchanged) {
    // KAFKA-14136: the record makes the broker read it again.
    ASSERT_EQ(alter(one, {{"min.insync.replicas", "2"}}), ErrorCode::kNone);
    ASSERT_EQ(alter(one, {{"min.insync.replicas", "2"}}), ErrorCode::kNone);
    EXPECT_EQ(lab.last_records.size(), 1U);
}

TEST_F(ConfigChanges, IsAllOrNothing) {
    EXPECT_EQ(alter(topic, {{"min.insync.replicas", "2"}, {"no.such.setting", "1"}}),
              ErrorCode::kInvalidConfig);
    EXPECT_TRUE(lab.last_records.empty());
}

TEST_F(ConfigChanges, RefusesBadTargetsAndValues) {
    EXPECT_EQ(alter({ConfigTarget::Kind::kTopic, "bar"}, {{"min.insync.replicas", "2"}}),
              ErrorCode::kUnknownTopicOrPartition);
    EXPECT_EQ(alter({ConfigTarget::Kind::kBroker, "7"}, {{"min.insync.replicas", "2"}}),
              ErrorCode::kBrokerIdNotRegistered);
    EXPECT_EQ(alter({ConfigTarget::Kind::kBroker, "b1"}, {{"min.insync.replicas", "2"}}),
              ErrorCode::kInvalidRequest);
    EXPECT_EQ(alter(topic, {{"min.insync.replicas", "none"}}), ErrorCode::kInvalidConfig);
    EXPECT_EQ(alter(topic, {{"min.insync.replicas", "1"}, {"min.insync.replicas", "2"}}),
              ErrorCode::kInvalidRequest);
}

TEST_F(ConfigChanges, GivesTheTopicsValueBeforeTheClustersBeforeTheStaticOne) {
    const metadata::TopicImage foo = *lab.state.image.topic("foo");
    EXPECT_FALSE(unclean_election_enabled(lab.view(), foo));
    lab.config.topic_defaults.unclean_leader_election_enable = true;
    EXPECT_TRUE(unclean_election_enabled(lab.view(), foo));
    ASSERT_EQ(alter(cluster, {{"unclean.leader.election.enable", "false"}}), ErrorCode::kNone);
    EXPECT_FALSE(unclean_election_enabled(lab.view(), foo));
    ASSERT_EQ(alter(topic, {{"unclean.leader.election.enable", "true"}}), ErrorCode::kNone);
    EXPECT_TRUE(unclean_election_enabled(lab.view(), foo));
}

}  // namespace
}  // namespace klab::controller
