// SPDX-License-Identifier: Apache-2.0
//
// How a consumer finds its first position, and a new one when the old is out of range.
// Kafka: OffsetFetcherTest, FetchRequestManagerTest.
#include <gtest/gtest.h>

#include "tests/client/client_rig.h"

namespace klab::client {
namespace {

using types::ErrorCode;
namespace events = types::events;

protocol::ListOffsetsPartitionResult offset_is(std::int64_t offset, std::int32_t epoch = 0) {
    protocol::ListOffsetsPartitionResult result;
    result.offset = types::Offset(offset);
    result.leader_epoch = types::LeaderEpoch(epoch);
    return result;
}

protocol::ListOffsetsPartitionResult refused(ErrorCode error) {
    protocol::ListOffsetsPartitionResult result;
    result.error = error;
    return result;
}

/// A consumer at offset 0, with its first fetch waiting at broker 1.
ClientRig reading(types::SettingMap config = {{"auto.offset.reset", "earliest"}},
                  std::int32_t brokers = 2) {
    ClientRig rig(consumer_spec(std::move(config)), brokers);
    rig.start();
    rig.run(milliseconds(20));
    rig.answer_list_offsets(1, offset_is(0));
    return rig;
}

TEST(OffsetReset, EarliestAndLatestAskTheLeader) {
    for (const auto& [policy, timestamp] : {std::pair{"earliest", protocol::kEarliestTimestamp},
                                            {"latest", protocol::kLatestTimestamp}}) {
        ClientRig rig(consumer_spec({{"auto.offset.reset", policy}}), 2);
        rig.set_leaders({{2, 3}});
        rig.start();
        rig.run(milliseconds(20));
        EXPECT_EQ(rig.held(1), 0U);
        const auto& asked = rig.oldest<protocol::ListOffsetsRequest>(2).partitions.at(0);
        EXPECT_EQ(asked.timestamp, timestamp);
        EXPECT_EQ(asked.current_leader_epoch, types::LeaderEpoch(3));
        EXPECT_EQ(rig.position().state, FetchState::kAwaitReset);
        rig.answer_list_offsets(2, offset_is(17));
        EXPECT_EQ(rig.resets(), "-1>17 initial");
        EXPECT_EQ(rig.position().state, FetchState::kFetching);
        EXPECT_EQ(rig.oldest<protocol::FetchRequest>(2).partitions.at(0).fetch_offset,
                  types::Offset(17));
    }
}

TEST(OffsetReset, NoneWithoutAPositionFails) {
    ClientRig rig(consumer_spec({{"auto.offset.reset", "none"}}));
    rig.start();
    rig.run(seconds(1));
    EXPECT_TRUE(rig.consumer().has_failed());
    EXPECT_EQ(rig.held(1), 0U);
    EXPECT_EQ(rig.events(events::kClientFailed).size(), 1U);
}

TEST(OffsetReset, DefaultsToLatest) {
    ClientRig rig(consumer_spec());
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.oldest<protocol::ListOffsetsRequest>(1).partitions.at(0).timestamp,
              protocol::kLatestTimestamp);
}

TEST(OffsetReset, AsksAgainAfterARetriableError) {
    for (const ErrorCode error : {ErrorCode::kOffsetNotAvailable,
                                  ErrorCode::kNotLeaderOrFollower,
                                  ErrorCode::kUnknownLeaderEpoch,
                                  ErrorCode::kFencedLeaderEpoch}) {
        ClientRig rig(consumer_spec({{"auto.offset.reset", "earliest"}}));
        rig.start();
        rig.run(milliseconds(20));
        rig.answer_list_offsets(1, refused(error));
        rig.run(milliseconds(50));
        EXPECT_EQ(rig.held(1), 0U);
        rig.run(milliseconds(60));
        EXPECT_EQ(rig.count_held<protocol::ListOffsetsRequest>(1), 1U);
        rig.answer_list_offsets(1, offset_is(4));
        EXPECT_EQ(rig.resets(), "-1>4 initial");
    }
}

TEST(OffsetReset, AsksTheNewLeader) {
    ClientRig rig(consumer_spec({{"auto.offset.reset", "earliest"}}), 2);
    rig.start();
    rig.run(milliseconds(200));
    rig.set_leaders({{2, 1}});
    rig.answer_list_offsets(1, refused(ErrorCode::kNotLeaderOrFollower));
    rig.run(milliseconds(110));
    EXPECT_EQ(rig.held(1), 0U);
    EXPECT_EQ(rig.oldest<protocol::ListOffsetsRequest>(2).partitions.at(0).current_leader_epoch,
              types::LeaderEpoch(1));
}

TEST(OffsetReset, AsksAgainAfterADisconnect) {
    ClientRig rig(consumer_spec({{"auto.offset.reset", "earliest"}}));
    rig.start();
    rig.run(milliseconds(20));
    rig.restart(1);
    EXPECT_EQ(rig.held(1), 0U);
    rig.run(milliseconds(300));
    EXPECT_EQ(rig.count_held<protocol::ListOffsetsRequest>(1), 1U);
}

TEST(OffsetReset, OutOfRangeResetsByThePolicy) {
    ClientRig rig = reading();
    rig.answer_fetch(1, {.records = 3});
    EXPECT_EQ(rig.polled(), "0 1 2");
    rig.answer_fetch(1, {.error = ErrorCode::kOffsetOutOfRange});
    EXPECT_EQ(rig.position().state, FetchState::kAwaitReset);
    rig.answer_list_offsets(1, offset_is(10));
    EXPECT_EQ(rig.resets(), "-1>0 initial, -1>10 out of range");
    EXPECT_EQ(rig.oldest<protocol::FetchRequest>(1).partitions.at(0).fetch_offset,
              types::Offset(10));
}

TEST(OffsetReset, AResetPositionHasNoEpochToValidate) {
    // OffsetFetcherUtils.resetPositionIfNeeded leaves the epoch out: a leader change before the
    // first record is not a reason to ask where that epoch ends.
    ClientRig rig = reading();
    EXPECT_EQ(rig.position().offset_epoch, std::nullopt);
    rig.answer_fetch(1, {.error = ErrorCode::kNotLeaderOrFollower, .hint = RigLeader{2, 1}});
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.count_held<protocol::OffsetForLeaderEpochRequest>(2), 0U);
    EXPECT_EQ(rig.oldest<protocol::FetchRequest>(2).partitions.at(0).current_leader_epoch,
              types::LeaderEpoch(1));
}

}  // namespace
}  // namespace klab::client
