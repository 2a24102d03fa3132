// SPDX-License-Identifier: Apache-2.0
//
// LogBuilder: a log with given content in one expression, for tests.
//
//     sim::Disk disk;
//     storage::Log log = storage::LogBuilder(disk).partition("t", 0)
//                            .epoch(1).append({"a", "b"})      // one batch of two records
//                            .epoch(2).append({"c"})
//                            .high_watermark(2)
//                            .build();
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/storage/log.h"
#include "model/storage/record_batch_builder.h"

namespace klab::storage {

/// A batch as a producer sends it: one record per value, no keys, base offset 0.
inline Bytes batch_of(const std::vector<std::string>& values, std::int64_t timestamp = 0) {
    RecordBatchBuilder builder;
    for (const std::string& value : values) {
        RecordInput record;
        record.timestamp = timestamp;
        record.value = view_of(value);
        builder.append(record);
    }
    return builder.build();
}

/// The same from an idempotent producer; by default as old as the clock of LogTest, so that it is
/// not expired.
inline Bytes idempotent_batch_of(std::int64_t producer_id,
                                 std::int16_t producer_epoch,
                                 std::int32_t sequence,
                                 const std::vector<std::string>& values,
                                 std::int64_t timestamp = 1'700'000'000'000) {
    BatchOptions options;
    options.producer = ProducerStamp{
        types::ProducerId(producer_id), types::ProducerEpoch(producer_epoch), sequence};
    RecordBatchBuilder builder(options);
    for (const std::string& value : values) {
        RecordInput record;
        record.timestamp = timestamp;
        record.value = view_of(value);
        builder.append(record);
    }
    return builder.build();
}

/// A batch as a follower fetches it: with offset and leader epoch.
inline Bytes placed(Bytes batch, std::int64_t base_offset, std::int32_t leader_epoch) {
    const auto delta = RecordBatchView(batch).last_offset_delta();
    set_last_offset(batch, types::Offset(base_offset + delta));
    set_leader_epoch(batch, types::LeaderEpoch(leader_epoch));
    return batch;
}

class LogBuilder {
  public:
    explicit LogBuilder(sim::Disk& disk) : disk_(disk) {
        options_.partition = {"t", 0};
        options_.config.timestamp_after_max_ms = std::nullopt;
    }

    LogBuilder& partition(std::string topic, std::int32_t number) {
        options_.partition = {std::move(topic), number};
        return *this;
    }

    LogBuilder& log_dir(std::string path) {
        options_.log_dir = std::move(path);
        return *this;
    }

    LogBuilder& segment_bytes(std::int32_t bytes) {
        options_.config.segment_bytes = bytes;
        return *this;
    }

    /// The epoch of all batches from here on. Starts at 0.
    LogBuilder& epoch(std::int32_t epoch) {
        epoch_ = types::LeaderEpoch(epoch);
        return *this;
    }

    /// One batch with these values, appended as leader.
    LogBuilder& append(std::initializer_list<std::string> values) {
        batches_.push_back({epoch_, batch_of(values)});
        return *this;
    }

    LogBuilder& high_watermark(std::int64_t offset) {
        high_watermark_ = offset;
        return *this;
    }

    /// Everything is synced at the end.
    LogBuilder& flushed() {
        is_flushed_ = true;
        return *this;
    }

    [[nodiscard]] Log build() {
        auto opened = Log::open(disk_, options_);
        KLAB_ASSERT(opened.ok(), "the test log does not open");
        Log log = std::move(opened->log);
        for (const auto& [epoch, bytes] : batches_) {
            const auto done = log.append_as_leader(disk_, types::Rules{}, {bytes, epoch});
            KLAB_ASSERT(done.ok(), "the test log refused a batch");
        }
        log.set_high_watermark(types::Offset(high_watermark_));
        if (is_flushed_) {
            KLAB_ASSERT(!log.flush(disk_), "the test log does not flush");
        }
        return log;
    }

  private:
    struct Batch {
        types::LeaderEpoch epoch;
        Bytes bytes;
    };

    sim::Disk& disk_;
    LogOptions options_;
    types::LeaderEpoch epoch_;
    std::vector<Batch> batches_;
    std::int64_t high_watermark_ = 0;
    bool is_flushed_ = false;
};

}  // namespace klab::storage
