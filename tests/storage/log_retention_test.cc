// SPDX-License-Identifier: Apache-2.0
//
// Deleting old segments: rows R5, R7 to R23 and R27 of Kafka's own cases (UnifiedLogTest,
// LocalLogTest, LogManagerTest). Rows R24 to R26 need remote storage.
#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/storage/log_fixture.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;

class LogRetention : public LogTest {
  protected:
    /// `count` records of one batch each, five a segment, all committed.
    void fill(int count, std::int64_t timestamp, int a_segment = 5) {
        const Bytes one = stamped(timestamp);
        options_.config.segment_bytes = a_segment * static_cast<std::int32_t>(one.size());
        open();
        for (int i = 0; i < count; ++i) {
            ASSERT_TRUE(lead(one).ok());
        }
        commit_all();
    }

    /// A record with a key, so that compacted topics take it too.
    static Bytes stamped(std::int64_t timestamp) {
        RecordBatchBuilder builder;
        RecordInput record;
        record.timestamp = timestamp;
        record.key = view_of(std::string_view("test"));
        record.value = view_of(std::string_view("test"));
        return builder.append(record).build();
    }

    void commit_all() { log_.set_high_watermark(log_.log_end_offset()); }

    /// Returns how many segments went.
    std::size_t remove_old() {
        const bool expects_some = log_.has_deletable_segments(port());
        const auto deleted = log_.delete_old_segments(port());
        EXPECT_TRUE(deleted.ok());
        EXPECT_EQ(expects_some, !deleted->empty());
        return deleted->size();
    }

    [[nodiscard]] std::size_t segments() const { return log_.segments().size(); }

    [[nodiscard]] std::int64_t start() const { return log_.log_start_offset().value(); }

    void raise_start(std::int64_t offset) {
        ASSERT_TRUE(log_.raise_log_start(port(), Offset(offset)).ok());
    }

    void sleep(std::int64_t ms) { now_ms_ += ms; }

    /// Names in the directory that end like this.
    [[nodiscard]] std::size_t files(std::string_view ending) const {
        const auto names = disk_.list(log_.directory());
        return static_cast<std::size_t>(
            std::count_if(names->begin(), names->end(), [&](const std::string& name) {
                return std::string_view(name).ends_with(ending);
            }));
    }

    void keep_bytes(std::int64_t records) {
        options_.config.retention_bytes =
            records * static_cast<std::int64_t>(stamped(now_ms_).size());
    }
};

using Epochs = std::vector<std::pair<std::int32_t, std::int64_t>>;

TEST_F(LogRetention, R5_CutSegmentGivesItsIndexesRoomAgain) {
    const auto one = static_cast<std::int32_t>(stamped(now_ms_).size());
    options_.config.index_interval_bytes = one - 1;
    options_.config.segment_bytes = 10 * one;
    options_.config.segment_index_bytes = 1000;
    open();
    for (std::int64_t i = 0; i < 20; ++i) {
        ASSERT_TRUE(lead(stamped(now_ms_ + 10 * i)).ok());
    }
    const auto size_of = [&](std::string_view kind) {
        return disk_.size(disk_.open(SegmentPlace{log_.directory(), Offset(0)}.path(kind)).value())
            .value();
    };
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 10}));
    EXPECT_EQ(size_of(kIndexSuffix), 9 * OffsetIndexEntry::kBytes);
    EXPECT_EQ(size_of(kTimeIndexSuffix), 9 * TimeIndexEntry::kBytes);
    truncate(0);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0}));
    EXPECT_EQ(size_of(kIndexSuffix), 1000U);
    EXPECT_EQ(size_of(kTimeIndexSuffix), 996U);
}

TEST_F(LogRetention, R7_BySize) {
    keep_bytes(10);
    fill(15, now_ms_);
    EXPECT_EQ(remove_old(), 1U);
    EXPECT_EQ(segments(), 2U);
}

TEST_F(LogRetention, R8_NotWhileUnderTheLimit) {
    keep_bytes(15);
    fill(15, now_ms_);
    EXPECT_EQ(remove_old(), 0U);
    EXPECT_EQ(segments(), 3U);
}

TEST_F(LogRetention, R9_ByTime) {
    options_.config.retention_ms = 10000;
    fill(15, 10);
    EXPECT_EQ(remove_old(), 3U);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{15})) << "one empty segment is rolled first";
    EXPECT_EQ(end(), 15);
}

TEST_F(LogRetention, R10_NotWhileYoung) {
    options_.config.retention_ms = 10000000;
    fill(15, now_ms_);
    EXPECT_EQ(remove_old(), 0U);
    EXPECT_EQ(segments(), 3U);
}

TEST_F(LogRetention, R11_CompactedTopicsKeepOldSegments) {
    options_.config.retention_ms = 10000;
    options_.config.is_compacted = true;
    options_.config.deletes_old = false;
    fill(15, 10);
    EXPECT_EQ(remove_old(), 0U);
    EXPECT_EQ(segments(), 3U);
}

