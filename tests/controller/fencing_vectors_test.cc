// SPDX-License-Identifier: Apache-2.0
//
// Fencing, unfencing and controlled shutdown: rows TC7, TC29, TC31, TC34, TC35 of reference table
// 8.8 and TH14 of 8.9, and the mutant that forgets the ISRs.
#include <gtest/gtest.h>

#include "model/controller/leader_elections.h"
#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

TEST(Fencing, TC7_TakesABrokerOutOfEveryIsr) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2, 3});
    lab.unfence({0, 1, 2, 3});
    lab.create("foo", {ids({0, 1, 2}), ids({1, 2, 3}), ids({2, 3, 0}), ids({0, 2, 1})});
    lab.fence({0});
    EXPECT_TRUE(lab.state.partitions.in_isr_of(broker(0)).empty());
    EXPECT_EQ(lab.state.partitions.leaderships(broker(0)), 0U);
    for (int p = 0; p < 4; ++p) {
        EXPECT_FALSE(metadata::contains(lab.partition("foo", p).isr, broker(0)));
        EXPECT_NE(lab.partition("foo", p).leader, broker(0));
    }
    EXPECT_TRUE(lab.state.image.broker(broker(0))->fenced);
}

TEST(Fencing, TC31_ElectsAmongThoseThatAreLeft) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2, 3, 4});
    lab.unfence({0, 1, 2, 3, 4});
    lab.create("foo", {ids({1, 2, 3}), ids({2, 3, 4}), ids({0, 2, 1})});
    lab.fence({2, 3});
    EXPECT_EQ(lab.partition("foo", 0).isr, ids({1}));
    EXPECT_EQ(lab.partition("foo", 0).leader, broker(1));
    EXPECT_EQ(lab.partition("foo", 1).isr, ids({4}));
    EXPECT_EQ(lab.partition("foo", 1).leader, broker(4));
    EXPECT_EQ(lab.partition("foo", 2).isr, ids({0, 1}));
    EXPECT_EQ(lab.partition("foo", 2).leader, broker(0));
}

TEST(Fencing, TC29_KeepsTheLastIsrMemberAndElectsUncleanlyOnlyWhenAsked) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2, 3, 4});
    lab.unfence({0, 1, 2, 3, 4});
    lab.create("foo", {ids({1, 2, 3}), ids({2, 3, 4}), ids({0, 2, 1})});
    lab.fence({2, 3});
    lab.fence({1, 2, 3});
    EXPECT_EQ(lab.partition("foo", 0).leader, std::nullopt);
    EXPECT_EQ(lab.partition("foo", 0).isr, ids({1}));
    EXPECT_EQ(lab.partition("foo", 1).leader, broker(4));
    EXPECT_EQ(lab.partition("foo", 1).isr, ids({4}));
    EXPECT_EQ(lab.partition("foo", 2).leader, broker(0));
    EXPECT_EQ(lab.partition("foo", 2).isr, ids({0}));

    protocol::ElectLeadersRequest request;
    request.type = protocol::ElectionType::kUnclean;
    request.partitions = std::vector<types::TopicPartition>{{"foo", 0}, {"foo", 1}, {"foo", 2}};
    auto decision = decide_elect_leaders(lab.view(), request);
    ASSERT_EQ(decision.result.partitions.size(), 3U);
    EXPECT_EQ(decision.result.partitions[0].error, ErrorCode::kEligibleLeadersNotAvailable);
    EXPECT_EQ(decision.result.partitions[1].error, ErrorCode::kElectionNotNeeded);
    EXPECT_EQ(decision.result.partitions[2].error, ErrorCode::kElectionNotNeeded);
    request.partitions.reset();
    decision = decide_elect_leaders(lab.view(), request);
    ASSERT_EQ(decision.result.partitions.size(), 1U);

    lab.unfence({2});
    decision = decide_elect_leaders(lab.view(), request);
    ASSERT_EQ(decision.result.partitions.size(), 1U);
    EXPECT_EQ(decision.result.partitions[0].name, "foo-0");
    EXPECT_EQ(decision.result.partitions[0].error, ErrorCode::kNone);
    lab.write(decision.records);
    EXPECT_EQ(lab.partition("foo", 0).leader, broker(2));
    EXPECT_EQ(lab.partition("foo", 0).isr, ids({2}));
}

