// SPDX-License-Identifier: Apache-2.0
//
// Cutting a log: rows R1 to R6 of Kafka's own cases, S7 and S20 of the segment, U57-like producer
// state after a cut.
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/storage/log_fixture.h"

namespace klab::storage {
namespace {

using types::Offset;

class LogTruncation : public LogTest {
  protected:
    std::optional<TruncationFact> cut(std::int64_t offset) {
        const auto result = log_.truncate_to(port(), Offset(offset));
        EXPECT_TRUE(result.ok());
        return result.value();
    }

    /// Bases of the segments whose file of this kind was there before and is not there now, from
    /// those that `bases()` may have had.
    [[nodiscard]] std::vector<std::int64_t> gone(std::string_view kind) const {
        std::vector<std::int64_t> out;
        for (const std::int64_t base : {0, 3, 6, 9, 12}) {
            if (!disk_.exists(SegmentPlace{log_.directory(), Offset(base)}.path(kind))) {
                out.push_back(base);
            }
        }
        return out;
    }

    void restart(std::int64_t offset) {
        ASSERT_TRUE(log_.truncate_fully_and_start_at(port(), Offset(offset)).ok());
    }
};

TEST_F(LogTruncation, R1_InsideOneSegment) {
    options_.config.segment_bytes = 10 * kOne;
    open();
    append_many(10);
    EXPECT_EQ(cut(10), std::nullopt);
    EXPECT_EQ(cut(11), std::nullopt);
    EXPECT_EQ(end(), 10);
    EXPECT_EQ(cut(5), (TruncationFact{Offset(10), Offset(5), Offset(0)}));
    EXPECT_EQ(end(), 5);
    EXPECT_EQ(log_.size(), 5U * kOne);
    EXPECT_TRUE(cut(0).has_value());
    EXPECT_EQ(end(), 0);
    EXPECT_EQ(log_.size(), 0U);
    append_one();
    EXPECT_EQ(end(), 1);
}

TEST_F(LogTruncation, R2_BelowTheFirstSegment) {
    options_.config.segment_bytes = 10 * kOne;
    open();
    append_many(10);
    restart(1);
    EXPECT_EQ(end(), 1);
    EXPECT_EQ(log_.size(), 0U);
    append_many(10);
    EXPECT_EQ(end(), 11);
    EXPECT_TRUE(cut(0).has_value());
    EXPECT_EQ(end(), 0);
    EXPECT_EQ(log_.size(), 0U);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0}));
}

TEST_F(LogTruncation, R3_AcrossSegments) {
    open();
    for (int i = 0; i < 12; ++i) {
        append_one();
        if (i % 3 == 2) {
            ASSERT_FALSE(log_.roll(port()));
        }
    }
    ASSERT_FALSE(log_.run_pending_flush(port()));
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 3, 6, 9, 12}));
    EXPECT_EQ(cut(7), (TruncationFact{Offset(12), Offset(7), Offset(0)}));
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 3, 6}));
    EXPECT_EQ(end(), 7);
    EXPECT_EQ(gone(".log"), (std::vector<std::int64_t>{9, 12}));
    EXPECT_EQ(gone(".index"), (std::vector<std::int64_t>{9, 12}));
    EXPECT_EQ(gone(".timeindex"), (std::vector<std::int64_t>{9, 12}));
    const auto done = lead(batch_of({"next"}));
    ASSERT_TRUE(done.ok());
    EXPECT_EQ(done->batch.base_offset, Offset(7));
}

TEST_F(LogTruncation, R4_StartAnewInTheMiddle) {
    options_.config.segment_bytes = 2 * kOne;
    open();
    append_many(13);
    restart(10);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{10}));
    EXPECT_EQ(end(), 10);
    EXPECT_EQ(log_.recovery_point(), Offset(0));
    EXPECT_EQ(log_.log_start_offset(), Offset(10));
    EXPECT_TRUE(epochs().empty());
}

TEST_F(LogTruncation, R6_EpochEntriesGoWithTheirRecords) {
    open();
    append_many(10, 0);
    append_many(6, 1);
    append_many(4, 2);
    const auto entries_after = [this](std::int64_t offset) {
        cut(offset);
        return log_.epochs().entries().size();
    };
    EXPECT_EQ(entries_after(20), 3U);
    EXPECT_EQ(entries_after(11), 2U);
    EXPECT_EQ(entries_after(10), 1U);
    EXPECT_EQ(entries_after(0), 0U);
}

TEST_F(LogTruncation, S7_CutAfterEachAppendKeepsExactlyTheFirst) {
    options_.log_start = Offset(40);
    open();
    for (std::int64_t i = 0; i < 30; ++i) {
        ASSERT_TRUE(follow(placed(batch_of({"kept"}), 40 + i, 0)).ok());
        ASSERT_TRUE(follow(placed(batch_of({"cut"}), 41 + i, 0)).ok());
        cut(41 + i);
        EXPECT_EQ(values(), std::vector<std::string>(static_cast<std::size_t>(i) + 1, "kept"));
    }
}