TEST_F(LogRetention, R11_UnlessTheyDeleteToo) {
    options_.config.retention_ms = 10000;
    options_.config.is_compacted = true;
    fill(15, 10);
    EXPECT_EQ(remove_old(), 3U);
    EXPECT_EQ(segments(), 1U);
}

TEST_F(LogRetention, R12_BelowTheLogStartEvenWhereNothingIsDeleted) {
    options_.config.retention_ms = 10000;
    options_.config.is_compacted = true;
    options_.config.deletes_old = false;
    fill(15, 10);
    raise_start(5);
    EXPECT_EQ(remove_old(), 1U);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{5, 10}));
}

TEST_F(LogRetention, R13_BelowTheLogStart) {
    fill(15, now_ms_);
    raise_start(1);
    remove_old();
    EXPECT_EQ(segments(), 3U);
    raise_start(6);
    remove_old();
    EXPECT_EQ(segments(), 2U);
    EXPECT_EQ(start(), 6);
    raise_start(15);
    remove_old();
    EXPECT_EQ(segments(), 1U);
    EXPECT_EQ(start(), 15);
}

/// Fifteen records, three segments, epochs that begin at these offsets.
class EpochRetention : public LogRetention {
  protected:
    void fill_epochs(std::int64_t second, std::int64_t third) {
        keep_bytes(10);
        options_.config.segment_bytes = 5 * static_cast<std::int32_t>(stamped(now_ms_).size());
        open();
        for (std::int64_t i = 0; i < 15; ++i) {
            ASSERT_TRUE(lead(stamped(now_ms_), i < second ? 0 : i < third ? 1 : 2).ok());
        }
        commit_all();
        ASSERT_EQ(remove_old(), 1U);
    }
};

TEST_F(EpochRetention, R14_EpochsOfDeletedSegmentsGo) {
    fill_epochs(5, 10);
    EXPECT_EQ(epochs(), (Epochs{{1, 5}, {2, 10}}));
}

TEST_F(EpochRetention, R15_EpochThatGoesOnStartsAtTheLogStart) {
    fill_epochs(7, 10);
    EXPECT_EQ(epochs(), (Epochs{{0, 5}, {1, 7}, {2, 10}}));
}

TEST_F(LogRetention, R16_NeverAboveTheHighWatermark) {
    options_.config.retention_ms = 999;
    options_.config.segment_bytes = 5 * static_cast<std::int32_t>(stamped(now_ms_).size());
    open();
    for (std::int64_t i = 0; i < 100; ++i) {
        ASSERT_TRUE(lead(stamped(now_ms_ - 1000), i < 90 ? 0 : 1).ok());
    }
    EXPECT_EQ(remove_old(), 0U);
    EXPECT_EQ(start(), 0);
    for (std::int64_t hw = 25; hw <= 30; ++hw) {
        log_.set_high_watermark(Offset(hw));
        remove_old();
        EXPECT_LE(start(), hw);
        for (const std::int64_t base : bases()) {
            EXPECT_GE(base + 4, hw) << "the last record of a segment that stays";
        }
    }
    commit_all();
    remove_old();
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{100}));
    EXPECT_EQ(epochs(), (Epochs{{1, 100}}));
}

TEST_F(LogRetention, R17_FollowingTheHighWatermark) {
    options_.config.retention_ms = 1000;
    options_.config.segment_bytes = 512;
    open();
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(lead(stamped(now_ms_ - 1001)).ok());
    }
    for (std::int64_t hw = 0; hw <= 100; ++hw) {
        log_.set_high_watermark(Offset(hw));
        remove_old();
        const auto all = bases();
        EXPECT_LE(all.front(), hw);
        EXPECT_LE(start(), hw);
        for (std::size_t i = 1; i < all.size(); ++i) {
            EXPECT_GT(all[i], hw) << "the segment before it would have gone";
        }
    }
    EXPECT_EQ(start(), 100);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{100}));
    EXPECT_EQ(log_.size(), 0U);
}

TEST_F(LogRetention, R18_LogEndStaysWhateverGoes) {
    for (const int count : {0, 1, 25}) {
        disk_ = {};
        options_.config.retention_ms = 0;
        fill(count, now_ms_ - 1, 100);
        remove_old();
        EXPECT_EQ(end(), count);
        EXPECT_EQ(segments(), 1U);
        EXPECT_EQ(remove_old(), 0U);
    }
}

TEST_F(LogRetention, R19_SeveralReasonsInOneRun) {
    options_.config.retention_ms = 900;
    options_.config.segment_bytes = static_cast<std::int32_t>(stamped(now_ms_).size());
    open();
    for (const std::int64_t later : {100, 0, 100}) {
        ASSERT_TRUE(lead(stamped(now_ms_ + later)).ok());
    }
    ASSERT_EQ(segments(), 3U);
    sleep(901);
    commit_all();
    raise_start(1);
    const auto deleted = log_.delete_old_segments(port());
    ASSERT_TRUE(deleted.ok());
    ASSERT_EQ(deleted->size(), 2U);
    EXPECT_EQ((*deleted)[0].reason, DeletionReason::kLogStart);
    EXPECT_EQ((*deleted)[1].reason, DeletionReason::kTime);
    EXPECT_EQ(remove_old(), 0U);
}

