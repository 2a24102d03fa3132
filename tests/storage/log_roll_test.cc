// SPDX-License-Identifier: Apache-2.0
//
// Closing the active segment and flushing: rows U8, U9, U11, U12, U15 to U17 and U19 of Kafka's own
// cases (UnifiedLogTest, LocalLogTest). More of rolling is in log_append_test.cc.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tests/storage/log_fixture.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;

class LogRolling : public LogTest {
  protected:
    void append_now() { ASSERT_TRUE(lead(batch_of({"test"}, now_ms_)).ok()); }

    void roll() { ASSERT_FALSE(log_.roll(port())); }

    [[nodiscard]] std::set<std::string> names(std::string_view ending) const {
        std::set<std::string> out;
        const auto all = disk_.list(log_.directory());
        for (const std::string& name : *all) {
            if (name.ends_with(ending)) {
                out.insert(name);
            }
        }
        return out;
    }
};

TEST_F(LogRolling, U8_NothingToAppendDoesNotRoll) {
    options_.config.segment_ms = 3'600'000;
    open();
    append_now();
    now_ms_ += options_.config.segment_ms + 1;
    ASSERT_TRUE(follow({}).ok());
    EXPECT_EQ(bases().size(), 1U);
    // A leader says more: a produce request must hold one batch a partition.
    EXPECT_EQ(lead({}).error().error, AppendError::kInvalidRecord);
    EXPECT_EQ(bases().size(), 1U);
}

TEST_F(LogRolling, U9_JitterRollsEarlier) {
    // Outside of a run nothing is drawn, so the jitter is 0. What counts is that the age is
    // compared with segment.ms less the jitter of this segment.
    options_.config.segment_ms = 3'600'000;
    options_.config.segment_jitter_ms = 1'200'000;
    open();
    append_now();
    EXPECT_EQ(bases().size(), 1U);
    now_ms_ += options_.config.segment_ms - options_.config.segment_jitter_ms;
    append_now();
    EXPECT_EQ(bases().size(), 1U);
    now_ms_ += options_.config.segment_jitter_ms - log_.active_segment().roll_jitter_ms() + 1;
    append_now();
    EXPECT_EQ(bases().size(), 2U);
}

TEST_F(LogRolling, U11_RollOfAnEmptySegmentMakesItAnew) {
    open();
    ASSERT_FALSE(log_.flush_all(port()));  // so that it has index files
    roll();
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0}));
    EXPECT_EQ(names(".deleted"),
              (std::set<std::string>{"00000000000000000000.index.deleted",
                                     "00000000000000000000.log.deleted",
                                     "00000000000000000000.timeindex.deleted"}));
    append_many(2);
    EXPECT_EQ(values().size(), 2U);
    roll();
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 2}));
}

TEST_F(LogRolling, U11_FullIndexOfAnEmptySegmentMakesItAnew) {
    // Kafka's test shrinks the index of the active segment to nothing. Here a topic with no room
    // for an entry does it; a new size of the index then gives it some.
    options_.config.segment_index_bytes = 12;
    open();
    append_many(1);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0}));
    append_many(1);
    EXPECT_EQ(values().size(), 2U);
    EXPECT_EQ(end(), 2);
}

TEST_F(LogRolling, U12_RollIsAtTheLogEnd) {
    // Whoever rolls by hand expects an offset; the log end wins where it is higher.
    open();
    append_many(2);
    roll();
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 2}));
}

TEST_F(LogRolling, U15_FlushOfEverythingMakesIndexFiles) {
    open();
    append_now();
    roll();
    EXPECT_EQ(names(".log").size(), 2U);
    EXPECT_EQ(names(".index").size(), 1U);
    ASSERT_FALSE(log_.flush_all(port()));
    EXPECT_EQ(names(".log").size(), 2U);
    EXPECT_EQ(names(".index").size(), 2U);
}

