// SPDX-License-Identifier: Apache-2.0
//
// Leader-epoch cache: rows E1 to E30 of Kafka's own cases, then the law against a plain model.
#include "model/storage/epoch_cache.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/storage/checkpoint_file.h"
#include "model/storage/checkpoint_store.h"
#include "model/storage/file_names.h"
#include "sim/disk/disk.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;
using Pair = std::pair<std::int32_t, std::int64_t>;
using Pairs = std::vector<Pair>;

EpochCache cache_of(const Pairs& assigns) {
    EpochCache cache;
    for (const auto& [epoch, start] : assigns) {
        cache.assign(LeaderEpoch(epoch), Offset(start));
    }
    return cache;
}

Pairs entries_of(const EpochCache& cache) {
    Pairs out;
    for (const EpochEntry& entry : cache.entries()) {
        out.emplace_back(entry.epoch.value(), entry.start_offset.value());
    }
    return out;
}

/// The answer with -1 for undefined, as the table writes it.
Pair ask(const EpochCache& cache, std::int32_t epoch, std::int64_t log_end) {
    const auto requested = epoch < 0 ? std::nullopt : std::optional(LeaderEpoch(epoch));
    const EpochEndOffset answer = cache.end_offset_for(requested, Offset(log_end));
    return {answer.epoch ? answer.epoch->value() : -1,
            answer.end_offset ? answer.end_offset->value() : -1};
}

constexpr Pair kUndefined{-1, -1};

TEST(EpochCacheRows, E1_EmptyCacheKnowsNothing) {
    EpochCache cache;
    EXPECT_EQ(cache.latest_epoch(), std::nullopt);
    EXPECT_EQ(ask(cache, 0, 0), kUndefined);
    EXPECT_EQ(ask(cache, 7, 0), kUndefined);
    EXPECT_EQ(ask(cache, -1, 73), kUndefined);
    EXPECT_FALSE(cache.truncate_from_start(Offset(7)));
    EXPECT_FALSE(cache.truncate_from_end(Offset(7)));
}

TEST(EpochCacheRows, E2_LatestEpochEndsAtLogEnd) {
    EXPECT_EQ(ask(cache_of({{2, 10}}), 2, 11), Pair(2, 11));
}

TEST(EpochCacheRows, E3_RepeatedEpochKeepsItsFirstStart) {
    const EpochCache cache = cache_of({{2, 11}, {2, 12}});
    EXPECT_EQ(ask(cache, 2, 14), Pair(2, 14));
    EXPECT_EQ(entries_of(cache), (Pairs{{2, 11}}));
}

TEST(EpochCacheRows, E4_NothingRequestedIsUndefined) {
    EXPECT_EQ(ask(cache_of({{2, 11}, {3, 12}}), -1, 0), kUndefined);
}

TEST(EpochCacheRows, E5_SameEpochLaterStart) {
    EXPECT_EQ(entries_of(cache_of({{2, 9}, {2, 10}})), (Pairs{{2, 9}}));
}

TEST(EpochCacheRows, E6_HigherEpochAtTheSameStartReplaces) {
    EXPECT_EQ(entries_of(cache_of({{2, 9}, {3, 9}})), (Pairs{{3, 9}}));
}

TEST(EpochCacheRows, E7_HigherEpochAtALowerStartErasesTheTail) {
    EXPECT_EQ(entries_of(cache_of({{2, 6}, {3, 5}})), (Pairs{{3, 5}}));
}

TEST(EpochCacheRows, E8_RequestBelowTheFirstEpoch) {
    EXPECT_EQ(ask(cache_of({{5, 11}, {6, 12}, {7, 13}}), 4, 0), Pair(4, 11));
}

TEST(EpochCacheRows, E9_SameEpochAtALowerStart) {
    const EpochCache cache = cache_of({{5, 11}, {6, 12}, {7, 13}, {7, 12}});
    EXPECT_EQ(ask(cache, 5, 0), Pair(5, 12));
    EXPECT_EQ(ask(cache, 6, 0), Pair(5, 12));
}

TEST(EpochCacheRows, E10_EndIsTheStartOfTheNextEpoch) {
    const EpochCache cache = cache_of({{1, 11}, {1, 12}, {2, 13}, {2, 14}, {3, 15}, {3, 16}});
    EXPECT_EQ(ask(cache, 2, 17), Pair(2, 15));
}

