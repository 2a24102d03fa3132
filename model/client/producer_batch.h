// SPDX-License-Identifier: Apache-2.0
//
// ProducerBatch: records of one partition that travel and succeed or fail together.
//
// Called by: record_accumulator, batch_split, idempotence, sender.
// Kafka: ProducerBatch, MemoryRecordsBuilder.hasRoomFor, isFull.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/storage/record_batch_builder.h"
#include "model/types/kafka_ids.h"
#include "sim/base/time.h"
#include "sim/trace/event.h"

namespace klab::client {

struct ProducerBatch {
    std::int32_t partition = 0;
    std::vector<std::int64_t> records;    ///< numbers of its records, ascending
    storage::RecordBatchBuilder builder;  ///< their bytes
    Time created;                         ///< monotonic: delivery.timeout.ms counts from here
    std::uint32_t attempts = 0;           ///< failed ones so far
    Time last_attempt;                    ///< monotonic, when it was enqueued again
    Duration backoff;                     ///< pause after the last failed attempt
    /// Leader epoch it was drained under last: under a newer one there is no pause (KIP-951).
    std::optional<types::LeaderEpoch> leader_epoch;
    bool closed = false;                ///< takes no more records
    std::int64_t buffer_bytes = 0;      ///< taken from buffer.memory; a record that fits goes in
    std::int64_t record_bytes_max = 0;  ///< what its largest record alone may take as a batch
    std::int64_t ratio = 1'000'000;     ///< expected of compression when it was begun
    bool is_split = false;              ///< part of one that was too large; takes no buffer.memory
    /// Producer id, epoch and first sequence; given when it is drained for the first time.
    std::optional<storage::ProducerStamp> stamp;
    /// The stamp was rewritten since it was sent: an answer to the old one says nothing of it.
    bool rewritten = false;
    sim::EventId cause;  ///< record.sent of its first record

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(records.size()); }

    [[nodiscard]] std::optional<std::int32_t> base_sequence() const {
        return stamp ? stamp->base_sequence : std::nullopt;
    }

    friend bool operator==(const ProducerBatch&, const ProducerBatch&) = default;
};

/// Bytes that a batch of this record alone may take.
[[nodiscard]] std::int64_t bytes_at_most(const storage::RecordInput& record);

/// Does the record fit, by the estimate of what compression leaves? It always does as the first.
[[nodiscard]] bool has_room(const ProducerBatch& batch, const storage::RecordInput& record);

/// It takes no more records.
[[nodiscard]] bool is_full(const ProducerBatch& batch);

void add_record(ProducerBatch& batch, std::int64_t number, const storage::RecordInput& record);

/// The sequence after `sequence` + n - 1: wraps from 2147483647 to 0.
[[nodiscard]] constexpr std::int32_t sequence_after(std::int32_t sequence, std::int32_t n) {
    const std::int64_t sum = std::int64_t{sequence} + n;
    return static_cast<std::int32_t>(sum > storage::kSequenceMax ? sum - storage::kSequenceMax - 1
                                                                 : sum);
}

}  // namespace klab::client
