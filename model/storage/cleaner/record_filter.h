// SPDX-License-Identifier: Apache-2.0
//
// Bytes of batches in, bytes of fewer batches out. A RecordFilter says what is to stay; this file
// knows how a batch is written when only part of it stays.
//
//     records that stay       batch says            written
//     (not looked at)         kDelete               nothing
//     all, no new horizon     any                   the batch, byte for byte
//     some, or new horizon    any                   a new batch with the survivors
//     none                    kRetainEmpty          its header alone: 61 bytes
//     none                    kDeleteEmpty          nothing
//
// A new batch keeps base and last offset, leader epoch, producer fields, flags and timestamp type,
// and each record its offset and timestamp; its maximum timestamp is that of the survivors
// (LogAppendTime: the old one). A surviving tombstone, or a marker whose transaction is gone,
// gives the batch a delete horizon: now + delete.retention.ms, set once, kept for ever (KIP-534).
//
// The checksum of a batch is not looked at: a damaged record that can be read is copied, and gets a
// good checksum when its batch is written anew.
//
// Called by: the cleaning pass. Kafka: MemoryRecords.filterTo.
#pragma once

#include <cstdint>
#include <optional>

#include "model/storage/record.h"
#include "sim/base/result.h"

namespace klab::storage::cleaner {

/// What is to become of a batch.
enum class BatchRetention : std::uint8_t {
    kDelete,       ///< drop it without looking at its records
    kRetainEmpty,  ///< keep its header even when no record stays
    kDeleteEmpty,  ///< drop it when no record stays
};

struct BatchVerdict {
    BatchRetention retention = BatchRetention::kDeleteEmpty;
    bool is_marker_of_empty_transaction = false;  ///< as good as a tombstone

    friend bool operator==(const BatchVerdict&, const BatchVerdict&) = default;
};

/// Says what stays. Asked for each batch in order, then for each of its records.
class RecordFilter {
  public:
    RecordFilter() = default;
    RecordFilter(const RecordFilter&) = default;
    RecordFilter& operator=(const RecordFilter&) = default;
    virtual ~RecordFilter() = default;

    /// Errors: what keeps the batch from being judged.
    [[nodiscard]] virtual Result<BatchVerdict, BatchError> judge(const RecordBatchView& batch) = 0;

    [[nodiscard]] virtual bool retains(const RecordBatchView& batch, const RecordView& record) = 0;
};

/// When the filtering takes place.
struct FilterTime {
    std::int64_t now_ms = 0;               ///< the start of the whole cleaning
    std::int64_t delete_retention_ms = 0;  ///< delete.retention.ms

    /// The horizon of a tombstone that is seen now for the first time. Nothing when the sum
    /// overflows, as Java's does: it is negative then, which Kafka takes for none.
    [[nodiscard]] std::optional<std::int64_t> delete_horizon() const;
};

struct FilterResult {
    Bytes records;                 ///< the output: whole batches
    std::uint64_t bytes_read = 0;  ///< of whole batches; 0 = not even one in the input
    std::uint64_t records_read = 0;
    std::uint64_t records_retained = 0;
    std::optional<types::Offset> max_offset;    ///< of a record, or of a copied or empty batch
    std::int64_t max_timestamp = kNoTimestamp;  ///< ms, over the output

    friend bool operator==(const FilterResult&, const FilterResult&) = default;
};

/// Filters the whole batches at the start of `records`; a torn last one is left.
/// Errors: a batch or record that cannot be read, or cannot be written again (offsets that do not
/// ascend or leave the batch, a negative timestamp, a producer without a sequence).
[[nodiscard]] Result<FilterResult, BatchError> filter_records(ByteView records,
                                                              RecordFilter& filter,
                                                              const FilterTime& time);

/// The header that is left of a batch without records.
[[nodiscard]] Bytes empty_batch_of(const RecordBatchView& batch);

}  // namespace klab::storage::cleaner
