// SPDX-License-Identifier: Apache-2.0
//
// KIP-320 at the consumer: under a leader of a newer epoch it asks where the epoch of its last
// record ends, and so notices that records which it has read are gone.
// Kafka: SubscriptionStateTest, OffsetFetcherTest.testOffsetValidation*.
#include <gtest/gtest.h>

#include "tests/client/client_rig.h"

namespace klab::client {
namespace {

using types::ErrorCode;
namespace events = types::events;

/// Read records 0 to 4 of epoch 0 from broker 1; then broker 1 said that broker 2 leads epoch 1.
ClientRig under_a_new_leader() {
    ClientRig rig(
        consumer_spec({{"auto.offset.reset", "earliest"}, {"metadata.max.age.ms", "300"}}), 3);
    rig.start();
    rig.run(milliseconds(200));
    protocol::ListOffsetsPartitionResult zero;
    zero.offset = types::Offset(0);
    rig.answer_list_offsets(1, zero);
    rig.answer_fetch(1, {.records = 5});
    rig.set_leaders({{2, 1}});
    rig.answer_fetch(1, {.error = ErrorCode::kNotLeaderOrFollower, .hint = RigLeader{2, 1}});
    rig.run(milliseconds(3));
    return rig;
}

protocol::OffsetForLeaderEpochResult epoch_end(std::int32_t epoch, std::int64_t end) {
    protocol::OffsetForLeaderEpochResult result;
    result.leader_epoch = types::LeaderEpoch(epoch);
    result.end_offset = types::Offset(end);
    return result;
}

protocol::OffsetForLeaderEpochResult refused(ErrorCode error) {
    protocol::OffsetForLeaderEpochResult result;
    result.error = error;
    return result;
}

TEST(PositionValidation, AsksTheNewLeaderForTheEpochOfTheLastRecord) {
    ClientRig rig = under_a_new_leader();
    EXPECT_EQ(rig.position().state, FetchState::kAwaitValidation);
    EXPECT_EQ(rig.count_held<protocol::FetchRequest>(2), 0U);
    const auto& asked = rig.oldest<protocol::OffsetForLeaderEpochRequest>(2).partitions.at(0);
    EXPECT_EQ(asked.leader_epoch, types::LeaderEpoch(0));
    EXPECT_EQ(asked.current_leader_epoch, types::LeaderEpoch(1));
}

TEST(PositionValidation, AnEndAtOrBehindThePositionIsFine) {
    for (const std::int64_t end : {5, 9}) {
        ClientRig rig = under_a_new_leader();
        rig.answer_epoch_end(2, epoch_end(0, end));
        EXPECT_EQ(rig.position().state, FetchState::kFetching);
        const auto& next = rig.oldest<protocol::FetchRequest>(2).partitions.at(0);
        EXPECT_EQ(next.fetch_offset, types::Offset(5));
        EXPECT_EQ(next.current_leader_epoch, types::LeaderEpoch(1));
        EXPECT_EQ(rig.resets(), "-1>0 initial");
    }
}

TEST(PositionValidation, AnEndBelowThePositionIsTruncation) {
    ClientRig rig = under_a_new_leader();
    rig.answer_epoch_end(2, epoch_end(0, 3));
    EXPECT_EQ(rig.resets(), "-1>0 initial, 5>3 truncation");
    EXPECT_EQ(rig.position().state, FetchState::kFetching);
    EXPECT_EQ(rig.position().offset_epoch, types::LeaderEpoch(0));
    rig.answer_fetch(2, {.base_offset = 3, .leader_epoch = 1, .records = 1});
    EXPECT_EQ(rig.polled(), "0 1 2 3 4 3");
}

TEST(PositionValidation, WithoutAnEpochThePositionIsReset) {
    // The leader knows no epoch as old as that: -1, -1.
    ClientRig rig = under_a_new_leader();
    rig.answer_epoch_end(2, {});
    EXPECT_EQ(rig.position().state, FetchState::kAwaitReset);
    EXPECT_EQ(rig.position().reset_reason, "truncation");
    EXPECT_EQ(rig.count_held<protocol::ListOffsetsRequest>(2), 1U);
}

TEST(PositionValidation, ARefusalIsAskedAgain) {
    for (const ErrorCode error : {ErrorCode::kFencedLeaderEpoch,
                                  ErrorCode::kUnknownLeaderEpoch,
                                  ErrorCode::kNotLeaderOrFollower}) {
        ClientRig rig = under_a_new_leader();
        rig.answer_epoch_end(2, refused(error));
        EXPECT_EQ(rig.position().state, FetchState::kAwaitValidation);
        rig.run(milliseconds(110));
        EXPECT_EQ(rig.count_held<protocol::OffsetForLeaderEpochRequest>(2), 1U);
        rig.answer_epoch_end(2, epoch_end(0, 5));
        EXPECT_EQ(rig.position().state, FetchState::kFetching);
    }
}

TEST(PositionValidation, ALeaderThatIsGoneIsAskedNoMore) {
    ClientRig rig = under_a_new_leader();
    rig.crash(2);
    rig.set_leaders({{3, 2}});
    rig.run(milliseconds(500));
    const auto& asked = rig.oldest<protocol::OffsetForLeaderEpochRequest>(3).partitions.at(0);
    EXPECT_EQ(asked.current_leader_epoch, types::LeaderEpoch(2));
    EXPECT_EQ(asked.leader_epoch, types::LeaderEpoch(0));
}

TEST(PositionValidation, AnAnswerOfALeaderThatWasReplacedDoesNotCount) {
    // SubscriptionState.maybeCompleteValidation compares the position with its leader. The answer
    // of broker 2 is on its way when metadata name broker 3 under epoch 2: broker 3 decides.
    ClientRig rig = under_a_new_leader();
    rig.set_leaders({{3, 2}});
    rig.run(milliseconds(320));  // metadata.max.age.ms
    ASSERT_EQ(rig.count_held<protocol::OffsetForLeaderEpochRequest>(2), 1U);
    rig.answer_epoch_end(2, epoch_end(0, 5));
    EXPECT_EQ(rig.position().state, FetchState::kAwaitValidation);
    rig.run(milliseconds(2));
    ASSERT_EQ(rig.count_held<protocol::OffsetForLeaderEpochRequest>(3), 1U);
    rig.answer_epoch_end(3, epoch_end(0, 4));
    EXPECT_EQ(rig.resets(), "-1>0 initial, 5>4 truncation");
}

TEST(PositionValidation, NotEvenWhenItFoundTruncation) {
    ClientRig rig = under_a_new_leader();
    rig.set_leaders({{3, 2}});
    rig.run(milliseconds(320));
    rig.answer_epoch_end(2, epoch_end(0, 3));
    EXPECT_EQ(rig.resets(), "-1>0 initial");
    rig.run(milliseconds(2));
    rig.answer_epoch_end(3, epoch_end(0, 5));
    EXPECT_EQ(rig.resets(), "-1>0 initial");
    EXPECT_EQ(rig.position().state, FetchState::kFetching);
    EXPECT_EQ(rig.position().offset, types::Offset(5));
}

TEST(PositionValidation, WhatIsBufferedWaitsNoLonger) {
    // Records fetched from the old leader are not handed out any more: they may be gone.
    types::ClientSpec spec = consumer_spec({{"auto.offset.reset", "earliest"},
                                            {"max.poll.records", "1"},
                                            {"metadata.max.age.ms", "300"}});
    spec.work_per_record = milliseconds(200);
    ClientRig rig(spec, 2);
    rig.start();
    rig.run(milliseconds(20));
    protocol::ListOffsetsPartitionResult zero;
    zero.offset = types::Offset(0);
    rig.answer_list_offsets(1, zero);
    rig.answer_fetch(1, {.records = 5});
    rig.run(milliseconds(250));
    EXPECT_EQ(rig.polled(), "0 1");
    rig.set_leaders({{2, 1}});
    rig.run(milliseconds(300));
    EXPECT_EQ(rig.polled(), "0 1");
    rig.answer_epoch_end(2, epoch_end(0, 2));
    rig.answer_fetch(2, {.base_offset = 2, .leader_epoch = 1, .records = 1});
    rig.run(milliseconds(250));
    EXPECT_EQ(rig.polled(), "0 1 2");
    EXPECT_EQ(rig.position().offset_epoch, types::LeaderEpoch(1));
}

}  // namespace
}  // namespace klab::client
