// SPDX-License-Identifier: Apache-2.0
//
// CreatePartitions: what is added, and what is refused.
#include "model/controller/partition_creation.h"

#include <gtest/gtest.h>

#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

class PartitionCreation : public ::testing::Test {
  protected:
    void SetUp() override {
        lab.register_brokers({0, 1, 2, 3});
        lab.unfence({0, 1, 2, 3});
        lab.create("foo", {ids({1, 2}), ids({2, 3})});
    }

    ErrorCode add(int count,
                  std::optional<std::vector<BrokerIds>> assignment = std::nullopt,
                  const std::string& topic = "foo") {
        const auto decision = decide_create_partitions(
            lab.view(), {{{topic, count, std::move(assignment)}}}, lab.random);
        lab.write(decision.records);
        return decision.result.topics.front().error;
    }

    ControllerLab lab;
};

TEST_F(PartitionCreation, AddsWhatIsMissing) {
    EXPECT_EQ(add(4), ErrorCode::kNone);
    EXPECT_EQ(lab.state.image.topic("foo")->partitions.size(), 4U);
    for (const int index : {2, 3}) {
        EXPECT_EQ(lab.partition("foo", index).replicas.size(), 2U);
        EXPECT_EQ(lab.partition("foo", index).isr, lab.partition("foo", index).replicas);
        EXPECT_EQ(lab.partition("foo", index).leader_epoch, types::LeaderEpoch(0));
    }
    EXPECT_EQ(lab.partition("foo", 0).replicas, ids({1, 2}));
}

TEST_F(PartitionCreation, ByHand) {
    lab.fence({0});
    EXPECT_EQ(add(3, {{ids({0, 3})}}), ErrorCode::kNone);
    EXPECT_EQ(lab.partition("foo", 2).replicas, ids({0, 3}));
    EXPECT_EQ(lab.partition("foo", 2).isr, ids({3}));
    EXPECT_EQ(lab.partition("foo", 2).leader, broker(3));
}

TEST_F(PartitionCreation, Refusals) {
    EXPECT_EQ(add(3, std::nullopt, "bar"), ErrorCode::kUnknownTopicOrPartition);
    EXPECT_EQ(add(2), ErrorCode::kInvalidPartitions);
    EXPECT_EQ(add(1), ErrorCode::kInvalidPartitions);
    EXPECT_EQ(add(4, {{ids({0, 3})}}), ErrorCode::kInvalidReplicaAssignment);
    EXPECT_EQ(add(3, {{ids({0, 3, 1})}}), ErrorCode::kInvalidReplicaAssignment);
    EXPECT_EQ(add(3, {{ids({0, 9})}}), ErrorCode::kInvalidReplicaAssignment);
    lab.fence({0});
    EXPECT_EQ(add(3, {{ids({0, 0})}}), ErrorCode::kInvalidReplicaAssignment);
    lab.fence({1, 2, 3});
    EXPECT_EQ(add(3), ErrorCode::kInvalidReplicationFactor);
    EXPECT_EQ(add(3, {{ids({0, 3})}}), ErrorCode::kInvalidReplicaAssignment);
}

TEST_F(PartitionCreation, ATopicNamedTwiceIsRefused) {
    const auto decision = decide_create_partitions(
        lab.view(), {{{"foo", 3, std::nullopt}, {"foo", 4, std::nullopt}}}, lab.random);
    EXPECT_TRUE(decision.records.empty());
    EXPECT_EQ(decision.result.topics.front().error, ErrorCode::kInvalidRequest);
}

}  // namespace
}  // namespace klab::controller
