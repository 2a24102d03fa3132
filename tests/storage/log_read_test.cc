// SPDX-License-Identifier: Apache-2.0
//
// Reading from a log: rows U32 to U39, U53 and U56 of Kafka's own cases, S3 and S5 of the segment.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/storage/log_fixture.h"

namespace klab::storage {
namespace {

using types::Offset;

class LogReading : public LogTest {
  protected:
    /// Offset of the first record at or after `start` in what a read returned.
    static std::optional<std::int64_t> first_at(const LogReadInfo& info, std::int64_t start) {
        BatchIterator batches(*info.records);
        while (const auto batch = batches.next()) {
            RecordIterator records(*batch);
            while (const auto record = records.next()) {
                if (record->offset >= Offset(start)) {
                    return record->offset.value();
                }
            }
        }
        return std::nullopt;
    }

    Result<LogReadInfo, types::ErrorCode> read_below(std::int64_t start, std::int64_t bound) {
        return log_.read(port(), {Offset(start), Offset(bound), 1 << 20, true});
    }
};

TEST_F(LogReading, U32_EveryOffsetOfALogWithGaps) {
    options_.config.segment_bytes = 10 * kOne;
    open();
    std::vector<std::int64_t> ids;
    for (std::int64_t id = 0; id < 50; ++id) {
        ids.push_back(id);
    }
    for (std::int64_t id = 50; id < 200; id += 7) {
        ids.push_back(id);
    }
    for (const std::int64_t id : ids) {
        ASSERT_TRUE(follow(placed(batch_of({"test"}), id, 0)).ok());
    }
    for (std::int64_t start = 0; start < ids.back(); ++start) {
        const auto info = read(start);
        ASSERT_TRUE(info.ok());
        const auto expected = *std::lower_bound(ids.begin(), ids.end(), start);
        EXPECT_EQ(first_at(*info, start), expected) << start;
    }
}

TEST_F(LogReading, U33_TinyLimits) {
    open();
    append_one();
    const auto one_byte = read(0, 1, false);
    ASSERT_TRUE(one_byte.ok());
    EXPECT_EQ(one_byte->records->size(), 1U);
    EXPECT_TRUE(one_byte->first_entry_incomplete);
    EXPECT_TRUE(read(0, 0, false)->records->empty());
    const auto at_least_one = read(0, 1, true);
    EXPECT_EQ(at_least_one->records->size(), static_cast<std::size_t>(kOne));
    EXPECT_FALSE(at_least_one->first_entry_incomplete);
}

TEST_F(LogReading, LimitMayCutTheLastBatch) {
    open();
    append_many(3);
    EXPECT_EQ(read(0, 2 * kOne + 10, true)->records->size(), 2U * kOne + 10);
}

TEST_F(LogReading, U34_OutOfRange) {
    options_.log_start = Offset(1024);
    open();
    append_one();
    EXPECT_TRUE(read(1025)->records->empty());
    EXPECT_EQ(read(0).error(), types::ErrorCode::kOffsetOutOfRange);
    EXPECT_EQ(read(1026).error(), types::ErrorCode::kOffsetOutOfRange);
}

TEST_F(LogReading, U36_ReadInsideABatchStartsWithTheBatch) {
    open();
    ASSERT_TRUE(lead(batch_of({"a", "b"})).ok());
    ASSERT_TRUE(lead(batch_of({"c", "d"})).ok());
    for (const auto& [start, first] :
         {std::pair{0, 0}, std::pair{1, 0}, std::pair{2, 2}, std::pair{3, 2}}) {
        EXPECT_EQ(read(start)->place.offset, Offset(first)) << start;
    }
}

TEST_F(LogReading, U37_BoundInALaterSegment) {
    options_.config.segment_bytes = 2 * 69;
    open();
    for (int i = 0; i < 6; ++i) {
        ASSERT_TRUE(lead(batch_of({"x"})).ok());
    }
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 2, 4}));
    const auto at_three = read_below(3, 4);
    ASSERT_TRUE(at_three.ok());
    EXPECT_EQ(at_three->place, (OffsetPlace{Offset(3), Offset(2), 69}));
    EXPECT_EQ(at_three->records->size(), 69U);
    const auto at_bound = read_below(4, 4);
    EXPECT_TRUE(at_bound->records->empty());
    EXPECT_EQ(at_bound->place, (OffsetPlace{Offset(4), Offset(4), 0}));
    const auto above_bound = read_below(5, 4);
    EXPECT_TRUE(above_bound->records->empty());
    EXPECT_EQ(above_bound->place, (OffsetPlace{Offset(5), Offset(4), 69}));
}

TEST_F(LogReading, U39_BelowTheBoundSomethingAboveNothing) {
    open();
    ASSERT_TRUE(lead(batch_of({"a", "b", "c"})).ok());
    ASSERT_TRUE(lead(batch_of({"d", "e"})).ok());
    // The bounds are the log's own: its high watermark, for consumers, and its end, for followers.
    for (const std::int64_t high_watermark : {0, 3, 5}) {
        log_.set_high_watermark(Offset(high_watermark));
        ASSERT_EQ(log_.high_watermark(), Offset(high_watermark));
        for (const Offset bound : {log_.high_watermark(), log_.log_end_offset()}) {
            for (std::int64_t start = 0; start <= 5; ++start) {
                EXPECT_EQ(read_below(start, bound.value())->records->empty(),
                          Offset(start) >= bound)
                    << start << " below " << bound.value();
            }
        }
    }
}

