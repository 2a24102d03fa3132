// SPDX-License-Identifier: Apache-2.0
//
// Creating and deleting topics: rows TC1-TC6 and TC37 of reference table 8.8, and the checks of
// names, counts and settings.
#include <gtest/gtest.h>

#include "model/controller/topic_deletion.h"
#include "model/controller/topic_names.h"
#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

protocol::NewTopic topic_of(const std::string& name) {
    protocol::NewTopic topic;
    topic.name = name;
    return topic;
}

protocol::NewTopic topic_with(const std::string& name, std::vector<BrokerIds> assignment) {
    protocol::NewTopic topic = topic_of(name);
    topic.assignment = std::move(assignment);
    return topic;
}

/// The vectors put a broker into controlled shutdown by its record alone.
void shut_down_by_record(ControllerLab& lab, int id) {
    metadata::BrokerRegistrationChangeRecord record;
    record.broker_id = broker(id);
    record.broker_epoch = lab.epoch_of(id);
    record.enters_controlled_shutdown = true;
    lab.write({record});
}

TEST(TopicCreation, TC1_NeedsAnUnfencedBroker) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2});
    EXPECT_EQ(lab.create(topic_of("foo")).error, ErrorCode::kInvalidReplicationFactor);
    EXPECT_EQ(lab.state.image.topic("foo"), nullptr);
}

TEST(TopicCreation, TC2_NeedsABrokerThatStays) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2});
    lab.unfence({0});
    shut_down_by_record(lab, 0);
    const protocol::NamedResult result = lab.create(topic_of("foo"));
    EXPECT_EQ(result.error, ErrorCode::kInvalidReplicationFactor);
    EXPECT_NE(result.message.find("fenced or in controlled shutdown"), std::string::npos);
}

TEST(TopicCreation, TC3_StartsWithAllReplicasInSync) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2});
    lab.unfence({0, 1, 2});
    EXPECT_EQ(lab.create(topic_of("foo")).error, ErrorCode::kNone);
    const PartitionRegistration& partition = lab.partition("foo");
    EXPECT_EQ(partition.replicas.size(), 3U);
    EXPECT_EQ(partition.isr, partition.replicas);
    EXPECT_EQ(partition.leader, partition.replicas.front());
    EXPECT_EQ(partition.leader_epoch, types::LeaderEpoch(0));
    EXPECT_EQ(partition.partition_epoch, types::PartitionEpoch(0));
    EXPECT_EQ(lab.create(topic_of("foo")).error, ErrorCode::kTopicAlreadyExists);
}

TEST(TopicCreation, TC4_LeavesInactiveReplicasOutOfTheIsr) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2});
    lab.unfence({0, 1});
    shut_down_by_record(lab, 1);
    protocol::NewTopic topic = topic_of("foo");
    topic.replication_factor = 3;
    EXPECT_EQ(lab.create(topic).error, ErrorCode::kNone);
    const PartitionRegistration& partition = lab.partition("foo");
    EXPECT_EQ(partition.replicas.size(), 3U);
    EXPECT_EQ(partition.replicas.back(), broker(2));  // fenced: used last
    EXPECT_EQ(partition.isr, ids({0}));
    EXPECT_EQ(partition.leader, broker(0));
}

TEST(TopicCreation, TC5_RefusesTooManyPartitionsAsAWhole) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2});
    lab.unfence({0, 1, 2});
    protocol::CreateTopicsRequest request;
    for (const int partitions : {5'000, 5'000, 1}) {
        protocol::NewTopic topic = topic_of("t" + std::to_string(request.topics.size()));
        topic.partitions = partitions;
        topic.replication_factor = 1;
        request.topics.push_back(topic);
    }
    for (const protocol::NamedResult& result : lab.create(request)) {
        EXPECT_EQ(result.error, ErrorCode::kPolicyViolation);
    }
    EXPECT_TRUE(lab.last_records.empty());
}

TEST(TopicCreation, TC6_RefusesBadAndCollidingNames) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2});
    lab.unfence({0, 1, 2});
    EXPECT_EQ(lab.create(topic_of("")).error, ErrorCode::kInvalidTopicException);
    EXPECT_EQ(lab.create(topic_of(".")).error, ErrorCode::kInvalidTopicException);
    lab.create("foo_bar", {ids({0, 1, 2})});
    EXPECT_EQ(lab.create(topic_of("foo.bar")).error, ErrorCode::kInvalidTopicException);
    EXPECT_EQ(lab.create(topic_of("foo_bar")).error, ErrorCode::kTopicAlreadyExists);
}

TEST(TopicCreation, FreesACollidingNameWithItsTopic) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2});
    lab.unfence({0, 1, 2});
    lab.create("foo_bar", {ids({0, 1, 2})});
    const auto gone = decide_delete_topics(lab.view(), {{"foo_bar"}});
    ASSERT_EQ(gone.result.topics.front().error, ErrorCode::kNone);
    lab.write(gone.records);
    EXPECT_EQ(lab.create(topic_of("foo.bar")).error, ErrorCode::kNone);
}

TEST(TopicCreation, TC37_RefusesBadAssignments) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2});
    lab.unfence({0, 1, 2});
    const std::vector<std::vector<BrokerIds>> refused{
        {BrokerIds{}}, {ids({1, 9})}, {ids({1, 1})}, {ids({0, 1}), ids({0, 1, 2})}};
    for (const std::vector<BrokerIds>& assignment : refused) {
        EXPECT_EQ(lab.create(topic_with("foo", assignment)).error,
                  ErrorCode::kInvalidReplicaAssignment);
    }
}

