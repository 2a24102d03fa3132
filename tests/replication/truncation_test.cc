// SPDX-License-Identifier: Apache-2.0
//
// Where a follower cuts its log, as a pure rule: the worked cases of KIP-101, KIP-279 and KIP-595,
// TF17 and TX3.
#include "model/replication/truncation.h"

#include <gtest/gtest.h>

#include "model/replication/epoch_lookup.h"
#include "model/replication/offsets_out_of_range.h"

namespace klab::replication {
namespace {

/// A log as its history: (epoch, start) pairs and its end.
struct History {
    storage::EpochCache epochs;
    types::Offset end;

    History(std::initializer_list<std::pair<std::int32_t, std::int64_t>> starts,
            std::int64_t log_end)
        : end(log_end) {
        for (const auto& [epoch, start] : starts) {
            epochs.assign(types::LeaderEpoch(epoch), types::Offset(start));
        }
    }
};

protocol::DivergingEpoch diverging(std::optional<std::int32_t> epoch,
                                   std::optional<std::int64_t> end) {
    protocol::DivergingEpoch result;
    if (epoch) {
        result.epoch = types::LeaderEpoch(*epoch);
    }
    if (end) {
        result.end_offset = types::Offset(*end);
    }
    return result;
}

TruncationPoint cut(const History& follower,
                    const protocol::DivergingEpoch& leader,
                    std::int64_t fallback = 0) {
    return decide_truncation(leader, {follower.epochs, follower.end, types::Offset(fallback)});
}

TruncationPoint at(std::int64_t offset, bool complete = true) {
    return {types::Offset(offset), complete};
}

/// The leader's answer to a fetch from the follower's end, and the follower's cut; nothing when the
/// logs agree.
std::optional<TruncationPoint> one_round(const History& follower, const History& leader) {
    const DivergenceAnswer answer = find_divergence({leader.epochs, types::Offset(0), leader.end},
                                                    *follower.epochs.latest_epoch(),
                                                    follower.end);
    EXPECT_EQ(answer.error, types::ErrorCode::kNone);
    return answer.diverging ? std::optional(cut(follower, *answer.diverging)) : std::nullopt;
}

TEST(Truncation, CasesAToGOfTheSpecification) {
    EXPECT_EQ(one_round({{{1, 0}}, 2}, {{{1, 0}}, 5}), std::nullopt);           // A, B
    EXPECT_EQ(one_round({{{1, 0}}, 4}, {{{1, 0}, {2, 2}}, 2}), at(2));          // C
    EXPECT_EQ(one_round({{{1, 0}, {2, 2}}, 4}, {{{1, 0}, {3, 2}}, 2}), at(2));  // D
    EXPECT_EQ(one_round({{{1, 0}, {2, 2}}, 4}, {{{1, 0}, {3, 2}}, 5}), at(2));  // E
    EXPECT_EQ(one_round({{{1, 0}, {2, 1}}, 3}, {{{1, 0}, {3, 3}}, 3}), at(1));  // F
    EXPECT_EQ(one_round({{{2, 0}}, 2}, {{{1, 0}, {3, 1}}, 1}), at(0));          // G
}

TEST(Truncation, TakesTwoRoundsWhenTheCommonEpochLiesFurtherBack) {
    const History leader({{1, 0}, {3, 10}, {5, 13}}, 13);
    EXPECT_EQ(one_round({{{1, 0}, {2, 10}, {4, 15}}, 20}, leader), at(15, false));
    EXPECT_EQ(one_round({{{1, 0}, {2, 10}}, 15}, leader), at(10));
}

TEST(Truncation, TF17_GoesBackEpochByEpoch) {
    // Own ends: 4 -> (4,149), 3 -> (2,129), 2 -> (1,119).
    const History own({{1, 0}, {2, 119}, {4, 129}, {5, 149}}, 200);
    EXPECT_EQ(cut(own, diverging(4, 140), 115), at(140));
    EXPECT_EQ(cut(own, diverging(3, 130), 115), at(129, false));
    const History shorter({{1, 0}, {3, 119}}, 129);
    EXPECT_EQ(cut(shorter, diverging(2, 120), 115), at(119, false));
}

TEST(Truncation, TX3_Kip279AsksForTheEpochToo) {
    // With the end alone (KIP-101) the follower would keep 10..14 of an epoch the leader never had.
    const History follower({{1, 0}, {2, 10}}, 15);
    EXPECT_EQ(cut(follower, diverging(1, 20)), at(10));
    EXPECT_EQ(cut(follower, diverging(std::nullopt, 20)), at(15));
}

TEST(Truncation, FallsBackToTheHighWatermarkWhenTheLeaderKnowsNothing) {
    EXPECT_EQ(cut({{{1, 0}}, 9}, diverging(std::nullopt, std::nullopt), 4), at(4));
}

TEST(Truncation, UsesTheLeadersEndWhenTheOwnLogHasNoEpochs) {
    EXPECT_EQ(cut({{}, 9}, diverging(3, 4)), at(4));
    EXPECT_EQ(cut({{}, 9}, diverging(3, 40)), at(9));
}

TEST(EpochLookup, TP1_FindsWhereAFollowerDiverges) {
    const History leader({{0, 0}, {3, 2}, {4, 8}, {7, 13}, {9, 14}, {10, 17}}, 17);
    const auto ask = [&](std::int32_t epoch, std::int64_t offset) {
        return find_divergence({leader.epochs, types::Offset(0), leader.end},
                               types::LeaderEpoch(epoch),
                               types::Offset(offset));
    };
    EXPECT_EQ(ask(2, 5).diverging, diverging(0, 2));
    EXPECT_EQ(ask(0, 4).diverging, diverging(0, 2));
    EXPECT_EQ(ask(6, 6).diverging, diverging(4, 13));
    EXPECT_EQ(ask(5, 9).diverging, diverging(4, 13));
    EXPECT_EQ(ask(10, 18).diverging, diverging(10, 17));
    EXPECT_EQ(ask(0, 2), DivergenceAnswer{});
    EXPECT_EQ(ask(7, 14), DivergenceAnswer{});
    EXPECT_EQ(ask(9, 17), DivergenceAnswer{});
    EXPECT_EQ(ask(10, 17), DivergenceAnswer{});
    EXPECT_EQ(ask(11, 5).error, types::ErrorCode::kOffsetOutOfRange);
}

TEST(EpochLookup, TP2_TP3_SeesOnlyWhatTheLogStillHas) {
    History leader({{0, 0}, {3, 2}, {4, 8}, {7, 13}, {9, 14}, {10, 17}}, 17);
    leader.epochs.truncate_from_start(types::Offset(5));
    const auto ask = [&](std::int32_t epoch, std::int64_t offset, std::int64_t start) {
        return find_divergence({leader.epochs, types::Offset(start), leader.end},
                               types::LeaderEpoch(epoch),
                               types::Offset(offset));
    };
    EXPECT_EQ(ask(2, 8, 5).diverging, diverging(2, 5));
    EXPECT_EQ(ask(0, 5, 5), DivergenceAnswer{});
    EXPECT_EQ(ask(3, 5, 5), DivergenceAnswer{});
    EXPECT_EQ(ask(0, 0, 5).error, types::ErrorCode::kOffsetOutOfRange);
    leader.epochs.truncate_from_start(types::Offset(10));
    EXPECT_EQ(ask(5, 6, 10).error, types::ErrorCode::kOffsetOutOfRange);
    EXPECT_EQ(ask(3, 6, 10).error, types::ErrorCode::kOffsetOutOfRange);
}

TEST(OffsetsOutOfRange, CutsToALeaderThatIsBehind) {
    EXPECT_EQ(decide_cut_to_leader_end(types::Offset(9), types::Offset(4)), types::Offset(4));
    EXPECT_EQ(decide_cut_to_leader_end(types::Offset(4), types::Offset(4)), std::nullopt);
    EXPECT_EQ(decide_cut_to_leader_end(types::Offset(4), types::Offset(9)), std::nullopt);
}

TEST(OffsetsOutOfRange, StartsOverBehindALeaderThatBeginsLater) {
    EXPECT_EQ(decide_leader_start_step(types::Offset(1), types::Offset(2)),
              (LeaderStartStep{types::Offset(2), true}));
    EXPECT_EQ(decide_leader_start_step(types::Offset(5), types::Offset(2)),
              (LeaderStartStep{types::Offset(5), false}));
}

}  // namespace
}  // namespace klab::replication