TEST(EpochCacheRows, E11_UnknownEpochFallsToTheOneBelow) {
    const EpochCache cache = cache_of({{0, 10}, {2, 13}, {4, 17}});
    EXPECT_EQ(ask(cache, 1, 0), Pair(0, 13));
    EXPECT_EQ(ask(cache, 2, 0), Pair(2, 17));
    EXPECT_EQ(ask(cache, 3, 0), Pair(2, 17));
}

TEST(EpochCacheRows, E12_NewerThanEverythingIsUndefined) {
    EXPECT_EQ(ask(cache_of({{2, 100}}), 3, 100), kUndefined);
}

TEST(EpochCacheRows, E13_EpochsGoingBackDropTheHigherOne) {
    const EpochCache cache = cache_of({{1, 5}, {2, 6}, {1, 7}});
    EXPECT_EQ(cache.latest_epoch(), LeaderEpoch(1));
    EXPECT_EQ(ask(cache, 1, 8), Pair(1, 8));
    EXPECT_EQ(ask(cache, 2, 8), kUndefined);
    EXPECT_EQ(entries_of(cache), (Pairs{{1, 7}}));
}

TEST(EpochCacheRows, E14_LeaderChangesBeforeTheFirstRecord) {
    const EpochCache cache = cache_of({{0, 0}, {1, 0}});
    EXPECT_EQ(ask(cache, 1, 0), Pair(1, 0));
    EXPECT_EQ(ask(cache, 0, 0), Pair(0, 0));
    EXPECT_EQ(ask(cache, 1, 5), Pair(1, 5));
    EXPECT_EQ(ask(cache, 0, 5), Pair(0, 0));
}

TEST(EpochCacheRows, E15_FurtherLeaderAfterE14) {
    const EpochCache cache = cache_of({{0, 0}, {1, 0}, {2, 5}});
    EXPECT_EQ(ask(cache, 2, 10), Pair(2, 10));
    EXPECT_EQ(ask(cache, 1, 10), Pair(1, 5));
    EXPECT_EQ(ask(cache, 0, 10), Pair(0, 0));
}

TEST(EpochCacheRows, E16_OneAssignPerRecord) {
    const EpochCache cache =
        cache_of({{0, 0}, {0, 1}, {0, 2}, {1, 3}, {1, 4}, {1, 5}, {2, 6}, {2, 7}, {2, 8}});
    EXPECT_EQ(ask(cache, 0, 9), Pair(0, 3));
    EXPECT_EQ(ask(cache, 1, 9), Pair(1, 6));
    EXPECT_EQ(ask(cache, 2, 9), Pair(2, 9));
}

const Pairs kThree{{2, 6}, {3, 8}, {4, 11}};

TEST(EpochCacheRows, E17_TruncateFromEndAtAStart) {
    EpochCache cache = cache_of(kThree);
    EXPECT_TRUE(cache.truncate_from_end(Offset(8)));
    EXPECT_EQ(entries_of(cache), (Pairs{{2, 6}}));
}

TEST(EpochCacheRows, E18_TruncateFromEndInsideAnEpoch) {
    EpochCache cache = cache_of(kThree);
    EXPECT_TRUE(cache.truncate_from_end(Offset(9)));
    EXPECT_EQ(entries_of(cache), (Pairs{{2, 6}, {3, 8}}));
    EXPECT_EQ(cache.latest_epoch(), LeaderEpoch(3));
}

TEST(EpochCacheRows, E19_NegativeOffsetsChangeNothing) {
    EpochCache cache = cache_of(kThree);
    EXPECT_FALSE(cache.truncate_from_end(Offset(-1)));
    EXPECT_FALSE(cache.truncate_from_start(Offset(-1)));
    EXPECT_EQ(entries_of(cache), kThree);
}

TEST(EpochCacheRows, E20_TruncateFromStartAtAStart) {
    EpochCache cache = cache_of(kThree);
    EXPECT_TRUE(cache.truncate_from_start(Offset(8)));
    EXPECT_EQ(entries_of(cache), (Pairs{{3, 8}, {4, 11}}));
}

TEST(EpochCacheRows, E21_TruncateFromStartInsideAnEpoch) {
    EpochCache cache = cache_of(kThree);
    EXPECT_TRUE(cache.truncate_from_start(Offset(9)));
    EXPECT_EQ(entries_of(cache), (Pairs{{3, 9}, {4, 11}}));
}

