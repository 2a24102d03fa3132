// SPDX-License-Identifier: Apache-2.0
//
// ProducerBatch: records of one partition that travel and succeed or fail together.
//
// Called by: record_accumulator, idempotence, sender. Kafka: ProducerBatch.
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
    bool closed = false;            ///< takes no more records
    std::int64_t buffer_bytes = 0;  ///< taken from buffer.memory; a record that fits goes in
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

/// The sequence after `sequence` + n - 1: wraps from 2147483647 to 0.
[[nodiscard]] constexpr std::int32_t sequence_after(std::int32_t sequence, std::int32_t n) {
    const std::int64_t sum = std::int64_t{sequence} + n;
    return static_cast<std::int32_t>(sum > storage::kSequenceMax ? sum - storage::kSequenceMax - 1
                                                                 : sum);
}

}  // namespace klab::client