TEST_F(LogRolling, U16_FlushAfterARollMovesTheRecoveryPoint) {
    open();
    append_many(1);
    roll();
    EXPECT_EQ(log_.recovery_point(), Offset(0));
    ASSERT_FALSE(log_.run_pending_flush(port()));
    EXPECT_EQ(log_.recovery_point(), Offset(1));
    EXPECT_FALSE(log_.has_pending_flush());
}

TEST_F(LogRolling, U17_SnapshotThatCannotBeSyncedKeepsTheRecoveryPoint) {
    open();
    ASSERT_TRUE(lead(idempotent_batch_of(1, 0, 0, {"a"})).ok());
    roll();
    // A directory in its place: the call on the snapshot fails, as a disk that refuses would.
    const std::string snapshot = "/data/t-0/00000000000000000001.snapshot";
    ASSERT_TRUE(disk_.remove(snapshot, {}).ok());
    ASSERT_TRUE(disk_.make_directories(snapshot, {}).ok());
    EXPECT_EQ(log_.run_pending_flush(port()), AppendError::kStorage);
    EXPECT_EQ(log_.recovery_point(), Offset(0));
}

TEST_F(LogRolling, U17_SnapshotThatIsGoneIsNoError) {
    open();
    ASSERT_TRUE(lead(idempotent_batch_of(1, 0, 0, {"a"})).ok());
    roll();
    ASSERT_TRUE(disk_.remove("/data/t-0/00000000000000000001.snapshot", {}).ok());
    ASSERT_FALSE(log_.run_pending_flush(port()));
    EXPECT_EQ(log_.recovery_point(), Offset(1));
}

TEST_F(LogRolling, U19_HighWatermarkOfAFollower) {
    open();
    append_many(100);
    const auto set = [&](std::int64_t to) {
        const Offset before = log_.high_watermark();
        const Offset after = log_.set_high_watermark(Offset(to));
        return after == before ? -1 : after.value();
    };
    EXPECT_EQ(set(99), 99);
    EXPECT_EQ(set(99), -1);
    EXPECT_EQ(set(100), 100);
    EXPECT_EQ(set(100), -1);
    EXPECT_EQ(set(101), -1) << "never above the log end";
}

TEST_F(LogRolling, U35_GapBetweenSegmentsIsSkipped) {
    options_.config.segment_bytes = 4 * kOne;
    open();
    append_many(5);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 4}));
    // All but the first record of the first segment are lost, and nobody looks.
    ASSERT_TRUE(disk_.truncate(file(0), kOne, {}).ok());
    options_.was_clean_shutdown = true;
    open();
    const auto info = read(1);
    ASSERT_TRUE(info.ok());
    EXPECT_EQ(info->place.offset, Offset(4));
}

TEST_F(LogRolling, U14_SnapshotBearsTheNewBase) {
    open();
    ASSERT_TRUE(follow(placed(batch_of({"a"}), 0, 0)).ok());
    ASSERT_TRUE(follow(placed(batch_of({"b"}), 2147483649, 0)).ok());
    EXPECT_EQ(log_.active_segment().base_offset(), Offset(2147483649));
    EXPECT_TRUE(disk_.exists("/data/t-0/00000000002147483649.snapshot"));
}

TEST_F(LogRolling, IndexOfAClosedSegmentIsCutToItsEntries) {
    options_.config.index_interval_bytes = kOne - 1;
    open();
    append_many(10);
    const auto size_of = [&](std::string_view kind) {
        return disk_.size(disk_.open(SegmentPlace{log_.directory(), Offset(0)}.path(kind)).value())
            .value();
    };
    EXPECT_EQ(size_of(kIndexSuffix), 10485760U);
    EXPECT_EQ(size_of(kTimeIndexSuffix), 10485756U);
    roll();
    EXPECT_EQ(size_of(kIndexSuffix), 9 * OffsetIndexEntry::kBytes);
    EXPECT_EQ(size_of(kTimeIndexSuffix), TimeIndexEntry::kBytes) << "all timestamps are equal";
}

}  // namespace
}  // namespace klab::storage