TEST(EpochCacheRows, E22_TruncateFromStartBeforeTheFirst) {
    EpochCache cache = cache_of(kThree);
    EXPECT_FALSE(cache.truncate_from_start(Offset(1)));
    EXPECT_FALSE(cache.truncate_from_start(Offset(6)));
    EXPECT_EQ(entries_of(cache), kThree);
}

TEST(EpochCacheRows, E23_TruncateFromStartAtTheLast) {
    EpochCache cache = cache_of(kThree);
    EXPECT_TRUE(cache.truncate_from_start(Offset(11)));
    EXPECT_EQ(entries_of(cache), (Pairs{{4, 11}}));
}

TEST(EpochCacheRows, E24_TruncateFromStartBeyondTheLast) {
    EpochCache cache = cache_of(kThree);
    EXPECT_TRUE(cache.truncate_from_start(Offset(15)));
    EXPECT_EQ(entries_of(cache), (Pairs{{4, 15}}));
}

TEST(EpochCacheRows, E25_TruncateFromStartKeepsTheCoveringEpoch) {
    EpochCache cache = cache_of({{0, 0}, {1, 7}, {2, 10}});
    EXPECT_TRUE(cache.truncate_from_start(Offset(5)));
    EXPECT_EQ(entries_of(cache), (Pairs{{0, 5}, {1, 7}, {2, 10}}));
}

TEST(EpochCacheRows, E26_BothTruncationsReachTheFile) {
    EpochCache cache = cache_of(kThree);
    cache.truncate_from_end(Offset(11));
    cache.truncate_from_start(Offset(8));
    EXPECT_EQ(entries_of(cache), (Pairs{{3, 8}}));
    const auto parsed = parse_epoch_checkpoint(encode_epoch_checkpoint(cache.entries()));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(EpochCache(*parsed), cache);
}

TEST(EpochCacheRows, E27_PreviousEpoch) {
    EpochCache cache;
    const auto previous_of_latest = [&cache]() -> std::int32_t {
        const auto previous = cache.previous_entry(*cache.latest_epoch());
        return previous ? previous->epoch.value() : -1;
    };
    cache.assign(LeaderEpoch(2), Offset(10));
    EXPECT_EQ(previous_of_latest(), -1);
    cache.assign(LeaderEpoch(4), Offset(15));
    EXPECT_EQ(previous_of_latest(), 2);
    cache.assign(LeaderEpoch(10), Offset(20));
    EXPECT_EQ(previous_of_latest(), 4);
    EXPECT_EQ(cache.previous_entry(LeaderEpoch(10)), (EpochEntry{LeaderEpoch(4), Offset(15)}));
    cache.truncate_from_end(Offset(18));
    EXPECT_EQ(previous_of_latest(), 2);
}

TEST(EpochCacheRows, E28_NextEpoch) {
    const EpochCache cache = cache_of({{0, 0}, {1, 100}, {2, 200}});
    EXPECT_EQ(cache.next_epoch(std::nullopt), LeaderEpoch(0));
    EXPECT_EQ(cache.next_epoch(LeaderEpoch(0)), LeaderEpoch(1));
    EXPECT_EQ(cache.next_epoch(LeaderEpoch(1)), LeaderEpoch(2));
    EXPECT_EQ(cache.next_epoch(LeaderEpoch(2)), std::nullopt);
    EXPECT_EQ(cache.next_epoch(LeaderEpoch(100)), std::nullopt);
}

TEST(EpochCacheRows, E29_EpochForOffset) {
    const EpochCache cache = cache_of({{0, 10}, {1, 20}, {5, 30}});
    EXPECT_EQ(cache.epoch_for_offset(Offset(25)), LeaderEpoch(1));
    EXPECT_EQ(cache.epoch_for_offset(Offset(20)), LeaderEpoch(1));
    EXPECT_EQ(cache.epoch_for_offset(Offset(30)), LeaderEpoch(5));
    EXPECT_EQ(cache.epoch_for_offset(Offset(50)), LeaderEpoch(5));
    EXPECT_EQ(cache.epoch_for_offset(Offset(5)), std::nullopt);
}