TEST(TopicCreation, RefusesAnAssignmentOfSilentBrokers) {
    ControllerLab lab;
    lab.register_brokers({0, 1});
    lab.unfence({0});
    EXPECT_EQ(lab.create(topic_with("foo", {ids({1})})).error,
              ErrorCode::kInvalidReplicaAssignment);
}

TEST(TopicCreation, RefusesAnAssignmentTogetherWithCounts) {
    ControllerLab lab;
    lab.register_brokers({0});
    lab.unfence({0});
    protocol::NewTopic topic = topic_with("foo", {ids({0})});
    topic.partitions = 1;
    EXPECT_EQ(lab.create(topic).error, ErrorCode::kInvalidRequest);
}

TEST(TopicCreation, RefusesBadCounts) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2});
    lab.unfence({0, 1, 2});
    protocol::NewTopic topic = topic_of("foo");
    topic.partitions = 0;
    EXPECT_EQ(lab.create(topic).error, ErrorCode::kInvalidPartitions);
    topic.partitions = -2;
    EXPECT_EQ(lab.create(topic).error, ErrorCode::kInvalidPartitions);
    topic.partitions = 1;
    topic.replication_factor = 0;
    EXPECT_EQ(lab.create(topic).error, ErrorCode::kInvalidReplicationFactor);
    topic.replication_factor = 4;
    EXPECT_EQ(lab.create(topic).error, ErrorCode::kInvalidReplicationFactor);
}

TEST(TopicCreation, WritesSettingsBetweenTopicAndPartitions) {
    ControllerLab lab;
    lab.register_brokers({0});
    lab.unfence({0});
    protocol::NewTopic topic = topic_with("foo", {ids({0}), ids({0})});
    topic.config.push_back({"min.insync.replicas", "2"});
    ASSERT_EQ(lab.create(topic).error, ErrorCode::kNone);
    ASSERT_EQ(lab.last_records.size(), 4U);
    EXPECT_TRUE(std::holds_alternative<metadata::TopicRecord>(lab.last_records[0]));
    EXPECT_TRUE(std::holds_alternative<metadata::ConfigRecord>(lab.last_records[1]));
    EXPECT_TRUE(std::holds_alternative<metadata::PartitionRecord>(lab.last_records[3]));
}

TEST(TopicCreation, RefusesUnknownOrEmptySettings) {
    ControllerLab lab;
    lab.register_brokers({0});
    lab.unfence({0});
    protocol::NewTopic topic = topic_with("foo", {ids({0})});
    topic.config = {{"min.insync.replicas", std::nullopt}};
    EXPECT_EQ(lab.create(topic).error, ErrorCode::kInvalidConfig);
    topic.config = {{"min.insync.replcas", "2"}};
    EXPECT_EQ(lab.create(topic).error, ErrorCode::kInvalidConfig);
    topic.config = {{"min.insync.replicas", "0"}};
    EXPECT_EQ(lab.create(topic).error, ErrorCode::kInvalidConfig);
    EXPECT_EQ(lab.state.image.topic("foo"), nullptr);
}

TEST(TopicCreation, RefusesANameThatStandsTwice) {
    ControllerLab lab;
    lab.register_brokers({0});
    lab.unfence({0});
    protocol::CreateTopicsRequest request;
    request.topics = {topic_with("foo", {ids({0})}),
                      topic_with("foo", {ids({0})}),
                      topic_with("bar", {ids({0})})};
    const auto results = lab.create(request);
    EXPECT_EQ(results[0].error, ErrorCode::kInvalidRequest);
    EXPECT_EQ(results[1].error, ErrorCode::kInvalidRequest);
    EXPECT_EQ(results[2].error, ErrorCode::kNone);
    EXPECT_EQ(lab.create(topic_of("__cluster_metadata")).error, ErrorCode::kInvalidRequest);
}

TEST(TopicDeletion, RemovesWhatExists) {
    ControllerLab lab;
    lab.register_brokers({0});
    lab.unfence({0});
    lab.create("foo", {ids({0})});
    const auto decision = decide_delete_topics(lab.view(), {{"foo", "bar", "baz", "baz"}});
    EXPECT_EQ(decision.result.topics[0].error, ErrorCode::kNone);
    EXPECT_EQ(decision.result.topics[1].error, ErrorCode::kUnknownTopicOrPartition);
    EXPECT_EQ(decision.result.topics[2].error, ErrorCode::kInvalidRequest);
    ASSERT_EQ(decision.records.size(), 1U);
    lab.write(decision.records);
    EXPECT_EQ(lab.state.image.topic("foo"), nullptr);
    EXPECT_TRUE(lab.state.partitions.in_isr_of(broker(0)).empty());
    EXPECT_EQ(lab.state.partitions.leaderships(broker(0)), 0U);
}

TEST(TopicNames, Checks) {
    EXPECT_FALSE(check_topic_name("a.B_c-9"));
    EXPECT_FALSE(check_topic_name(std::string(249, 'x')));
    EXPECT_TRUE(check_topic_name(std::string(250, 'x')));
    EXPECT_TRUE(check_topic_name(".."));
    EXPECT_TRUE(check_topic_name("a b"));
    EXPECT_TRUE(check_topic_name("\xc3\xa4"));
    EXPECT_EQ(unify_collision_chars("a.b.c_d"), "a_b_c_d");
}

}  // namespace
}  // namespace klab::controller
