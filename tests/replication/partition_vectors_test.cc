// SPDX-License-Identifier: Apache-2.0
//
// A led partition: the rows TP4..TP30 (Kafka: PartitionTest), one row one case. Broker 1 leads;
// the test plays its followers 2 and 3, and the controller.
#include <gtest/gtest.h>

#include "tests/replication/replica_rig.h"

namespace klab::replication {
namespace {

using protocol::kEarliestTimestamp;
using protocol::kLatestTimestamp;
using types::ErrorCode;

const std::vector<std::string> kTenRecords(10, "r");

/// Only broker 1 runs as a data plane that matters; 2 and 3 exist as registrations.
class PartitionVectors : public ::testing::Test {
  protected:
    ReplicaRig rig{3};

    void lead(std::initializer_list<std::int32_t> isr,
              std::int32_t leader_epoch = 1,
              std::int32_t partition_epoch = 1,
              std::initializer_list<std::int32_t> replicas = {1, 2, 3}) {
        rig.publish({1}, partition_of(replicas, isr, 1, leader_epoch, partition_epoch));
    }

    void follow(std::int32_t leader, std::int32_t leader_epoch, std::int32_t partition_epoch) {
        rig.publish({1}, partition_of({1, 2, 3}, {1, 2}, leader, leader_epoch, partition_epoch));
    }

    /// As TP9 begins: 10 records in epoch 4, now epoch 5, replicas 1 and 2, ISR 1.
    void lead_with_follower_outside() {
        lead({1}, 4, 4, {1, 2});
        rig.produce(1, kTenRecords);
        lead({1}, 5, 5, {1, 2});
    }

    [[nodiscard]] const IsrState& isr() const { return rig.partition(1).isr; }