TEST_F(LogTruncation, S20_GapBeforeTheCutBatch) {
    options_.log_start = Offset(40);
    open();
    ASSERT_TRUE(follow(placed(batch_of({"a"}), 40, 0)).ok());
    ASSERT_TRUE(follow(placed(batch_of({"b"}), 43, 0)).ok());
    cut(41);
    EXPECT_EQ(values(), (std::vector<std::string>{"a"}));
    EXPECT_EQ(end(), 41);
}

TEST_F(LogTruncation, BatchThatStraddlesTheOffsetGoesAsAWhole) {
    open();
    ASSERT_TRUE(lead(batch_of({"a"})).ok());
    ASSERT_TRUE(lead(batch_of({"b", "c", "d"})).ok());
    cut(3);
    EXPECT_EQ(end(), 3) << "the log end is the asked offset, not the end of the last batch";
    EXPECT_EQ(values(), (std::vector<std::string>{"a"}));
    ASSERT_TRUE(lead(batch_of({"e"})).ok());
    EXPECT_EQ(list_records(log_, disk_).back().offset, Offset(3));
}

TEST_F(LogTruncation, RecoveryPointAndLogStartFollowDown) {
    open();
    append_many(5);
    ASSERT_FALSE(log_.flush(port()));
    log_.set_high_watermark(Offset(5));
    ASSERT_TRUE(log_.raise_log_start(port(), Offset(3)).ok());
    cut(2);
    EXPECT_EQ(log_.recovery_point(), Offset(2));
    EXPECT_EQ(log_.log_start_offset(), Offset(2));
    EXPECT_EQ(log_.high_watermark(), Offset(2));
}

TEST_F(LogTruncation, ProducerStateIsThatOfTheRecordsLeft) {
    // After a cut the leader must accept the sequence that follows what is left, and no other.
    options_.config.segment_bytes = 300;
    open();
    for (std::int32_t sequence = 0; sequence < 10; ++sequence) {
        ASSERT_TRUE(lead(idempotent_batch_of(1, 0, sequence, {"x"})).ok());
    }
    cut(4);
    EXPECT_EQ(log_.producers().find(types::ProducerId(1))->last_sequence(), 3);
    EXPECT_EQ(lead(idempotent_batch_of(1, 0, 10, {"x"})).error().error,
              AppendError::kOutOfOrderSequence);
    EXPECT_TRUE(lead(idempotent_batch_of(1, 0, 4, {"x"})).ok());
}

TEST_F(LogTruncation, EmptiedSegmentRestartsItsAge) {
    options_.config.segment_ms = 1000;
    open();
    append_one();
    now_ms_ += 500;
    cut(0);
    ASSERT_TRUE(lead(batch_of({"x"}, -1)).ok());
    now_ms_ += 900;
    ASSERT_TRUE(lead(batch_of({"x"}, -1)).ok());
    EXPECT_EQ(bases().size(), 1U) << "900 ms since it was emptied";
    now_ms_ += 200;
    ASSERT_TRUE(lead(batch_of({"x"}, -1)).ok());
    EXPECT_EQ(bases().size(), 2U);
}

TEST_F(LogTruncation, SameBytesAfterTruncateAndReappend) {
    open();
    append_many(4);
    const Bytes before = disk_.read(file(0), 0, 1 << 20).value();
    cut(2);
    append_many(2);
    EXPECT_EQ(disk_.read(file(0), 0, 1 << 20).value(), before);
}

/// Name and bytes of each .log file.
std::map<std::string, Bytes> logs_on(const sim::Disk& disk) {
    std::map<std::string, Bytes> out;
    for (const auto& [path, file] : disk.files()) {
        if (path.ends_with(kLogSuffix)) {
            out[path] = disk.read(file, 0, 1 << 20).value();
        }
    }
    return out;
}

RC_GTEST_FIXTURE_PROP(LogTruncation, CutAndAppendedAgainGivesTheSameBytes, ()) {
    options_.config.segment_bytes = 400;
    open();
    std::vector<Bytes> batches;
    const auto count = *rc::gen::inRange(1, 20);
    for (int i = 0; i < count; ++i) {
        const std::vector<std::string> values(*rc::gen::inRange<std::size_t>(1, 4), "v");
        batches.push_back(placed(batch_of(values, i), end(), i / 5));
        RC_ASSERT(follow(batches.back()).ok());
    }
    const auto before = logs_on(disk_);
    const auto cuts = *rc::gen::inRange(1, 4);
    for (int i = 0; i < cuts; ++i) {
        const auto kept = *rc::gen::inRange<std::size_t>(0, batches.size());
        truncate(RecordBatchView(batches[kept]).base_offset().value());
        for (std::size_t next = kept; next < batches.size(); ++next) {
            RC_ASSERT(follow(batches[next]).ok());
        }
        RC_ASSERT(logs_on(disk_) == before);
    }
}

TEST_F(LogTruncation, DestroyRemovesTheDirectory) {
    open();
    append_one();
    ASSERT_FALSE(log_.destroy(port()));
    EXPECT_FALSE(disk_.exists("/data/t-0"));
}

}  // namespace
}  // namespace klab::storage
