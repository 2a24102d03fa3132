// SPDX-License-Identifier: Apache-2.0
//
// One segment on a disk of its own, driven by hand: what the tests of segments share.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/storage/file_names.h"
#include "model/storage/log_segment.h"
#include "model/storage/segment_lookup.h"
#include "model/storage/segment_recovery.h"
#include "tests/storage/log_builder.h"

namespace klab::storage {

/// As LogSegmentTest makes them: all records of the batch carry ten times its first offset.
inline Bytes records_at(std::int64_t offset,
                        const std::vector<std::string>& values,
                        std::int32_t leader_epoch = 0) {
    return placed(batch_of(values, offset * 10), offset, leader_epoch);
}

class SegmentTest : public testing::Test {
  protected:
    void make(std::int64_t base) {
        ASSERT_TRUE(disk_.make_directories("/t-0", {}).ok());
        base_ = base;
        auto made = LogSegment::create(port(), place(), config_);
        ASSERT_TRUE(made.ok());
        segment_ = std::move(made).value();
    }

    /// The segment as a loader finds it.
    void reopen() {
        auto opened = LogSegment::open(port(), place(), config_);
        ASSERT_TRUE(opened.ok());
        segment_ = std::move(opened).value();
    }

    void close() { ASSERT_FALSE(segment_.become_inactive(port(), place())); }

    [[nodiscard]] SegmentPlace place() const { return {"/t-0", types::Offset(base_)}; }

    [[nodiscard]] DiskPort port() { return {disk_, Time{} + milliseconds(now_ms_)}; }

    static IncomingBatches incoming_of(const Bytes& bytes,
                                       const std::vector<RecordBatchView>& batches) {
        IncomingBatches incoming;
        incoming.bytes = bytes;
        incoming.batches = batches;
        incoming.first_offset = batches.front().base_offset();
        incoming.last_offset = batches.back().last_offset();
        for (const RecordBatchView& batch : batches) {
            incoming.max_timestamp = std::max(incoming.max_timestamp, batch.max_timestamp());
        }
        return incoming;
    }

    void append(const Bytes& bytes) {
        std::vector<RecordBatchView> batches;
        BatchIterator it(bytes);
        while (const auto batch = it.next()) {
            batches.push_back(*batch);
        }
        ASSERT_FALSE(segment_.open_indexes(port(), place()));
        ASSERT_FALSE(segment_.append(port(), incoming_of(bytes, batches), config_));
    }

    void append_at(std::int64_t offset, const std::vector<std::string>& values) {
        append(records_at(offset, values));
    }

    void truncate(std::int64_t offset) {
        ASSERT_FALSE(segment_.truncate_to(port(), place(), types::Offset(offset), config_));
    }

    /// Base offset of the batch that a read from `offset` begins with; -1 when there is none.
    [[nodiscard]] std::int64_t read_from(std::int64_t offset) {
        const auto spot = find_batch(port(), segment_, types::Offset(offset));
        return spot.ok() && *spot ? (*spot)->base_offset.value() : -1;
    }

    /// Offset of the first record that is not older, or -1.
    [[nodiscard]] std::int64_t find_time(std::int64_t timestamp) {
        const auto found = find_by_timestamp(port(), segment_, timestamp, segment_.base_offset());
        return found.ok() && *found ? (*found)->offset.value() : -1;
    }

    [[nodiscard]] std::int64_t next_offset() {
        return find_next_offset(port(), segment_).value().value();
    }

    /// First offsets of all batches.
    [[nodiscard]] std::vector<std::int64_t> batch_offsets() {
        std::vector<std::int64_t> out;
        SegmentBatches batches(port(), segment_, 0);
        while (true) {
            const auto spot = batches.next();
            if (!spot || !*spot) {
                return out;
            }
            out.push_back((*spot)->base_offset.value());
        }
    }

    /// Checks the segment as after a crash; returns the bytes that were cut.
    std::uint64_t recover() {
        const auto cut =
            SegmentRecovery(port(), place(), config_).recover(segment_, epochs_, producers_);
        EXPECT_TRUE(cut.ok());
        return cut.ok() ? *cut : 0;
    }

    void overwrite(std::string_view kind, std::uint64_t position, const Bytes& bytes) {
        const auto file = disk_.open(place().path(kind));
        ASSERT_TRUE(file.ok());
        ASSERT_TRUE(disk_.write_at(*file, position, bytes, {}).ok());
    }

    [[nodiscard]] std::uint64_t file_size(std::string_view kind) const {
        return disk_.size(disk_.open(place().path(kind)).value()).value();
    }

    sim::Disk disk_;
    LogConfig config_;
    std::int64_t base_ = 0;
    std::int64_t now_ms_ = 1'700'000'000'000;
    LogSegment segment_;
    EpochCache epochs_;
    ProducerStates producers_;
};

}  // namespace klab::storage