    [[nodiscard]] std::size_t proposals() const { return rig.node(1).proposals.size(); }
};

TEST_F(PartitionVectors, TP4_ComparesTheLeaderEpochOfEveryRequest) {
    lead({1, 2}, 5);
    rig.produce(1, {"a"});
    for (const auto& [epoch, error] : {std::pair{5, ErrorCode::kNone},
                                       {4, ErrorCode::kFencedLeaderEpoch},
                                       {6, ErrorCode::kUnknownLeaderEpoch}}) {
        EXPECT_EQ(rig.follower_fetch(1, 2, 0, epoch).error, error);
        EXPECT_EQ(rig.list_offset(1, kEarliestTimestamp, std::nullopt, epoch).error, error);
        EXPECT_EQ(rig.end_of_epoch(1, 5, epoch).error, error);
    }
    EXPECT_EQ(rig.follower_fetch(1, 2, 0).error, ErrorCode::kNone);
}

TEST_F(PartitionVectors, TP4_ComparesTheEpochOnAFollowerBeforeItsRole) {
    follow(2, 5, 5);
    for (const auto& [epoch, error] : {std::pair{5, ErrorCode::kNotLeaderOrFollower},
                                       {4, ErrorCode::kFencedLeaderEpoch},
                                       {6, ErrorCode::kUnknownLeaderEpoch}}) {
        EXPECT_EQ(rig.follower_fetch(1, 3, 0, epoch).error, error);
        EXPECT_EQ(rig.end_of_epoch(1, 5, epoch).error, error);
    }
    EXPECT_EQ(rig.fetched(1, rig.fetch(1, consumer_fetch(0)))->error, ErrorCode::kNone);
}

TEST_F(PartitionVectors, TP5_CachesTheEpochBeforeAnyRecord) {
    lead({1}, 5, 1, {1});
    rig.produce(1, {"a", "b", "c", "d"});
    lead({1}, 8, 2, {1});
    const auto end = rig.end_of_epoch(1, 8);
    EXPECT_EQ(end.leader_epoch, types::LeaderEpoch(8));
    EXPECT_EQ(end.end_offset, types::Offset(4));
}

TEST_F(PartitionVectors, TP6_KnowsItsReplicas) {
    lead({1, 2}, 3, 1, {1, 2});
    EXPECT_EQ(rig.follower_fetch(1, 3, 0, 3).error, ErrorCode::kUnknownLeaderEpoch);
    EXPECT_EQ(rig.follower_fetch(1, 3, 0).error, ErrorCode::kNotLeaderOrFollower);
    lead({1, 2}, 3, 2, {1, 2, 3});
    EXPECT_EQ(rig.follower_fetch(1, 3, 0, 3).error, ErrorCode::kNone);
    EXPECT_EQ(rig.partition(1).followers[1].state.log_end_offset, types::Offset(0));
}

TEST_F(PartitionVectors, TP7_RestartsTheFetcherOnANewEpochOnly) {
    follow(2, 1, 1);
    EXPECT_EQ(rig.fetch_state(1)->leader_epoch, types::LeaderEpoch(1));
    follow(2, 4, 2);
    EXPECT_EQ(rig.fetch_state(1)->leader_epoch, types::LeaderEpoch(4));
    EXPECT_EQ(rig.events(types::events::kFollowerStarted).size(), 2U);
    follow(2, 4, 3);
    EXPECT_EQ(rig.events(types::events::kFollowerStarted).size(), 2U);
}

TEST_F(PartitionVectors, TP8_AddsAFollowerOnlyAtTheStartOfTheEpoch) {
    lead({1, 3}, 8, 1);
    rig.produce(1, {"a", "b", "c", "d", "e"});
    rig.follower_fetch(1, 3, 0);
    rig.follower_fetch(1, 3, 2);
    EXPECT_EQ(rig.high_watermark(1), 2);
    rig.publish({1}, partition_of({1, 2, 3}, {1, 3}, 2, 9, 2));
    lead({1, 3}, 10, 3);
    EXPECT_EQ(rig.partition(1).epoch_start, types::Offset(5));
    rig.produce(1, {"f", "g"});
    rig.follower_fetch(1, 2, 0);
    rig.follower_fetch(1, 2, 2);
    EXPECT_EQ(proposals(), 0U) << "at the high watermark, but before the epoch";
    rig.follower_fetch(1, 2, 5);
    ASSERT_EQ(proposals(), 1U);
    EXPECT_EQ(isr().committed(), brokers({1, 3}));
    EXPECT_EQ(isr().maximal(), brokers({1, 3, 2}));
}

TEST_F(PartitionVectors, TP9_ExpandsWhenTheControllerAgrees) {
    lead_with_follower_outside();
    rig.follower_fetch(1, 2, 3);
    EXPECT_EQ(proposals(), 0U);
    rig.follower_fetch(1, 2, 10);
    ASSERT_EQ(proposals(), 1U);
    EXPECT_EQ(isr().committed(), brokers({1}));
    EXPECT_EQ(isr().maximal(), brokers({1, 2}));
    rig.grant_proposal(1, 6);
    EXPECT_EQ(isr().committed(), brokers({1, 2}));
    EXPECT_EQ(rig.partition(1).partition_epoch, types::PartitionEpoch(6));
    EXPECT_EQ(rig.events(types::events::kIsrExpanded).size(), 1U);
}

TEST_F(PartitionVectors, TP10_WaitsForMetadataWhenTheControllerKnowsBetter) {
    lead_with_follower_outside();
    rig.follower_fetch(1, 2, 10);
    rig.refuse_proposal(1, ErrorCode::kInvalidUpdateVersion);
    EXPECT_EQ(isr().committed(), brokers({1}));
    EXPECT_EQ(isr().maximal(), brokers({1, 2})) << "it may be in force";
    EXPECT_EQ(rig.node(1).manager.proposals().queued(), 0U);
    EXPECT_EQ(rig.events(types::events::kIsrRefused).size(), 1U);
}

TEST_F(PartitionVectors, TP11_ProposesAgainAfterAnErrorThatSaysNothing) {
    lead_with_follower_outside();
    rig.follower_fetch(1, 2, 10);
    rig.refuse_proposal(1, ErrorCode::kUnknownServerError);
    EXPECT_EQ(proposals(), 2U);
    EXPECT_EQ(rig.node(1).proposals[0], rig.node(1).proposals[1]);
}

TEST_F(PartitionVectors, TP12_TakesARefusedProposalBack) {
    lead_with_follower_outside();
    rig.follower_fetch(1, 2, 10);
    rig.refuse_proposal(1, ErrorCode::kIneligibleReplica);
    EXPECT_EQ(isr().maximal(), brokers({1}));
    EXPECT_FALSE(isr().is_in_flight());
    rig.follower_fetch(1, 2, 10);
    EXPECT_EQ(proposals(), 2U) << "the next fetch may try again";
}

TEST_F(PartitionVectors, TP13_WaitsForAFencedFollower) {
    lead_with_follower_outside();
    rig.change_registration(1, 2, [](auto& broker) { broker.fenced = true; });
    rig.follower_fetch(1, 2, 10);
    EXPECT_EQ(proposals(), 0U);
    rig.change_registration(1, 2, [](auto& broker) { broker.fenced = false; });
    rig.follower_fetch(1, 2, 10);
    EXPECT_EQ(proposals(), 1U);
}

TEST_F(PartitionVectors, TP14_NamesTheBrokerEpochOfEachMember) {
    lead({1, 3});
    rig.produce(1, kTenRecords);
    rig.change_registration(1, 2, [](auto& broker) { broker.epoch = types::BrokerEpoch(90); });
    rig.follower_fetch(1, 2, 10);
    EXPECT_EQ(proposals(), 0U) << "the cache knows another life of broker 2";
    EXPECT_EQ(rig.partition(1).followers[0].state.log_end_offset, types::Offset(10));
    rig.change_registration(1, 2, [](auto& broker) { broker.epoch = types::BrokerEpoch(102); });
    rig.follower_fetch(1, 2, 10);
    ASSERT_EQ(proposals(), 1U);
    const std::vector<protocol::IsrMember> expected = {
        {types::BrokerId(1), types::BrokerEpoch(101)},
        {types::BrokerId(3), std::nullopt},
        {types::BrokerId(2), types::BrokerEpoch(102)}};
    EXPECT_EQ(rig.node(1).proposals[0].partitions[0].new_isr, expected);
}

TEST_F(PartitionVectors, TP15_IgnoresAFetchFromAnEarlierLife) {
    lead({1, 2});
    rig.produce(1, kTenRecords);
    EXPECT_EQ(rig.follower_fetch(1, 2, 5).error, ErrorCode::kNone);
    protocol::FetchRequest old = replica_fetch(2, 7);
    old.replica_epoch = types::BrokerEpoch(101);
    EXPECT_EQ(rig.fetched(1, rig.fetch(1, old))->error, ErrorCode::kNotLeaderOrFollower);
    const FollowerState& state = rig.partition(1).followers[0].state;
    EXPECT_EQ(state.log_end_offset, types::Offset(5));
    EXPECT_EQ(state.broker_epoch, types::BrokerEpoch(102));
}

TEST_F(PartitionVectors, TP16_ShrinksAndThenMovesTheHighWatermark) {
    lead({1, 2, 3});
    rig.produce(1, kTenRecords);
    rig.run(milliseconds(100));
    rig.follower_fetch(1, 2, 10);
    rig.run(seconds(29));
    EXPECT_EQ(proposals(), 0U);
    rig.run(seconds(16));
    ASSERT_EQ(proposals(), 1U);
    EXPECT_EQ(isr().committed(), brokers({1, 2, 3}));
    EXPECT_EQ(isr().maximal(), brokers({1, 2, 3}));
    EXPECT_EQ(rig.high_watermark(1), 0) << "not before the controller agrees";
    rig.grant_proposal(1, 2);
    EXPECT_EQ(isr().committed(), brokers({1, 2}));
    EXPECT_EQ(rig.high_watermark(1), 10);
    EXPECT_EQ(rig.events(types::events::kIsrShrunk).size(), 1U);
}

TEST_F(PartitionVectors, TP18_KeepsASilentMemberThatHasEverything) {
    lead({1, 2}, 1, 1, {1, 2});
    rig.produce(1, kTenRecords);
    rig.follower_fetch(1, 2, 10);
    EXPECT_EQ(rig.high_watermark(1), 10);
    rig.run(seconds(60));
    EXPECT_EQ(proposals(), 0U);
}

TEST_F(PartitionVectors, TP19_KeepsAShrinkPendingThatWasOvertaken) {
    lead({1, 2}, 1, 1, {1, 2});
    rig.produce(1, kTenRecords);
    rig.run(seconds(50));
    ASSERT_EQ(proposals(), 1U);
    rig.refuse_proposal(1, ErrorCode::kInvalidUpdateVersion);
    EXPECT_EQ(isr().phase(), IsrPhase::kPendingShrink);
    EXPECT_EQ(isr().committed(), brokers({1, 2}));
    EXPECT_EQ(rig.high_watermark(1), 0);
    EXPECT_EQ(rig.node(1).manager.proposals().queued(), 0U);
}

TEST_F(PartitionVectors, TP20_DropsAProposalWhenMetadataArrive) {
    lead({1, 2}, 1, 1, {1, 2});
    rig.produce(1, kTenRecords);
    rig.run(seconds(50));
    ASSERT_EQ(proposals(), 1U);
    lead({1, 2}, 1, 2, {1, 2});
    EXPECT_FALSE(isr().is_in_flight());
    rig.run(seconds(30));
    EXPECT_EQ(proposals(), 1U) << "the old request is still out";
    EXPECT_FALSE(isr().is_in_flight());
    rig.refuse_proposal(1, ErrorCode::kInvalidUpdateVersion);
    rig.run(seconds(30));
    EXPECT_EQ(proposals(), 2U);
    EXPECT_EQ(isr().phase(), IsrPhase::kPendingShrink);
}

TEST_F(PartitionVectors, TP21_HoldsTheHighWatermarkBelowMinIsr) {
    rig.set_min_isr(1, 3);
    lead({1, 2});
    rig.produce(1, kTenRecords);
    rig.follower_fetch(1, 2, 10);
    EXPECT_EQ(rig.high_watermark(1), 0);
    rig.follower_fetch(1, 3, 10);
    EXPECT_EQ(isr().maximal_size(), 3U);
    EXPECT_EQ(rig.high_watermark(1), 0);
    rig.grant_proposal(1, 2);
    EXPECT_EQ(rig.high_watermark(1), 10);
}

TEST_F(PartitionVectors, TP22_PassesAFencedFollowerThatLeftTheIsr) {
    for (const std::string how : {"fenced", "stopping", "unfenced"}) {
        ReplicaRig own(3);
        own.publish({1}, partition_of({1, 2}, {1, 2}, 1, 1, 1));
        own.produce(1, kTenRecords);
        own.follower_fetch(1, 2, 10);
        EXPECT_EQ(own.high_watermark(1), 10);
        own.change_registration(1, 2, [&](auto& broker) {
            broker.fenced = how == "fenced";
            broker.in_controlled_shutdown = how == "stopping";
        });
        own.produce(1, kTenRecords);
        own.publish({1}, partition_of({1, 2}, {1}, 1, 1, 2));
        EXPECT_EQ(own.high_watermark(1), how == "unfenced" ? 10 : 20) << how;
    }
}

TEST_F(PartitionVectors, TP26_KeepsFollowersWhenTheTermGoesOn) {
    lead({1}, 1, 1, {1, 2});
    rig.follower_fetch(1, 2, 0);
    rig.produce(1, {"a"});
    const FollowerState before = rig.partition(1).followers[0].state;
    lead({1}, 1, 2, {1, 2});
    EXPECT_EQ(rig.partition(1).followers[0].state, before);
    EXPECT_EQ(rig.partition(1).epoch_start, types::Offset(0));
    EXPECT_EQ(rig.events(types::events::kLeaderStarted).size(), 1U);
}

TEST_F(PartitionVectors, TP27_IgnoresOlderMetadata) {
    lead({1, 2}, 3, 5);
    lead({1}, 3, 4);
    EXPECT_EQ(isr().committed(), brokers({1, 2}));
    follow(2, 4, 3);
    EXPECT_TRUE(rig.partition(1).is_leader());
    EXPECT_EQ(rig.partition(1).partition_epoch, types::PartitionEpoch(5));
}

TEST_F(PartitionVectors, TP28_ForgetsItsFollowersAsFollower) {
    lead({1, 2});
    EXPECT_EQ(rig.partition(1).followers.size(), 2U);
    follow(2, 2, 2);
    EXPECT_TRUE(rig.partition(1).followers.empty());
}

TEST_F(PartitionVectors, TP29_HidesOffsetsUntilTheHighWatermarkReachesTheEpoch) {
    lead({1, 2, 3}, 8, 1);
    for (const std::int64_t timestamp : {10, 11, 12, 20, 21}) {
        rig.produce_bytes(1, storage::batch_of({"r"}, timestamp), 1);
    }
    rig.follower_fetch(1, 2, 2);
    rig.follower_fetch(1, 3, 2);
    EXPECT_EQ(rig.high_watermark(1), 2);
    EXPECT_EQ(rig.list_offset(1, kLatestTimestamp, 2).offset, types::Offset(5));
    EXPECT_EQ(rig.list_offset(1, kLatestTimestamp).offset, types::Offset(2));
    EXPECT_EQ(rig.list_offset(1, 30).error, ErrorCode::kNone);
    EXPECT_EQ(rig.list_offset(1, 30).offset, std::nullopt);

    follow(2, 9, 2);
    lead({1, 2, 3}, 10, 3);
    EXPECT_EQ(rig.list_offset(1, kLatestTimestamp).error, ErrorCode::kOffsetNotAvailable);
    EXPECT_EQ(rig.list_offset(1, kLatestTimestamp, 2).offset, types::Offset(5));
    EXPECT_EQ(rig.list_offset(1, kEarliestTimestamp).offset, types::Offset(0));
    EXPECT_EQ(rig.list_offset(1, 11).offset, types::Offset(1));
    EXPECT_EQ(rig.list_offset(1, 100).error, ErrorCode::kOffsetNotAvailable);

    rig.follower_fetch(1, 2, 5);
    rig.follower_fetch(1, 3, 5);
    EXPECT_EQ(rig.list_offset(1, kLatestTimestamp).offset, types::Offset(5));
    EXPECT_EQ(rig.list_offset(1, 100).error, ErrorCode::kNone);
    EXPECT_EQ(rig.list_offset(1, 100).offset, std::nullopt);
}

TEST_F(PartitionVectors, TP30_RefusesAcksAllBelowMinIsr) {
    rig.set_min_isr(1, 2);
    lead({1}, 1, 1, {1, 2});
    EXPECT_EQ(rig.produced(1, rig.produce(1, {"a"}, -1))->error, ErrorCode::kNotEnoughReplicas);
    EXPECT_EQ(rig.end(1), 0);
    EXPECT_EQ(rig.produced(1, rig.produce(1, {"a"}, 1))->error, ErrorCode::kNone);
    EXPECT_EQ(rig.end(1), 1);
    EXPECT_EQ(rig.events(types::events::kProduceRefused).size(), 1U);
}

TEST_F(PartitionVectors, TakesTheClusterWideDefaultUntilTheTopicSaysOtherwise) {
    lead({1, 2});
    rig.set_default_min_isr(1, 2);
    EXPECT_EQ(rig.partition(1).min_insync_replicas, 2);
    rig.set_min_isr(1, 3);
    EXPECT_EQ(rig.partition(1).min_insync_replicas, 3);
    rig.set_default_min_isr(1, 1);
    EXPECT_EQ(rig.partition(1).min_insync_replicas, 3);
}

}  // namespace
}  // namespace klab::replication