TEST_F(LogReading, BoundInsideABatchHidesTheBatch) {
    // A high watermark from a checkpoint may fall inside a batch; half a batch is never shown.
    open();
    ASSERT_TRUE(lead(batch_of({"a"})).ok());
    ASSERT_TRUE(lead(batch_of({"b", "c"})).ok());
    EXPECT_EQ(read_below(0, 2)->records->size(), 69U);
    EXPECT_TRUE(read_below(1, 2)->records->empty());
}

TEST_F(LogReading, NeverAcrossSegments) {
    options_.config.segment_bytes = 2 * kOne;
    open();
    append_many(4);
    EXPECT_EQ(read(0)->records->size(), 2U * kOne);
}

TEST_F(LogReading, U53_EarliestAndLatestWithTheirEpochs) {
    open();
    append_one(0);
    append_one(1);
    EXPECT_EQ(log_.earliest_offset(), (OffsetAndEpoch{Offset(0), types::LeaderEpoch(0)}));
    EXPECT_EQ(log_.latest_offset(), (OffsetAndEpoch{Offset(2), types::LeaderEpoch(1)}));
}

TEST_F(LogReading, U56_PlaceOfAnOffset) {
    options_.config.segment_bytes = 10 * kOne;
    options_.log_start = Offset(1);
    open();
    append_many(49);
    EXPECT_EQ(log_.place_of(disk_, Offset(35)).value(),
              (OffsetPlace{Offset(35), Offset(31), 4 * kOne}));
    EXPECT_EQ(log_.place_of(disk_, Offset(50)).value(),
              (OffsetPlace{Offset(50), Offset(41), 9 * kOne}));
}

TEST_F(LogReading, EndOffsetForEpochUsesTheLogEnd) {
    open();
    append_many(3, 1);
    append_many(2, 4);
    const auto ask = [this](std::int32_t epoch) {
        return log_.end_offset_for_epoch(types::LeaderEpoch(epoch));
    };
    EXPECT_EQ(ask(1), (EpochEndOffset{types::LeaderEpoch(1), Offset(3)}));
    EXPECT_EQ(ask(3), (EpochEndOffset{types::LeaderEpoch(1), Offset(3)}));
    EXPECT_EQ(ask(4), (EpochEndOffset{types::LeaderEpoch(4), Offset(5)}));
    EXPECT_EQ(ask(5), EpochEndOffset{});
}

TEST_F(LogReading, LostFileIsAStorageError) {
    open();
    append_one();
    ASSERT_TRUE(disk_.remove("/data/t-0", {}).ok());
    EXPECT_EQ(read(0).error(), types::ErrorCode::kKafkaStorageError);
    EXPECT_EQ(lead(batch_of({"x"})).error().error, AppendError::kStorage);
}

TEST_F(LogReading, ReaderShowsEveryBatchAndRecord) {
    open();
    ASSERT_TRUE(lead(idempotent_batch_of(9, 2, 5, {"a", "b"}), 3).ok());
    const auto records = list_records(log_, disk_);
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[1].offset, Offset(1));
    EXPECT_EQ(records[1].leader_epoch, types::LeaderEpoch(3));
    EXPECT_EQ(records[1].producer_id, types::ProducerId(9));
    EXPECT_EQ(records[1].producer_epoch, types::ProducerEpoch(2));
    EXPECT_EQ(records[1].sequence, 6);
    EXPECT_EQ(records[1].key, std::nullopt);
    EXPECT_EQ(records[1].value, "b");
    EXPECT_EQ(list_records(log_, disk_, Offset(1), Offset(2)).size(), 1U);
    EXPECT_TRUE(list_records(log_, disk_, Offset(2), Offset(9)).empty());
}

RC_GTEST_PROP(LookupLaw, SparseIndexFindsWhatAScanFinds, ()) {
    sim::Disk disk;
    LogOptions options;
    options.partition = {"t", 0};
    options.config.timestamp_after_max_ms = std::nullopt;
    options.config.index_interval_bytes = *rc::gen::inRange(0, 400);
    options.config.segment_bytes = *rc::gen::inRange(300, 3000);
    Log log = Log::open(disk, options).value().log;
    std::vector<std::pair<std::int64_t, std::int64_t>> batches;  // first and last offset
    const int steps = *rc::gen::inRange(0, 60);
    for (int i = 0; i < steps; ++i) {
        if (*rc::gen::inRange(0, 12) == 0) {
            const auto to = *rc::gen::inRange<std::int64_t>(0, log.log_end_offset().value() + 1);
            RC_ASSERT(log.truncate_to(disk, Offset(to)).ok());
            while (!batches.empty() && batches.back().second >= to) {
                batches.pop_back();
            }
        }
        const std::int64_t first = log.log_end_offset().value();
        const auto records = *rc::gen::inRange<std::size_t>(1, 5);
        const std::vector<std::string> values(records, std::string(20, 'v'));
        RC_ASSERT(log.append_as_leader(disk, types::Rules{}, {batch_of(values), {}}).ok());
        batches.emplace_back(first, log.log_end_offset().value() - 1);
    }
    for (std::int64_t offset = 0; offset < log.log_end_offset().value(); ++offset) {
        const auto expected = std::find_if(
            batches.begin(), batches.end(), [&](const auto& b) { return b.second >= offset; });
        const auto read =
            log.read(disk, {Offset(offset), log.log_end_offset(), 1, /*min_one_message=*/true});
        RC_ASSERT(read.ok());
        RC_ASSERT(read->place.offset == Offset(expected->first));
        const auto lookup = log.explain_lookup(disk, Offset(offset));
        RC_ASSERT(lookup.ok());
        RC_ASSERT(lookup->segment_base == read->place.segment_base);
        RC_ASSERT(lookup->steps.read.back().position == read->place.position);
    }
}

}  // namespace
}  // namespace klab::storage
