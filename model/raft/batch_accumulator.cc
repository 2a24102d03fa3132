// SPDX-License-Identifier: Apache-2.0
//
// See batch_accumulator.h.
#include "model/raft/batch_accumulator.h"

#include <utility>

#include "model/raft/metadata_log.h"
#include "sim/base/assert.h"

namespace klab::raft {

namespace {

// Length, attributes, deltas, absent key and header count of one record, at most.
constexpr std::size_t kRecordOverheadMax = 32;

std::size_t bytes_at_most(std::span<const Bytes> values) {
    std::size_t total = 0;
    for (const Bytes& value : values) {
        total += value.size() + kRecordOverheadMax;
    }
    return total;
}

}  // namespace

std::optional<types::Offset> BatchAccumulator::append(std::span<const Bytes> values,
                                                      std::int64_t timestamp_ms) {
    KLAB_ASSERT(!values.empty(), "an append of no records");
    const std::size_t needed = bytes_at_most(values);
    if (needed + storage::kRecordBatchOverhead > static_cast<std::size_t>(kBatchBytesMax)) {
        return std::nullopt;
    }
    if (open_ && open_->size() + needed > static_cast<std::size_t>(kBatchBytesMax)) {
        close_open_batch();
    }
    if (!open_) {
        storage::BatchOptions options;
        options.base_offset = next_offset_;
        options.leader_epoch = epoch_;
        open_.emplace(options);
        open_timestamp_ms_ = timestamp_ms;
    }
    for (const Bytes& value : values) {
        storage::RecordInput record;
        record.timestamp = open_timestamp_ms_;  // one time for the whole batch, as Kafka does
        record.value = ByteView(value);
        open_->append(record);
    }
    next_offset_ = next_offset_ + static_cast<std::int64_t>(values.size());
    return next_offset_ - 1;
}

void BatchAccumulator::close_open_batch() {
    if (!open_) {
        return;
    }
    const Bytes batch = open_->build();
    full_.insert(full_.end(), batch.begin(), batch.end());
    open_.reset();
}

Bytes BatchAccumulator::drain() {
    close_open_batch();
    return std::exchange(full_, {});
}

}  // namespace klab::raft