/// All of foo's brokers fall silent one after the other; 4 is the last in every ISR.
void lose_everything(ControllerLab& lab) {
    lab.register_brokers({0, 1, 2, 3, 4});
    lab.unfence({0, 1, 2, 3, 4});
    lab.create("foo", {ids({1, 2, 4}), ids({1, 3, 4}), ids({0, 2, 4})});
    lab.fence({0});
    lab.fence({0, 1});
    lab.fence({0, 1, 2});
    lab.fence({0, 1, 2, 3});
    lab.fence({0, 1, 2, 3, 4});
    for (int p = 0; p < 3; ++p) {
        EXPECT_EQ(lab.partition("foo", p).isr, ids({4}));
        EXPECT_EQ(lab.partition("foo", p).leader, std::nullopt);
    }
}

TEST(Fencing, TC34_ElectsUncleanlyAtOnceWhenTheConfigurationAllowsIt) {
    ControllerLab lab;
    // Unclean only once everything is lost, as in the row: until then it must not matter.
    lose_everything(lab);
    lab.config.topic_defaults.unclean_leader_election_enable = true;
    lab.unfence({2});
    for (const int p : {0, 2}) {
        EXPECT_EQ(lab.partition("foo", p).leader, broker(2));
        EXPECT_EQ(lab.partition("foo", p).isr, ids({2}));
    }
    EXPECT_EQ(lab.partition("foo", 1).leader, std::nullopt);
}

TEST(Fencing, TC34_ElectsUncleanlyAtTheNextRunWhenSetLater) {
    ControllerLab lab;
    lose_everything(lab);
    lab.unfence({2});
    EXPECT_EQ(lab.partition("foo", 0).leader, std::nullopt);
    EXPECT_TRUE(decide_unclean_elections(lab.view()).records.empty());
    lab.write({metadata::ConfigRecord{
        {metadata::ConfigResourceKind::kBroker, ""}, "unclean.leader.election.enable", "true"}});
    const auto run = decide_unclean_elections(lab.view());
    EXPECT_EQ(run.records.size(), 2U);
    EXPECT_FALSE(run.result.more);
    lab.write(run.records);
    EXPECT_EQ(lab.partition("foo", 0).leader, broker(2));
    EXPECT_EQ(lab.partition("foo", 2).leader, broker(2));
    EXPECT_EQ(lab.partition("foo", 1).leader, std::nullopt);
}

TEST(Fencing, IgnoresTheUncleanSettingInVersionsThatDoNotObeyIt) {
    // KAFKA-12670: before 3.9 only an operator could ask.
    ControllerLab lab;
    lose_everything(lab);
    lab.rules.unclean_obeyed_in_kraft = false;
    lab.config.topic_defaults.unclean_leader_election_enable = true;
    lab.unfence({2});
    EXPECT_EQ(lab.partition("foo", 0).leader, std::nullopt);
    EXPECT_TRUE(decide_unclean_elections(lab.view()).records.empty());
    protocol::ElectLeadersRequest request;
    request.type = protocol::ElectionType::kUnclean;
    EXPECT_EQ(decide_elect_leaders(lab.view(), request).records.size(), 2U);
}

TEST(Fencing, TC35_AnnouncesAShutdownBeforeItMovesLeaders) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2});
    lab.unfence({0, 1, 2});
    lab.create("foo", {ids({0, 1, 2})});
    auto leaving = lab.heartbeat_of(0);
    leaving.want_shut_down = true;
    const HeartbeatResult result = lab.heartbeat(leaving);
    EXPECT_FALSE(result.response.should_shut_down);
    EXPECT_FALSE(result.response.is_fenced);
    ASSERT_EQ(lab.last_records.size(), 2U);
    metadata::BrokerRegistrationChangeRecord announced;
    announced.broker_id = broker(0);
    announced.broker_epoch = types::BrokerEpoch(100);
    announced.enters_controlled_shutdown = true;
    EXPECT_EQ(lab.last_records[0], metadata::MetadataRecord(announced));
    metadata::PartitionChangeRecord moved;
    moved.topic_id = lab.state.image.topic("foo")->id;
    moved.partition_id = 0;
    moved.isr = ids({1, 2});
    moved.leader = metadata::LeaderChange{broker(1)};
    EXPECT_EQ(lab.last_records[1], metadata::MetadataRecord(moved));
}

TEST(Fencing, LetsABrokerGoWhenTheOthersKnow) {
    ControllerLab lab;
    lab.register_brokers({0, 1, 2});
    lab.unfence({0, 1, 2});
    lab.create("foo", {ids({0, 1, 2})});
    auto leaving = lab.heartbeat_of(0);
    leaving.want_shut_down = true;
    const types::Offset before = lab.state.next_write_offset - 1;
    EXPECT_FALSE(lab.heartbeat(leaving).response.should_shut_down);
    auto behind = lab.heartbeat_of(1);
    behind.current_metadata_offset = before;
    lab.heartbeat(behind);
    lab.heartbeat(lab.heartbeat_of(2));
    EXPECT_FALSE(lab.heartbeat(leaving).response.should_shut_down);
    lab.heartbeat(lab.heartbeat_of(1));
    const HeartbeatResult result = lab.heartbeat(leaving);
    EXPECT_TRUE(result.response.should_shut_down);
    EXPECT_TRUE(result.response.is_fenced);
    EXPECT_TRUE(lab.state.image.broker(broker(0))->fenced);
}

