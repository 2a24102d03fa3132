// SPDX-License-Identifier: Apache-2.0
//
// Checkpoint files: small text files with a version line (0), a count line and one entry a line.
// This file turns entries into bytes and back; writing them safely (temporary file, fsync, rename,
// directory sync) is checkpoint_store.h.
//
//     0                          0
//     2                          3
//     orders 0 1203              0 0
//     orders 1 88                2 500
//     (offsets)                  3 741        (leader epochs)
//
// Called by: checkpoint_store.cc, log_loader.cc, log_dir.cc.
// Kafka: CheckpointFile, OffsetCheckpointFile, LeaderEpochCheckpointFile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/storage/epoch_cache.h"
#include "model/types/kafka_ids.h"
#include "sim/base/bytes.h"
#include "sim/base/result.h"

namespace klab::storage {

/// One line of an offset checkpoint (high watermarks, recovery points, log starts).
struct OffsetCheckpointEntry {
    types::TopicPartition partition;
    types::Offset offset;

    friend bool operator==(const OffsetCheckpointEntry&, const OffsetCheckpointEntry&) = default;
};

enum class CheckpointErrorKind : std::uint8_t {
    kUnknownVersion,
    kMalformedVersion,
    kMalformedCount,
    kMalformedEntry,
    kTooFewEntries,
    kTooManyEntries,
};

/// What is wrong with a checkpoint file. Kafka takes the directory offline on it, except for the
/// recovery-point and log-start files, which then count as empty.
struct CheckpointError {
    CheckpointErrorKind kind = CheckpointErrorKind::kMalformedEntry;
    std::uint32_t line = 0;  ///< 1-based

    friend bool operator==(const CheckpointError&, const CheckpointError&) = default;
};

[[nodiscard]] Bytes encode_epoch_checkpoint(const std::vector<EpochEntry>& entries);
[[nodiscard]] Bytes encode_offset_checkpoint(const std::vector<OffsetCheckpointEntry>& entries);

/// Entries in file order. An empty file, or one with the version line only, has none.
[[nodiscard]] Result<std::vector<EpochEntry>, CheckpointError> parse_epoch_checkpoint(
    ByteView bytes);
[[nodiscard]] Result<std::vector<OffsetCheckpointEntry>, CheckpointError> parse_offset_checkpoint(
    ByteView bytes);

}  // namespace klab::storage
