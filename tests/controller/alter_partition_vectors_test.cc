// SPDX-License-Identifier: Apache-2.0
//
// ISR proposals: rows TC8-TC13 of reference table 8.8, the two mutants of this rule, and a
// reassignment whose completion moves the leader.
#include <gtest/gtest.h>

#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

using metadata::LeaderRecoveryState;

class AlterPartition : public testing::Test {
  protected:
    AlterPartition() {
        lab.register_brokers({0, 1, 2, 3, 4});
        lab.unfence({0, 1, 2, 3, 4});
        lab.create("foo", {ids({0, 1, 2})});
        lab.create("wide", {ids({1, 2, 3, 4})});
    }

    ErrorCode error_of(const protocol::AlterPartitionRequest& request) {
        const protocol::AlterPartitionResponse response = lab.alter(request);
        return response.error != ErrorCode::kNone ? response.error
                                                  : response.partitions.front().error;
    }

    ControllerLab lab;
};

TEST_F(AlterPartition, TC8_AnswersWithTheNewState) {
    const auto shrunk = lab.alter(lab.proposal(0, "foo", 0, {0, 1}));
    ASSERT_EQ(shrunk.partitions.front().error, ErrorCode::kNone);
    EXPECT_EQ(shrunk.partitions.front().isr, ids({0, 1}));
    EXPECT_EQ(shrunk.partitions.front().partition_epoch, lab.partition("foo").partition_epoch);
    const auto expanded = lab.alter(lab.proposal(0, "foo", 0, {0, 1, 2}));
    EXPECT_EQ(expanded.partitions.front().error, ErrorCode::kNone);
    EXPECT_EQ(expanded.partitions.front().isr, lab.partition("foo").isr);
    EXPECT_EQ(lab.partition("foo").partition_epoch, types::PartitionEpoch(2));
    EXPECT_EQ(lab.partition("foo").leader_epoch, types::LeaderEpoch(0));
}

TEST_F(AlterPartition, TC9_RefusesWhatDoesNotFit) {
    EXPECT_EQ(error_of(lab.proposal(1, "foo", 0, {0, 1})), ErrorCode::kInvalidRequest);
    auto request = lab.proposal(0, "foo", 0, {0, 1});
    request.broker_epoch = types::BrokerEpoch(99);
    EXPECT_EQ(error_of(request), ErrorCode::kStaleBrokerEpoch);
    request = lab.proposal(0, "foo", 0, {0, 1});
    request.partitions[0].leader_epoch = types::LeaderEpoch(500);
    EXPECT_EQ(error_of(request), ErrorCode::kNotController);
    request = lab.proposal(0, "foo", 0, {0, 1});
    request.partitions[0].partition_epoch = types::PartitionEpoch(500);
    EXPECT_EQ(error_of(request), ErrorCode::kNotController);
    EXPECT_EQ(error_of(lab.proposal(0, "foo", 0, {0, 1, 3})), ErrorCode::kInvalidRequest);
    EXPECT_EQ(error_of(lab.proposal(0, "foo", 0, {1, 2})), ErrorCode::kInvalidRequest);
    EXPECT_EQ(error_of(lab.proposal(0, "foo", 0, {})), ErrorCode::kInvalidRequest);
    EXPECT_EQ(error_of(lab.proposal(0, "foo", 0, {0, 0})), ErrorCode::kInvalidRequest);
    for (const std::initializer_list<int> isr : {std::initializer_list<int>{0, 1}, {0}}) {
        request = lab.proposal(0, "foo", 0, isr);
        request.partitions[0].recovery = LeaderRecoveryState::kRecovering;
        EXPECT_EQ(error_of(request), ErrorCode::kInvalidRequest);
    }
    EXPECT_TRUE(lab.last_records.empty());
    EXPECT_EQ(lab.partition("foo").partition_epoch, types::PartitionEpoch(0));
}

TEST_F(AlterPartition, RefusesOldEpochsEachInItsWay) {
    lab.alter(lab.proposal(0, "foo", 0, {0, 1}));
    auto request = lab.proposal(0, "foo", 0, {0});
    request.partitions[0].partition_epoch = types::PartitionEpoch(0);
    EXPECT_EQ(error_of(request), ErrorCode::kInvalidUpdateVersion);
    lab.fence({0});  // leader epoch 1, leader 1
    request = lab.proposal(1, "foo", 0, {1});
    request.partitions[0].leader_epoch = types::LeaderEpoch(0);
    EXPECT_EQ(error_of(request), ErrorCode::kFencedLeaderEpoch);
}

TEST_F(AlterPartition, TC10_DoesNotKnowOtherTopics) {
    auto request = lab.proposal(0, "foo", 0, {0, 1});
    request.partitions[0].topic_id = {9, 9};
    EXPECT_EQ(error_of(request), ErrorCode::kUnknownTopicId);
    request = lab.proposal(0, "foo", 0, {0, 1});
    request.partitions[0].partition = 7;
    EXPECT_EQ(error_of(request), ErrorCode::kUnknownTopicOrPartition);
}

