// SPDX-License-Identifier: Apache-2.0
//
// Leader epochs as replication asks for them: rows TE1 to TE17 of table 8.1.
#include <gtest/gtest.h>

#include "model/storage/epoch_cache.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;
using Pair = std::pair<std::int32_t, std::int64_t>;
using Pairs = std::vector<Pair>;

constexpr Pair kUndefined{-1, -1};

class LeaderEpochRows : public ::testing::Test {
  protected:
    void assign(const Pairs& entries) {
        for (const auto& [epoch, start] : entries) {
            cache.assign(LeaderEpoch(epoch), Offset(start));
        }
    }

    /// endOffsetFor, with -1 for undefined.
    [[nodiscard]] Pair end(std::int32_t epoch, std::int64_t log_end) const {
        const auto requested = epoch < 0 ? std::nullopt : std::optional(LeaderEpoch(epoch));
        const EpochEndOffset answer = cache.end_offset_for(requested, Offset(log_end));
        return {answer.epoch ? answer.epoch->value() : -1,
                answer.end_offset ? answer.end_offset->value() : -1};
    }

    [[nodiscard]] Pairs entries() const {
        Pairs out;
        for (const EpochEntry& entry : cache.entries()) {
            out.emplace_back(entry.epoch.value(), entry.start_offset.value());
        }
        return out;
    }

    [[nodiscard]] int latest() const { return cache.latest_epoch()->value(); }

    /// The epoch before the latest one, -1 when there is none.
    [[nodiscard]] int previous() const {
        if (cache.empty()) {
            return -1;
        }
        const auto entry = cache.previous_entry(*cache.latest_epoch());
        return entry ? entry->epoch.value() : -1;
    }

    EpochCache cache;
};

TEST_F(LeaderEpochRows, TE1_NothingIsKnownAtFirst) {
    EXPECT_EQ(end(0, 0), kUndefined);
    EXPECT_EQ(end(-1, 73), kUndefined);
    EXPECT_EQ(previous(), -1);
}

TEST_F(LeaderEpochRows, TE2_TheLatestEpochEndsAtTheLogEnd) {
    assign({{2, 10}});
    EXPECT_EQ(latest(), 2);
    EXPECT_EQ(end(2, 11), Pair(2, 11));
}

TEST_F(LeaderEpochRows, TE3_TheFirstStartOfAnEpochStays) {
    assign({{2, 11}, {2, 12}});
    EXPECT_EQ(entries(), (Pairs{{2, 11}}));
    EXPECT_EQ(end(2, 14), Pair(2, 14));
}

TEST_F(LeaderEpochRows, TE4_NoEpochHasNoEnd) {
    assign({{2, 11}, {3, 12}});
    EXPECT_EQ(end(-1, 0), kUndefined);
}

TEST_F(LeaderEpochRows, TE5_AnEpochWithoutRecordsGivesWay) {
    assign({{2, 9}, {3, 9}});
    EXPECT_EQ(entries(), (Pairs{{3, 9}}));
}

TEST_F(LeaderEpochRows, TE6_SoDoesOneThatStartedLater) {
    assign({{2, 6}, {3, 5}});
    EXPECT_EQ(entries(), (Pairs{{3, 5}}));
}

TEST_F(LeaderEpochRows, TE7_AnEpochGoingBackTakesTheHigherOneAway) {
    assign({{1, 5}, {2, 6}, {1, 7}});
    EXPECT_EQ(latest(), 1);
    EXPECT_EQ(entries(), (Pairs{{1, 7}}));
    EXPECT_EQ(end(1, 8), Pair(1, 8));
    EXPECT_EQ(end(2, 8), kUndefined);
}

TEST_F(LeaderEpochRows, TE8_BelowTheFirstEpoch) {
    assign({{5, 11}, {6, 12}, {7, 13}});
    EXPECT_EQ(end(4, 0), Pair(4, 11));
}

TEST_F(LeaderEpochRows, TE9_AnEarlierStartOfTheSameEpoch) {
    assign({{5, 11}, {6, 12}, {7, 13}, {7, 12}});
    EXPECT_EQ(end(5, 0), Pair(5, 12));
    EXPECT_EQ(end(6, 0), Pair(5, 12));
}

TEST_F(LeaderEpochRows, TE10_AnEpochEndsWhereTheNextStarts) {
    assign({{1, 11}, {2, 13}, {3, 15}});
    EXPECT_EQ(end(2, 17), Pair(2, 15));
}

TEST_F(LeaderEpochRows, TE11_AnUnknownEpochFallsToTheOneBelow) {
    assign({{0, 10}, {2, 13}, {4, 17}});
    EXPECT_EQ(end(1, 0), Pair(0, 13));
    EXPECT_EQ(end(2, 0), Pair(2, 17));
    EXPECT_EQ(end(3, 0), Pair(2, 17));
}

TEST_F(LeaderEpochRows, TE12_NewerThanAllIsUndefined) {
    assign({{2, 100}});
    EXPECT_EQ(end(3, 100), kUndefined);
}

TEST_F(LeaderEpochRows, TE13_LeadersWithoutRecords) {
    assign({{0, 0}, {1, 0}});
    EXPECT_EQ(latest(), 1);
    EXPECT_EQ(end(1, 0), Pair(1, 0));
    EXPECT_EQ(end(0, 0), Pair(0, 0));
    EXPECT_EQ(end(1, 5), Pair(1, 5));
    EXPECT_EQ(end(0, 5), Pair(0, 0));
    assign({{2, 5}});
    EXPECT_EQ(end(2, 10), Pair(2, 10));
    EXPECT_EQ(end(1, 10), Pair(1, 5));
    EXPECT_EQ(end(0, 10), Pair(0, 0));
}

TEST_F(LeaderEpochRows, TE14_ThreeLeadersOfThreeRecords) {
    assign({{0, 0}, {1, 3}, {2, 6}});
    EXPECT_EQ(end(0, 9), Pair(0, 3));
    EXPECT_EQ(end(1, 9), Pair(1, 6));
    EXPECT_EQ(end(2, 9), Pair(2, 9));
}

TEST_F(LeaderEpochRows, TE15_CutAtTheEnd) {
    assign({{2, 6}, {3, 8}, {4, 11}});
    cache.truncate_from_end(Offset(8));
    EXPECT_EQ(entries(), (Pairs{{2, 6}}));
}

TEST_F(LeaderEpochRows, TE16_CutAtTheStart) {
    assign({{2, 6}, {3, 8}, {4, 11}});
    const EpochCache before = cache;
    const auto cut_at = [&](std::int64_t offset) {
        cache = before;
        cache.truncate_from_start(Offset(offset));
        return entries();
    };
    EXPECT_EQ(cut_at(8), (Pairs{{3, 8}, {4, 11}}));
    EXPECT_EQ(cut_at(9), (Pairs{{3, 9}, {4, 11}}));
    EXPECT_EQ(cut_at(1), (Pairs{{2, 6}, {3, 8}, {4, 11}}));
    EXPECT_EQ(cut_at(6), (Pairs{{2, 6}, {3, 8}, {4, 11}}));
    EXPECT_EQ(cut_at(11), (Pairs{{4, 11}}));
}

TEST_F(LeaderEpochRows, TE17_TheEpochBefore) {
    assign({{2, 10}});
    EXPECT_EQ(previous(), -1);
    assign({{4, 15}});
    EXPECT_EQ(previous(), 2);
    assign({{10, 20}});
    EXPECT_EQ(previous(), 4);
    cache.truncate_from_end(Offset(18));
    EXPECT_EQ(previous(), 2);
}

}  // namespace
}  // namespace klab::storage
