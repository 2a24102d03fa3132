// SPDX-License-Identifier: Apache-2.0
//
// Entries of the three index files of a segment, as bytes. All are big-endian and without checksum.
//
//     .index      i32 relative offset, i32 position                                     8 bytes
//     .timeindex  i64 timestamp, i32 relative offset                                   12 bytes
//     .txnindex   i16 version, i64 producer id, first, last and last stable offset     34 bytes
//
// The first two are preallocated and mapped: a file that was not trimmed (a crash) ends in entries
// of zeros.
//
// Called by: readers of data directories.
// Kafka: OffsetIndex, TimeIndex, AbortedTxn.
#pragma once

#include <cstdint>
#include <optional>

#include "model/types/kafka_ids.h"
#include "sim/base/bytes.h"

namespace klab::storage {

/// "Up to this offset, a read may begin at this byte of the .log."
struct OffsetIndexEntry {
    static constexpr std::size_t kBytes = 8;

    types::Offset offset;       ///< last offset of the batch
    std::int32_t position = 0;  ///< of its first byte

    friend bool operator==(const OffsetIndexEntry&, const OffsetIndexEntry&) = default;
};

/// "Up to this offset, no batch of the segment has a larger timestamp."
struct TimeIndexEntry {
    static constexpr std::size_t kBytes = 12;

    std::int64_t timestamp = 0;  ///< ms
    types::Offset offset;        ///< last offset of the batch that has it

    friend bool operator==(const TimeIndexEntry&, const TimeIndexEntry&) = default;
};

/// One aborted transaction.
struct AbortedTransaction {
    static constexpr std::size_t kBytes = 34;
    static constexpr std::int16_t kVersion = 0;

    types::ProducerId producer_id;
    types::Offset first_offset;
    types::Offset last_offset;         ///< of the ABORT marker
    types::Offset last_stable_offset;  ///< when the marker was written

    friend bool operator==(const AbortedTransaction&, const AbortedTransaction&) = default;
};

/// Appends the entry. Requires: its offset lies at most 2^31 - 1 above `base`.
void encode(Bytes& out, const OffsetIndexEntry& entry, types::Offset base);
void encode(Bytes& out, const TimeIndexEntry& entry, types::Offset base);
void encode(Bytes& out, const AbortedTransaction& entry);

/// Requires: `bytes` is one entry.
[[nodiscard]] OffsetIndexEntry decode_offset_index_entry(ByteView bytes, types::Offset base);
[[nodiscard]] TimeIndexEntry decode_time_index_entry(ByteView bytes, types::Offset base);

/// Requires: `bytes` is one entry. Nothing for a version above kVersion.
[[nodiscard]] std::optional<AbortedTransaction> decode_aborted_transaction(ByteView bytes);

/// Was this entry never written? Of a segment that is based at 0 the first real one cannot be told
/// from it, but no real entry of an offset index is all zeros: the first batch is never indexed.
[[nodiscard]] bool is_unwritten(ByteView bytes);

}  // namespace klab::storage
