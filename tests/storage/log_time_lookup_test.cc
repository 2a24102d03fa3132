// SPDX-License-Identifier: Apache-2.0
//
// Offsets by time, and what index entries a log has for it: rows U52 to U55 of Kafka's own cases
// (UnifiedLogTest), and the law that a search by time finds what a scan finds.
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/storage/log_fixture.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;

class TimeLookup : public LogTest {
  protected:
    void append_at(std::int64_t timestamp, std::int32_t epoch = 0) {
        ASSERT_TRUE(lead(batch_of({"x"}, timestamp), epoch).ok());
    }

    [[nodiscard]] std::optional<TimedOffset> by_time(std::int64_t timestamp) {
        const auto found = log_.find_by_time(port(), timestamp);
        EXPECT_TRUE(found.ok());
        return *found;
    }

    static TimedOffset timed(std::int64_t timestamp, std::int64_t offset, std::int32_t epoch) {
        return {timestamp, Offset(offset), LeaderEpoch(epoch)};
    }
};

TEST_F(TimeLookup, U52_EveryBatchOfAFollowerIsIndexed) {
    options_.config.index_interval_bytes = 1;
    options_.config.segment_bytes = 200 * 100;
    open();
    for (std::int64_t i = 0; i < 100; ++i) {
        ASSERT_TRUE(follow(placed(batch_of({"x"}, now_ms_ + i), i, 0)).ok());
    }
    EXPECT_EQ(bases().size(), 1U);
    EXPECT_EQ(log_.active_segment().time_index().entries(), 99U) << "all but the first";
}

TEST_F(TimeLookup, U53_ByTimeEarliestAndLatest) {
    open();
    EXPECT_EQ(by_time(0), std::nullopt);
    append_at(now_ms_, 0);
    append_at(now_ms_ + 1, 1);
    EXPECT_EQ(by_time(now_ms_), timed(now_ms_, 0, 0));
    EXPECT_EQ(by_time(now_ms_ + 1), timed(now_ms_ + 1, 1, 1));
    EXPECT_EQ(by_time(now_ms_ + 2), std::nullopt);
    // -2 and -4: without remote storage the local log start is the log start.
    EXPECT_EQ(log_.earliest_offset(), (OffsetAndEpoch{Offset(0), LeaderEpoch(0)}));
    EXPECT_EQ(log_.latest_offset(), (OffsetAndEpoch{Offset(2), LeaderEpoch(1)}));
}

TEST_F(TimeLookup, U53_EarliestEpochMayBeForgotten) {
    open();
    append_at(now_ms_, 0);
    append_at(now_ms_ + 1, 1);
    log_.set_high_watermark(Offset(2));
    ASSERT_TRUE(log_.raise_log_start(port(), Offset(1)).ok());
    EXPECT_EQ(log_.earliest_offset(), (OffsetAndEpoch{Offset(1), LeaderEpoch(1)}));
    EXPECT_EQ(by_time(now_ms_), timed(now_ms_ + 1, 1, 1)) << "what lies below the start is gone";
}

TEST_F(TimeLookup, U54_NewestRecord) {
    open();
    EXPECT_EQ(log_.find_newest_record(port()).value(), std::nullopt);
    append_at(now_ms_);
    append_at(now_ms_ + 1);
    append_at(now_ms_);
    EXPECT_EQ(log_.find_newest_record(port()).value(), timed(now_ms_ + 1, 1, 0));
}

TEST_F(TimeLookup, U54_NewestRecordInsideABatch) {
    open();
    RecordBatchBuilder builder;
    for (const std::int64_t later : {5, 9, 9, 7}) {
        RecordInput record;
        record.timestamp = now_ms_ + later;
        builder.append(record);
    }
    append_at(now_ms_);
    ASSERT_TRUE(lead(builder.build()).ok());
    append_at(now_ms_ + 8);
    EXPECT_EQ(log_.find_newest_record(port()).value(), timed(now_ms_ + 9, 2, 0)) << "the first";
}

RC_GTEST_FIXTURE_PROP(TimeLookup, SearchByTimeFindsWhatAScanFinds, ()) {
    // Timestamps in any order, several records a batch, several segments, an index entry a batch or
    // so; a log start somewhere.
    options_.config.index_interval_bytes = *rc::gen::element(1, 80, 300);
    options_.config.segment_bytes = 600;
    open();
    std::vector<std::int64_t> times;
    const auto batches = *rc::gen::inRange(1, 30);
    for (int i = 0; i < batches; ++i) {
        RecordBatchBuilder builder;
        const auto count = *rc::gen::inRange(1, 4);
        for (int k = 0; k < count; ++k) {
            RecordInput record;
            record.timestamp = *rc::gen::inRange(0, 40);
            times.push_back(record.timestamp);
            builder.append(record);
        }
        RC_ASSERT(lead(builder.build()).ok());
    }
    log_.set_high_watermark(log_.log_end_offset());
    const auto start = *rc::gen::inRange<std::size_t>(0, times.size());
    RC_ASSERT(log_.raise_log_start(port(), Offset(static_cast<std::int64_t>(start))).ok());
    if (*rc::gen::inRange(0, 2) == 0) {
        reopen_clean();
        log_.set_high_watermark(log_.log_end_offset());
        RC_ASSERT(log_.raise_log_start(port(), Offset(static_cast<std::int64_t>(start))).ok());
    }
    const auto wanted = *rc::gen::inRange(0, 42);
    const auto first = std::find_if(times.begin() + static_cast<std::ptrdiff_t>(start),
                                    times.end(),
                                    [&](std::int64_t time) { return time >= wanted; });
    const auto found = by_time(wanted);
    // A segment that lies below the log start in part may be the first whose largest timestamp
    // reaches; if the records that have it lie below the start, Kafka looks no further.
    if (found) {
        RC_ASSERT(first != times.end());
        RC_ASSERT(found->offset.value() == first - times.begin());
        RC_ASSERT(found->timestamp == *first);
    } else if (first != times.end()) {
        RC_ASSERT(start > 0U);
    }
}

}  // namespace
}  // namespace klab::storage