TEST(Fencing, WritesPartitionChangesBeforeTheFence) {
    ControllerLab lab;
    lab.register_brokers({0, 1});
    lab.unfence({0, 1});
    lab.create("foo", {ids({0, 1})});
    auto request = lab.heartbeat_of(0);
    request.want_fence = true;
    lab.heartbeat(request);
    ASSERT_EQ(lab.last_records.size(), 2U);
    EXPECT_TRUE(std::holds_alternative<metadata::PartitionChangeRecord>(lab.last_records[0]));
    const auto* fence = std::get_if<metadata::BrokerRegistrationChangeRecord>(&lab.last_records[1]);
    ASSERT_NE(fence, nullptr);
    EXPECT_EQ(fence->fenced, metadata::FenceChange::kFence);
    ASSERT_EQ(lab.last_elections.size(), 1U);
    EXPECT_EQ(lab.last_elections[0].winner, broker(1));
}

TEST(Fencing, UnfencesAndThenLooksAtPartitionsWithoutLeader) {
    ControllerLab lab;
    lab.register_brokers({0});
    lab.unfence({0});
    lab.create("foo", {ids({0})});
    lab.fence({0});
    ASSERT_EQ(lab.partition("foo").leader, std::nullopt);
    lab.unfence({0});
    ASSERT_EQ(lab.last_records.size(), 2U);
    EXPECT_TRUE(
        std::holds_alternative<metadata::BrokerRegistrationChangeRecord>(lab.last_records[0]));
    EXPECT_EQ(lab.partition("foo").leader, broker(0));
    EXPECT_EQ(lab.partition("foo").leader_epoch, types::LeaderEpoch(2));
}

TEST(Fencing, TH14_FencesAllThatFellSilent) {
    ControllerLab lab;
    lab.register_brokers({1, 2, 3, 4, 5});
    lab.unfence({1, 2, 3, 4, 5});
    lab.create("foo", {ids({1, 2, 3, 4, 5}), ids({2, 3, 4, 5, 1})});
    lab.fence({2, 3, 4, 5});
    for (int p = 0; p < 2; ++p) {
        EXPECT_EQ(lab.partition("foo", p).isr, ids({1}));
        EXPECT_EQ(lab.partition("foo", p).leader, broker(1));
    }
}

TEST(Fencing, FencesOneBrokerAtATimeByAscendingId) {
    ControllerLab lab;
    lab.register_brokers({3, 1, 2});
    lab.unfence({3, 1, 2});
    lab.now = lab.now + milliseconds(1'000);
    EXPECT_EQ(decide_stale_broker(lab.view()).result.expired, std::nullopt);  // not yet: exactly
    lab.now = lab.now + nanoseconds(1);
    const auto decision = decide_stale_broker(lab.view());
    EXPECT_EQ(decision.result.expired->id, broker(1));
    EXPECT_TRUE(decision.result.fenced);
    EXPECT_EQ(decision.broker->silence, milliseconds(1'000) + nanoseconds(1));
}

TEST(Fencing, DropsTheSessionOfAnEarlierProcessWithoutFencing) {
    ControllerLab lab;
    lab.register_brokers({1});
    lab.unfence({1});
    lab.register_broker(1, 500);
    lab.now = lab.now + milliseconds(1'001);
    const auto decision = decide_stale_broker(lab.view());
    EXPECT_EQ(decision.result.expired, (BrokerIdAndEpoch{broker(1), types::BrokerEpoch(101)}));
    EXPECT_FALSE(decision.result.fenced);
    EXPECT_TRUE(decision.records.empty());
}

TEST(Fencing, MutantFencedInIsrLeavesTheBrokerInItsIsrs) {
    ControllerLab lab;
    lab.rules.mutants |= 1U << static_cast<unsigned>(types::Mutant::kFencedInIsr);
    lab.register_brokers({0, 1});
    lab.unfence({0, 1});
    lab.create("foo", {ids({0, 1})});
    lab.fence({0});
    EXPECT_TRUE(lab.state.image.broker(broker(0))->fenced);
    EXPECT_EQ(lab.partition("foo").isr, ids({0, 1}));
    EXPECT_EQ(lab.partition("foo").leader, broker(0));
}

}  // namespace
}  // namespace klab::controller
