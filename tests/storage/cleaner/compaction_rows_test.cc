// SPDX-License-Identifier: Apache-2.0
//
// What stays of plain and idempotent records: rows C1, C2, C20, C22 to C31, C34 (LogCleanerTest).
#include <limits>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "tests/storage/cleaner/compacted_log.h"

namespace klab::storage::cleaner {
namespace {

using Place = std::optional<std::pair<std::int64_t, std::int64_t>>;

/// A map that knows a later record of these keys than any log has.
OffsetMap superseding(const Keys& keys) {
    OffsetMap map({1000, 1000});
    for (const std::int32_t key : keys) {
        map.put(view_of(std::to_string(key)),
                types::Offset(std::numeric_limits<std::int64_t>::max()));
    }
    return map;
}

/// Four closed segments of five records, keys and offsets 0 to 19.
CompactedLog twenty_keys() {
    CompactedLog log;
    for (std::int32_t key = 0; key < 20; ++key) {
        log.put(key);
        if (key % 5 == 4) {
            log.roll();
        }
    }
    return log;
}

TEST(CompactionRows, C1_DuplicatesAreKnownAfterCleaning) {
    // Sequence numbers follow from base sequence and last offset, so both must outlive the records.
    CompactedLog log;
    log.produce(1, {1, 2, 3}).produce(2, {3, 1, 4}).produce(3, {1, 4}).roll();
    log.clean(0);
    EXPECT_EQ(log.batch_ends(), (Offsets{2, 5, 7}));
    EXPECT_EQ(log.last_sequences(), (Sequences{{1, 2}, {2, 2}, {3, 1}}));
    EXPECT_EQ(log.keys(), (Keys{2, 3, 1, 4}));
    EXPECT_EQ(log.offsets(), (Offsets{1, 3, 6, 7}));
    EXPECT_EQ(log.place_of_retry(1, {1, 2, 3}, 0), Place(std::pair(0, 2)));
    EXPECT_EQ(log.place_of_retry(2, {3, 1, 4}, 0), Place(std::pair(3, 5)));
    EXPECT_EQ(log.place_of_retry(3, {1, 4}, 0), Place(std::pair(6, 7)));
}

TEST(CompactionRows, C2_AnEmptyBatchRemembersItsProducer) {
    // The last record of producer 1 goes; its header stays, because a retry may still come.
    CompactedLog log;
    log.produce(1, {1, 2, 3}).produce(2, {3, 1, 4}).produce(3, {1, 4}).roll();
    log.clean(0);
    log.produce(4, {2}).roll();
    log.clean(0);
    EXPECT_EQ(log.last_sequences(), (Sequences{{1, 2}, {2, 2}, {3, 1}, {4, 0}}));
    EXPECT_EQ(log.batch_ends(), (Offsets{2, 5, 7, 8}));
    EXPECT_EQ(log.keys(), (Keys{3, 1, 4, 2}));
    EXPECT_EQ(log.offsets(), (Offsets{3, 6, 7, 8}));
    EXPECT_EQ(log.place_of_retry(1, {1, 2, 3}, 0), Place(std::pair(0, 2)));
}

TEST(CompactionRows, C20_TheLastSequenceOfEachProducerStays) {
    CompactedLog log;
    log.put(0).produce(1, {0}).produce(2, {0}).produce(3, {0}).produce(2, {1}).roll();
    log.clean(0);
    EXPECT_EQ(log.batch_ends(), (Offsets{1, 3, 4}));
    EXPECT_EQ(log.last_sequences(), (Sequences{{1, 0}, {2, 1}, {3, 0}}));
    EXPECT_EQ(log.keys(), (Keys{0, 1}));
    EXPECT_EQ(log.offsets(), (Offsets{3, 4}));
}

TEST(CompactionRows, C22_ProgressWithAMapOfOneKey) {
    // However small the map, each cleaning gets further.
    CompactedLog log;
    log.put(0).put(1).put(0).put(1).put(0).roll().usable(1);
    EXPECT_EQ(log.clean(2).next_dirty, 3);
    EXPECT_EQ(log.offsets(), (Offsets{1, 2, 3, 4}));
    log.clean(3);
    EXPECT_EQ(log.offsets(), (Offsets{2, 3, 4}));
    log.clean(4);
    EXPECT_EQ(log.offsets(), (Offsets{3, 4}));
}

TEST(CompactionRows, C23_TheMapStopsAtTheFirstKeyTooMany) {
    CompactedLog log;
    log.put(0).put(1).put(2).put(3).put(4).roll().usable(2);
    const OffsetMapBuilder builder = log.build_map(2, 5);
    const auto find = [&](const char* key) { return builder.map().find(view_of(key)); };
    EXPECT_EQ(builder.map().size(), 2U);
    EXPECT_EQ(find("0"), std::nullopt);
    EXPECT_EQ(find("2"), types::Offset(2));
    EXPECT_EQ(find("3"), types::Offset(3));
    EXPECT_EQ(find("4"), std::nullopt);
    EXPECT_EQ(builder.records_read(), 4U);
    EXPECT_EQ(builder.end_offset(), types::Offset(4));
}

TEST(CompactionRows, C24_WhatACleaningCounts) {
    CompactedLog log;
    log.put(0).put(1).put(0).put(1).put(0).roll().usable(3);
    const std::size_t size_before = log.size();
    const Cleaned cleaned = log.clean(2);
    EXPECT_EQ(cleaned.next_dirty, 5);
    EXPECT_EQ(cleaned.records_read, 5U);
    EXPECT_EQ(cleaned.bytes_read, size_before);
    EXPECT_EQ(cleaned.records_written, 2U);
    EXPECT_EQ(cleaned.bytes_written, log.size());
    EXPECT_EQ(cleaned.invalid, 0U);
}

TEST(CompactionRows, C25_GapsBetweenSegmentsDoNotHoldTheCleanerBack) {
    CompactedLog one_gap;
    for (std::int32_t key = 0; key < 10; ++key) {
        one_gap.put(key);
    }
    one_gap.roll_at(11).put(1015);
    EXPECT_EQ(one_gap.clean(0).next_dirty, 11);

    CompactedLog two_gaps;
    for (std::int32_t key = 0; key < 10; ++key) {
        two_gaps.put(key);
    }
    two_gaps.roll_at(15);
    for (std::int32_t key = 15; key < 25; ++key) {
        two_gaps.put(key);
    }
    two_gaps.roll_at(30).put(1015);
    EXPECT_EQ(two_gaps.clean(0).next_dirty, 30);
}

TEST(CompactionRows, C26_OffsetsFarApart) {
    CompactedLog log;
    log.put(0).put_at(7206178, 1);
    const OffsetMapBuilder builder = log.build_map(0, 7206179);
    EXPECT_EQ(builder.map().latest_offset(), types::Offset(7206178));
    EXPECT_EQ(builder.map().size(), 2U);
    EXPECT_EQ(builder.map().find(view_of("0")), types::Offset(0));
    EXPECT_EQ(builder.map().find(view_of("1")), types::Offset(7206178));
}

TEST(CompactionRows, C27_ExactlyTheSupersededKeysGo) {
    CompactedLog log = twenty_keys();
    const std::size_t size_before = log.size();
    const Cleaned cleaned = log.clean_by(superseding({1, 3, 5, 7, 9}));
    EXPECT_EQ(log.keys(), (Keys{0, 2, 4, 6, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}));
    EXPECT_EQ(cleaned.bytes_read, size_before);
}

TEST(CompactionRows, C28_TheLastBatchStaysEmpty) {
    // Without it the log would end before offsets that were given away.
    CompactedLog log = twenty_keys();
    log.clean_by(superseding(log.keys()));
    EXPECT_EQ(log.segment_bases(), (Offsets{0, 20}));
    EXPECT_EQ(log.batch_ends(), (Offsets{19}));
    EXPECT_EQ(log.offsets(), Offsets{});
    EXPECT_EQ(log.size(), kRecordBatchOverhead);
}

TEST(CompactionRows, C29_DeletedKeysCannotBeRead) {
    CompactedLog log = twenty_keys();
    for (std::int32_t key = 0; key < 20; key += 2) {
        log.tombstone(key);
    }
    log.roll().put(100).put(101).roll();
    log.clean(0);
    EXPECT_EQ(log.keys(), (Keys{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 100, 101}));
}

TEST(CompactionRows, C30_TheAgeOfATombstoneDoesNotCount) {
    // Its time begins when the cleaner sees it, so that no reader misses it (KIP-534).
    constexpr std::int64_t kNow = 1'700'000'000'000;
    CompactedLog log;
    log.at(kNow + CompactedLog::kRetentionMs + 10'000).put(0).roll();
    log.at(kNow).clean(0);
    log.tombstone(0).roll();
    log.clean(1);
    EXPECT_EQ(log.batch_ends(), (Offsets{1}));
    log.put(1).roll();
    log.at(kNow + CompactedLog::kRetentionMs - 1).clean(2);
    EXPECT_EQ(log.batch_ends(), (Offsets{1, 2}));
}

TEST(CompactionRows, ATombstoneGoesInACleaningAtItsHorizon) {
    // The horizon itself is late enough.
    constexpr std::int64_t kNow = 1'700'000'000'000;
    CompactedLog log;
    log.put(0).tombstone(0).put(1).roll().at(kNow).clean(0);
    EXPECT_EQ(log.batch_ends(), (Offsets{1, 2}));
    log.at(kNow + CompactedLog::kRetentionMs).clean(0);
    EXPECT_EQ(log.batch_ends(), (Offsets{2}));
}

TEST(CompactionRows, C31_RecordsWithoutAKeyAreDroppedAndCounted) {
    CompactedLog log;
    log.unkeyed().unkeyed().unkeyed().roll().put(1).put(2).roll();
    const Cleaned cleaned = log.clean(0);
    EXPECT_EQ(cleaned.invalid, 3U);
    EXPECT_EQ(log.offsets(), (Offsets{3, 4}));
}

TEST(CompactionRows, C34_EmptySegmentsJoinAcrossTwoBillionOffsets) {
    constexpr std::int64_t kSpan = std::int64_t{1} << 31;
    CompactedLog log;
    for (std::int64_t i = 0; i < 3; ++i) {
        log.put_at(i * kSpan, 7).put_at((i + 1) * kSpan - 1, 7).roll();
    }
    log.put(7);
    const GroupLimits limits{1U << 30U, 1U << 30U, types::Offset(log.active_base())};
    EXPECT_EQ(group_segments(log.extents(), limits).size(), 3U);
    log.clean(0);
    EXPECT_EQ(log.segment_bases().size(), 4U);
    EXPECT_EQ(log.segment_sizes().front(), 0U);
    EXPECT_EQ(group_segments(log.extents(), limits).size(), 2U);
    log.clean(0);
    EXPECT_EQ(log.segment_bases().size(), 3U);
}

TEST(CompactionRows, CleaningAgainChangesNothing) {
    // With no new records and no time gone by, the second cleaning finds nothing to do.
    CompactedLog log;
    log.produce(1, {1, 2, 3}).tombstone(2).transact(2, {4}).abort(2).put(1).roll();
    log.transact(3, {5, 5}).commit(3).tombstone(9).roll();
    log.clean(0);
    log.clean(0);
    const Bytes once = log.bytes_of_segment(0);
    log.clean(0);
    EXPECT_EQ(log.bytes_of_segment(0), once);
}

}  // namespace
}  // namespace klab::storage::cleaner
