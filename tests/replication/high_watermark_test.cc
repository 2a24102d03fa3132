// SPDX-License-Identifier: Apache-2.0
//
// The leader's high watermark as a pure rule.
#include "model/replication/high_watermark.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/replication/surroundings_builder.h"

namespace klab::replication {
namespace {

/// A leader with log end 10 and high watermark 0, and what its followers fetched.
struct Leader {
    World3 world;
    IsrState isr;
    std::vector<Follower> followers;
    std::size_t min_isr = 1;
    std::int64_t log_end = 10;
    std::int64_t high_watermark = 0;

    explicit Leader(std::initializer_list<std::int32_t> members) { isr.commit(brokers(members)); }

    Leader& follower(std::int32_t id, std::int64_t end) {
        followers.push_back(caught_up_follower(id, end, world.wall));
        return *this;
    }

    [[nodiscard]] std::optional<std::int64_t> decide() const {
        const auto to =
            decide_leader_high_watermark({.log_end = types::Offset(log_end),
                                          .high_watermark = types::Offset(high_watermark),
                                          .isr = isr,
                                          .followers = followers,
                                          .effective_min_isr = min_isr},
                                         world.around());
        return to ? std::optional(to->value()) : std::nullopt;
    }
};

/// A follower outside the ISR that has not been caught up for an age.
void let_lag(Leader& leader, std::size_t follower) {
    leader.followers[follower].state.last_caught_up = Time{};
}

TEST(HighWatermark, IsTheSlowestMemberOfTheIsr) {
    EXPECT_EQ(Leader({1, 2, 3}).follower(2, 7).follower(3, 4).decide(), 4);
    EXPECT_EQ(Leader({1}).decide(), 10);
}

TEST(HighWatermark, NeverGoesBack) {
    Leader leader({1, 2});
    leader.follower(2, 4).high_watermark = 6;
    EXPECT_EQ(leader.decide(), std::nullopt);
}

TEST(HighWatermark, WaitsForAMemberThatHasNotFetchedInThisEpoch) {
    Leader leader({1, 2});
    leader.followers.push_back({types::BrokerId(2), {}});
    EXPECT_EQ(leader.decide(), std::nullopt);
}

TEST(HighWatermark, WaitsForACaughtUpReplicaOutsideTheIsr) {
    // It is about to join, and would hold the high watermark back from then on.
    EXPECT_EQ(Leader({1}).follower(2, 4).decide(), 4);
}

TEST(HighWatermark, PassesOverAReplicaThatCannotJoin) {
    Leader lagging({1});
    lagging.follower(2, 4);
    let_lag(lagging, 0);
    EXPECT_EQ(lagging.decide(), 10);
    Leader fenced({1});
    fenced.follower(2, 4);
    change_broker(fenced.world.image, 2, [](auto& broker) { broker.fenced = true; });
    EXPECT_EQ(fenced.decide(), 10);
}

TEST(HighWatermark, WaitsForAReplicaWhoseJoiningIsProposed) {
    Leader leader({1, 2});
    leader.follower(2, 10).follower(3, 6);
    let_lag(leader, 1);
    leader.isr.propose_expand(types::BrokerId(3));
    EXPECT_EQ(leader.decide(), 6);
    leader.world.mutate(types::Mutant::kMaximalIsrIgnored);
    EXPECT_EQ(leader.decide(), 10);
}

TEST(HighWatermark, WaitsForAMemberWhoseLeavingIsProposed) {
    Leader leader({1, 2});
    leader.follower(2, 4);
    let_lag(leader, 0);
    leader.isr.propose_shrink(brokers({2}));
    EXPECT_EQ(leader.decide(), 4);
    leader.world.mutate(types::Mutant::kMaximalIsrIgnored);
    EXPECT_EQ(leader.decide(), 10);
}

TEST(HighWatermark, StandsStillBelowMinIsr) {
    // KAFKA-15583: the committed ISR counts, not the proposed one.
    Leader leader({1});
    leader.follower(2, 10).min_isr = 2;
    EXPECT_EQ(leader.decide(), std::nullopt);
    leader.isr.propose_expand(types::BrokerId(2));
    EXPECT_EQ(leader.decide(), std::nullopt);
    leader.isr.commit(brokers({1, 2}));
    EXPECT_EQ(leader.decide(), 10);
}

TEST(HighWatermark, AdvancesBelowMinIsrBefore3_7) {
    Leader leader({1});
    leader.min_isr = 2;
    leader.world.rules = types::rules_of(types::KafkaVersion::k3_6);
    EXPECT_EQ(leader.decide(), 10);
}

TEST(HighWatermark, MutantHwGateSkippedAdvancesBelowMinIsr) {
    Leader leader({1});
    leader.min_isr = 2;
    leader.world.mutate(types::Mutant::kHwGateSkipped);
    EXPECT_EQ(leader.decide(), 10);
}

TEST(HighWatermark, MutantHwPastLaggingIsrMemberLeavesTheSlowestOut) {
    Leader leader({1, 2, 3});
    leader.follower(2, 7).follower(3, 4);
    leader.world.mutate(types::Mutant::kHwPastLaggingIsrMember);
    EXPECT_EQ(leader.decide(), 7);
}

RC_GTEST_PROP(HighWatermark, LiesBetweenTheOldOneAndEveryMember, ()) {
    // P8: whatever the followers hold, an advance passes no member of the maximal ISR.
    Leader leader({1, 2});
    leader.log_end = *rc::gen::inRange(0, 50);
    leader.high_watermark = *rc::gen::inRange<std::int64_t>(0, leader.log_end + 1);
    leader.follower(2, *rc::gen::inRange(0, 60)).follower(3, *rc::gen::inRange(0, 60));
    if (*rc::gen::arbitrary<bool>()) {
        leader.isr.propose_expand(types::BrokerId(3));
    }
    const auto to = leader.decide();
    RC_PRE(to.has_value());
    RC_ASSERT(*to > leader.high_watermark);
    RC_ASSERT(*to <= leader.log_end);
    for (const Follower& follower : leader.followers) {
        if (leader.isr.in_maximal_isr(follower.broker)) {
            RC_ASSERT(*to <= follower.state.log_end_offset->value());
        }
    }
}

}  // namespace
}  // namespace klab::replication