TEST_F(AlterPartition, TC11_KeepsFencedReplicasOut) {
    lab.fence({3});
    EXPECT_EQ(lab.partition("wide").isr, ids({1, 2, 4}));
    EXPECT_EQ(lab.partition("wide").leader_epoch, types::LeaderEpoch(0));
    EXPECT_EQ(lab.partition("wide").partition_epoch, types::PartitionEpoch(1));
    EXPECT_EQ(error_of(lab.proposal(1, "wide", 0, {1, 2, 3, 4})), ErrorCode::kIneligibleReplica);
    lab.unfence({3});
    EXPECT_EQ(error_of(lab.proposal(1, "wide", 0, {1, 2, 3, 4})), ErrorCode::kNone);
    EXPECT_EQ(lab.partition("wide").partition_epoch, types::PartitionEpoch(2));
    EXPECT_EQ(lab.partition("wide").leader_epoch, types::LeaderEpoch(0));
}

protocol::AlterPartitionRequest with_rebooted_member(ControllerLab& lab) {
    lab.alter(lab.proposal(1, "wide", 0, {1, 2, 3}));
    auto request = lab.proposal(1, "wide", 0, {1, 2, 3, 4});
    for (protocol::IsrMember& member : request.partitions[0].new_isr) {
        member.epoch = lab.epoch_of(member.broker.value());
    }
    // Broker 4 comes back as a new process before the proposal arrives.
    lab.register_broker(4, 1104);
    lab.unfence({4});
    return request;
}

TEST_F(AlterPartition, TC12_TellsARebootedReplicaByItsEpoch) {
    auto request = with_rebooted_member(lab);
    EXPECT_EQ(error_of(request), ErrorCode::kIneligibleReplica);
    // A request of before KIP-903 has no epochs, so nobody can tell.
    for (protocol::IsrMember& member : request.partitions[0].new_isr) {
        member.epoch.reset();
    }
    EXPECT_EQ(error_of(request), ErrorCode::kNone);
}

TEST_F(AlterPartition, MutantBrokerEpochUncheckedTakesARebootedReplica) {
    lab.rules.mutants |= 1U << static_cast<unsigned>(types::Mutant::kBrokerEpochUnchecked);
    EXPECT_EQ(error_of(with_rebooted_member(lab)), ErrorCode::kNone);
}

TEST_F(AlterPartition, MutantPartitionEpochUncheckedTakesAnOldProposal) {
    auto late = lab.proposal(0, "foo", 0, {0, 1});
    lab.alter(lab.proposal(0, "foo", 0, {0, 2}));
    EXPECT_EQ(error_of(late), ErrorCode::kInvalidUpdateVersion);
    lab.rules.mutants |= 1U << static_cast<unsigned>(types::Mutant::kPartitionEpochUnchecked);
    EXPECT_EQ(error_of(late), ErrorCode::kNone);
    EXPECT_EQ(lab.partition("foo").isr, ids({0, 1}));
}

TEST_F(AlterPartition, TC13_KeepsLeavingReplicasOut) {
    auto leaving = lab.heartbeat_of(3);
    leaving.want_shut_down = true;
    lab.create("lead", {ids({3, 1})});
    ASSERT_EQ(lab.heartbeat(leaving).states.next, BrokerControlState::kControlledShutdown);
    EXPECT_EQ(lab.partition("wide").isr, ids({1, 2, 4}));
    EXPECT_EQ(error_of(lab.proposal(1, "wide", 0, {1, 2, 3, 4})), ErrorCode::kIneligibleReplica);
}

TEST_F(AlterPartition, WritesNothingWhenNothingChanges) {
    EXPECT_EQ(error_of(lab.proposal(0, "foo", 0, {0, 1, 2})), ErrorCode::kNone);
    EXPECT_TRUE(lab.last_records.empty());
}

TEST_F(AlterPartition, LetsALeaderReportThatItRecovered) {
    lab.set_topic_config("foo", "unclean.leader.election.enable", "true");
    lab.fence({1, 2});
    lab.fence({0});
    lab.unfence({1});
    ASSERT_EQ(lab.partition("foo").leader, broker(1));
    ASSERT_EQ(lab.partition("foo").recovery, LeaderRecoveryState::kRecovering);
    EXPECT_EQ(error_of(lab.proposal(1, "foo", 0, {1})), ErrorCode::kNone);
    EXPECT_EQ(lab.partition("foo").recovery, LeaderRecoveryState::kRecovered);
}

TEST_F(AlterPartition, TC22_TellsTheSenderThatItLeadsNoMore) {
    // As in the row: foo-1 [0,2,1,3] adds 0, drops 3, and 3 leads.
    lab.create("moving", {ids({3, 2, 1})});
    metadata::PartitionChangeRecord move;
    move.topic_id = lab.state.image.topic("moving")->id;
    move.partition_id = 0;
    move.replicas = ids({0, 2, 1, 3});
    move.adding_replicas = ids({0});
    move.removing_replicas = ids({3});
    lab.write({move});
    EXPECT_EQ(error_of(lab.proposal(3, "moving", 0, {3, 0, 2, 1})), ErrorCode::kNewLeaderElected);
    EXPECT_EQ(lab.last_records.size(), 1U);
    EXPECT_EQ(lab.partition("moving").replicas, ids({0, 2, 1}));
    EXPECT_TRUE(lab.partition("moving").adding_replicas.empty());
    EXPECT_TRUE(lab.partition("moving").removing_replicas.empty());
}

}  // namespace
}  // namespace klab::controller
