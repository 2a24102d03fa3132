// SPDX-License-Identifier: Apache-2.0
//
// What a leader knows of a follower: the rows TR1..TR11 (Kafka: ReplicaTest).
#include "model/replication/follower_state.h"

#include <gtest/gtest.h>

#include "tests/replication/surroundings_builder.h"

namespace klab::replication {
namespace {

constexpr Duration kLagMax = milliseconds(30'000);
const std::optional<types::BrokerEpoch> kAlive = types::BrokerEpoch(1);

FollowerFetch fetch(std::int64_t offset, std::int64_t start, std::int64_t leader_end, Time now) {
    return {.fetch_offset = types::Offset(offset),
            .log_start_offset = types::Offset(start),
            .leader_end = types::Offset(leader_end),
            .broker_epoch = types::BrokerEpoch(1),
            .now = now};
}

/// The fields in the order of the rows.
void expect_state(const FollowerState& state,
                  std::optional<std::int64_t> start,
                  std::optional<std::int64_t> end,
                  Time caught_up,
                  std::optional<std::int64_t> last_leader_end,
                  Time last_fetch) {
    const auto value = [](const std::optional<types::Offset>& offset) {
        return offset ? std::optional(offset->value()) : std::nullopt;
    };
    EXPECT_EQ(value(state.log_start_offset), start);
    EXPECT_EQ(value(state.log_end_offset), end);
    EXPECT_EQ(state.last_caught_up.ns, caught_up.ns);
    EXPECT_EQ(value(state.last_fetch_leader_end), last_leader_end);
    EXPECT_EQ(state.last_fetch.ns, last_fetch.ns);
}

TEST(FollowerState, TR1_IsEmptyAtFirst) {
    const FollowerState state;
    expect_state(state, std::nullopt, std::nullopt, Time{}, 0, Time{});
    EXPECT_FALSE(state.broker_epoch);
    EXPECT_FALSE(state.has_fetched);
}

TEST(FollowerState, TR2_to_TR4_TakesNoteOfFetches) {
    // Reaching the leader's end of the previous fetch counts as having been caught up then.
    FollowerState state;
    ASSERT_TRUE(update_fetch_state(state, fetch(5, 1, 10, at_ms(1)), kAlive));
    expect_state(state, 1, 5, Time{}, 10, at_ms(1));
    EXPECT_EQ(state.broker_epoch, kAlive);
    ASSERT_TRUE(update_fetch_state(state, fetch(10, 2, 15, at_ms(2)), kAlive));
    expect_state(state, 2, 10, at_ms(1), 15, at_ms(2));
    ASSERT_TRUE(update_fetch_state(state, fetch(15, 3, 15, at_ms(3)), kAlive));
    expect_state(state, 3, 15, at_ms(3), 15, at_ms(3));
}

FollowerState after_reset(bool is_new_leader, bool in_isr, const types::Rules& rules = {}) {
    FollowerState state;
    EXPECT_TRUE(update_fetch_state(state, fetch(10, 1, 10, at_ms(1)), kAlive));
    reset_follower_state(state,
                         {.now = at_ms(7),
                          .leader_end = types::Offset(11),
                          .is_new_leader = is_new_leader,
                          .in_isr = in_isr},
                         rules);
    return state;
}

TEST(FollowerState, TR5_TR6_KeepsTheLogOfAFollowerWhenTheSameBrokerLeadsOn) {
    expect_state(after_reset(false, true), 1, 10, at_ms(7), 11, at_ms(7));
    expect_state(after_reset(false, false), 1, 10, Time{}, 11, Time{});
}

TEST(FollowerState, TR7_TR8_ForgetsTheLogOfAFollowerWhenAnotherBrokerLedBefore) {
    const FollowerState in_isr = after_reset(true, true);
    expect_state(in_isr, std::nullopt, std::nullopt, at_ms(7), std::nullopt, Time{});
    EXPECT_FALSE(in_isr.broker_epoch);
    const FollowerState outside = after_reset(true, false);
    expect_state(outside, std::nullopt, std::nullopt, Time{}, std::nullopt, Time{});
}

TEST(FollowerState, MutantFollowerStateNotResetKeepsTheLogEnd) {
    World3 world;
    world.mutate(types::Mutant::kFollowerStateNotReset);
    EXPECT_EQ(after_reset(true, true, world.rules).log_end_offset, types::Offset(10));
}

TEST(FollowerState, TR9_IsCaughtUpAtTheLeadersEndHoweverLongAgo) {
    FollowerState state;
    ASSERT_TRUE(update_fetch_state(state, fetch(10, 1, 10, at_ms(0)), kAlive));
    EXPECT_TRUE(is_caught_up(state, types::Offset(10), at_ms(0), kLagMax));
    EXPECT_TRUE(is_caught_up(state, types::Offset(10), at_ms(30'001), kLagMax));
}

TEST(FollowerState, TR10_IsCaughtUpForTheLagAfterItsLastFullFetch) {
    FollowerState state;
    EXPECT_FALSE(is_caught_up(state, types::Offset(10), at_ms(0), kLagMax));
    ASSERT_TRUE(update_fetch_state(state, fetch(5, 1, 10, at_ms(0)), kAlive));
    EXPECT_FALSE(is_caught_up(state, types::Offset(10), at_ms(0), kLagMax));
    ASSERT_TRUE(update_fetch_state(state, fetch(10, 1, 15, at_ms(0)), kAlive));
    EXPECT_TRUE(is_caught_up(state, types::Offset(16), at_ms(0), kLagMax));
    EXPECT_FALSE(is_caught_up(state, types::Offset(16), at_ms(30'001), kLagMax));
}

TEST(FollowerState, TR11_RefusesAFetchFromAnEarlierLifeOfTheBroker) {
    FollowerState state;
    const std::optional<types::BrokerEpoch> alive = types::BrokerEpoch(2);
    FollowerFetch now = fetch(5, 1, 10, at_ms(1));
    now.broker_epoch = types::BrokerEpoch(2);
    EXPECT_TRUE(update_fetch_state(state, now, alive));
    const FollowerState noted = state;
    now.broker_epoch = types::BrokerEpoch(1);
    now.fetch_offset = types::Offset(6);
    EXPECT_FALSE(update_fetch_state(state, now, alive));
    EXPECT_EQ(state, noted);
    now.broker_epoch.reset();
    EXPECT_TRUE(update_fetch_state(state, now, alive));
}

TEST(FollowerState, NeverMovesTheCaughtUpTimeBack) {
    // The wall clock may jump back; what was true stays true.
    FollowerState state;
    ASSERT_TRUE(update_fetch_state(state, fetch(10, 0, 10, at_ms(500)), kAlive));
    ASSERT_TRUE(update_fetch_state(state, fetch(10, 0, 10, at_ms(100)), kAlive));
    EXPECT_EQ(state.last_caught_up, at_ms(500));
}

}  // namespace
}  // namespace klab::replication