TEST_F(LogRetention, R20_SnapshotsGoWithTheirSegments) {
    for (const bool has_empty_active : {false, true}) {
        disk_ = {};
        options_.config.retention_bytes = 0;
        options_.config.retention_ms = 1000 * 60;
        options_.config.file_delete_delay_ms = 0;
        const Bytes one = idempotent_batch_of(1, 0, 0, {"test"}, now_ms_);
        options_.config.segment_bytes = static_cast<std::int32_t>(one.size());
        open();
        for (std::int32_t i = 0; i < 3; ++i) {
            ASSERT_TRUE(lead(idempotent_batch_of(1, 0, i, {"test"}, now_ms_)).ok());
        }
        if (has_empty_active) {
            ASSERT_FALSE(log_.roll(port()));
        }
        EXPECT_EQ(files(".snapshot"), has_empty_active ? 3U : 2U);
        commit_all();
        sleep(1000 * 60 + 1);
        remove_old();
        EXPECT_EQ(start(), 3);
        ASSERT_FALSE(log_.remove_deleted_files(port()));
        EXPECT_EQ(files(".snapshot"), 1U);
        EXPECT_EQ(log_.snapshots().latest(), Offset(3));
    }
}

TEST_F(LogRetention, R21_FilesGoAfterTheDelay) {
    options_.config.retention_ms = 999;
    options_.config.file_delete_delay_ms = 1000;
    fill(100, now_ms_ - 1000);
    const std::size_t before = segments();
    EXPECT_EQ(remove_old(), before);
    EXPECT_EQ(files(".log.deleted"), before);
    EXPECT_EQ(files(".index.deleted"), before);
    EXPECT_EQ(files(".timeindex.deleted"), before);
    EXPECT_EQ(files(".log"), 1U) << "the new active segment";
    ASSERT_FALSE(log_.remove_deleted_files(port()));
    EXPECT_EQ(files(".log.deleted"), before);
    sleep(1001);
    ASSERT_FALSE(log_.remove_deleted_files(port()));
    EXPECT_EQ(files(".deleted"), 0U);
    EXPECT_EQ(log_.next_deletion_ms(), std::nullopt);
}

TEST_F(LogRetention, R22_HowManyQualify) {
    options_.config.retention_ms = 999;
    fill(9, now_ms_, 1);
    ASSERT_FALSE(log_.roll(port()));
    ASSERT_EQ(segments(), 10U);
    const Log empty_active = log_;
    raise_start(6);
    EXPECT_EQ(remove_old(), 6U) << "bases 0 to 5";
    log_ = empty_active;
    sleep(1000);
    EXPECT_EQ(remove_old(), 9U) << "never the empty active one";
    disk_ = {};
    fill(10, now_ms_ - 1000, 1);
    EXPECT_EQ(remove_old(), 10U) << "the active one too, when it holds something";
}

TEST_F(LogRetention, R23_FilesOfTheSegmentsLeft) {
    options_.config.file_delete_delay_ms = 60000;
    options_.config.segment_bytes = 10 * kOne;
    options_.config.retention_bytes = 5 * 10 * kOne + 10;
    open();
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(lead(batch_of({"test"}, now_ms_)).ok());
    }
    EXPECT_EQ(segments(), 20U);
    commit_all();
    remove_old();
    EXPECT_EQ(segments(), 6U);
    sleep(60001);
    ASSERT_FALSE(log_.remove_deleted_files(port()));
    EXPECT_EQ(files(""), segments() * 4 + 1)
        << "each with .log, .index, .timeindex and .snapshot; and the leader epochs";
}

TEST_F(LogRetention, R27_LogStartAtAndBehindTheActiveSegment) {
    fill(5, now_ms_, 4);
    ASSERT_EQ(bases(), (std::vector<std::int64_t>{0, 4}));
    raise_start(3);
    remove_old();
    EXPECT_EQ(segments(), 2U);
    raise_start(4);
    remove_old();
    EXPECT_EQ(segments(), 1U);
    raise_start(5);
    remove_old();
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{4}));
    EXPECT_EQ(log_.log_start_offset(), log_.log_end_offset());
}

TEST_F(LogRetention, RecordFromTheFutureKeepsEverythingBehindIt) {
    // Why message.timestamp.after.max.ms became an hour (KIP-1030).
    options_.config.retention_ms = 1000;
    options_.config.segment_bytes = static_cast<std::int32_t>(stamped(now_ms_).size());
    open();
    ASSERT_TRUE(lead(stamped(now_ms_ + 1'000'000)).ok());
    ASSERT_TRUE(lead(stamped(now_ms_)).ok());
    ASSERT_TRUE(lead(stamped(now_ms_)).ok());
    commit_all();
    sleep(100'000);
    EXPECT_EQ(remove_old(), 0U);
}

}  // namespace
}  // namespace klab::storage