TEST(EpochCacheRows, E30_ReopenedFromTheFile) {
    EpochCache cache;
    ASSERT_TRUE(cache.assign(LeaderEpoch(2), Offset(6)));
    sim::Disk disk;
    const DiskPort port{disk, Time{}};
    ASSERT_TRUE(disk.make_directories("/data/t-0", {}).ok());
    ASSERT_FALSE(replace_file(
        port, "/data/t-0", kLeaderEpochCheckpoint, encode_epoch_checkpoint(cache.entries())));
    const auto content = read_file(port, join_path("/data/t-0", kLeaderEpochCheckpoint));
    ASSERT_TRUE(content.ok() && content->has_value());
    const auto parsed = parse_epoch_checkpoint(**content);
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(EpochCache(*parsed), cache);
    EXPECT_EQ(entries_of(EpochCache(*parsed)), (Pairs{{2, 6}}));
}

TEST(EpochCache, SaysWhetherAnythingChanged) {
    // The caller writes the checkpoint file (an fsync) only when it has to.
    EpochCache cache;
    EXPECT_TRUE(cache.assign(LeaderEpoch(1), Offset(0)));
    EXPECT_FALSE(cache.assign(LeaderEpoch(1), Offset(5)));
    EXPECT_FALSE(cache.truncate_from_end(Offset(5)));
    EXPECT_TRUE(cache.clear());
    EXPECT_FALSE(cache.clear());
}

TEST(EpochCache, NegativeValuesAreABug) {
    EpochCache cache;
    EXPECT_THROW(cache.assign(LeaderEpoch(-1), Offset(0)), AssertionFailure);
    EXPECT_THROW(cache.assign(LeaderEpoch(0), Offset(-1)), AssertionFailure);
}

/// One step of the random walk: assign, or truncate at one end.
struct Step {
    std::uint32_t kind = 0;
    std::int32_t epoch = 0;
    std::int64_t offset = 0;
};

/// The rules of the reference said as plainly as possible on a list of pairs.
void apply_plainly(Pairs& list, const Step& step) {
    Pairs kept;
    if (step.kind == 0) {
        if (!list.empty() && list.back().first == step.epoch && list.back().second <= step.offset) {
            return;
        }
        while (!list.empty() &&
               (list.back().first >= step.epoch || list.back().second >= step.offset)) {
            list.pop_back();
        }
        list.emplace_back(step.epoch, step.offset);
    } else if (step.kind == 1) {
        for (const Pair& pair : list) {
            if (pair.second < step.offset) {
                kept.push_back(pair);
            }
        }
        list = kept;
    } else {
        std::optional<Pair> covering;
        for (const Pair& pair : list) {
            if (pair.second <= step.offset) {
                covering = Pair{pair.first, step.offset};
            } else {
                kept.push_back(pair);
            }
        }
        if (covering) {
            kept.insert(kept.begin(), *covering);
        }
        list = kept;
    }
}

Pair ask_plainly(const Pairs& list, std::int32_t requested, std::int64_t log_end) {
    if (list.empty() || requested > list.back().first) {
        return kUndefined;
    }
    if (requested == list.back().first) {
        return {requested, log_end};
    }
    std::int32_t found = requested;
    for (const Pair& pair : list) {
        if (pair.first > requested) {
            return {found, pair.second};
        }
        found = pair.first;
    }
    return kUndefined;
}

RC_GTEST_PROP(EpochCacheLaw, BehavesLikeAPlainList, ()) {
    EpochCache cache;
    Pairs list;
    const auto count = *rc::gen::inRange(0, 40);
    for (int i = 0; i < count; ++i) {
        const Step step{*rc::gen::inRange<std::uint32_t>(0, 3),
                        *rc::gen::inRange<std::int32_t>(0, 12),
                        *rc::gen::inRange<std::int64_t>(0, 30)};
        apply_plainly(list, step);
        const EpochCache before = cache;
        bool changed = false;
        if (step.kind == 0) {
            changed = cache.assign(LeaderEpoch(step.epoch), Offset(step.offset));
        } else if (step.kind == 1) {
            changed = cache.truncate_from_end(Offset(step.offset));
        } else {
            changed = cache.truncate_from_start(Offset(step.offset));
        }
        RC_ASSERT(entries_of(cache) == list);
        RC_ASSERT(changed == (cache != before));
        for (std::int32_t epoch = 0; epoch < 13; ++epoch) {
            RC_ASSERT(ask(cache, epoch, 99) == ask_plainly(list, epoch, 99));
        }
    }
}

}  // namespace
}  // namespace klab::storage
