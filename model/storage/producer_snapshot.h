// SPDX-License-Identifier: Apache-2.0
//
// The file <offset>.snapshot: what a log knows of its producers after all records below that
// offset.
//
//     byte 0 i16 version = 1     2 u32 CRC-32C of 6..end     6 i32 number of entries     10 entries
//     entry: i64 producer id, i16 epoch, i32 last sequence, i64 last offset, i32 offset delta,
//            i64 timestamp, i32 coordinator epoch, i64 first offset of the open transaction: 46
//            bytes
//
// Called by: readers of data directories.
// Kafka: ProducerStateManager.writeSnapshot, readSnapshot, ProducerSnapshot.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/types/kafka_ids.h"
#include "sim/base/bytes.h"
#include "sim/base/result.h"

namespace klab::storage {

/// One producer with its last batch.
struct ProducerSnapshotEntry {
    static constexpr std::size_t kBytes = 46;

    types::ProducerId producer_id;
    types::ProducerEpoch epoch;
    std::int32_t last_sequence = -1;
    std::int64_t last_offset = -1;  ///< -1: no batch
    std::int32_t offset_delta = 0;  ///< last offset of that batch minus its first
    std::int64_t timestamp = -1;    ///< ms
    std::int32_t coordinator_epoch = -1;
    std::optional<types::Offset> open_transaction;  ///< first offset

    friend bool operator==(const ProducerSnapshotEntry&, const ProducerSnapshotEntry&) = default;
};

enum class SnapshotError : std::uint8_t {
    kTooShort,        ///< less than the header, or than its entries
    kUnknownVersion,  ///< not 1
    kBadCrc,
    kNegativeCount,
    kLeftoverBytes,
};

[[nodiscard]] std::string_view to_text(SnapshotError error);

[[nodiscard]] Bytes encode_producer_snapshot(const std::vector<ProducerSnapshotEntry>& entries);

/// The entries in the order of the file. A version that is not 1 is told before a wrong checksum.
[[nodiscard]] Result<std::vector<ProducerSnapshotEntry>, SnapshotError> parse_producer_snapshot(
    ByteView bytes);

}  // namespace klab::storage
