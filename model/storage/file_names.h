// SPDX-License-Identifier: Apache-2.0
//
// Names in a log directory: `<topic>-<partition>` for a partition, twenty digits and a suffix for a
// segment, and the fixed names of checkpoints and markers.
//
// Called by: log.cc, log_loader.cc, log_dir.cc.
// Kafka: LogFileUtils, LocalLog.parseTopicPartitionName, CleanShutdownFileHandler.
// Simplified: the -delete, -stray and -future directories are not parsed yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/types/kafka_ids.h"

namespace klab::storage {

inline constexpr std::string_view kLogSuffix = ".log";
inline constexpr std::string_view kDeletedSuffix = ".deleted";
inline constexpr std::string_view kTemporarySuffix = ".tmp";
inline constexpr std::string_view kLeaderEpochCheckpoint = "leader-epoch-checkpoint";
inline constexpr std::string_view kReplicationOffsetCheckpoint = "replication-offset-checkpoint";
inline constexpr std::string_view kRecoveryPointCheckpoint = "recovery-point-offset-checkpoint";
inline constexpr std::string_view kLogStartOffsetCheckpoint = "log-start-offset-checkpoint";
inline constexpr std::string_view kCleanShutdownMarker = ".kafka_cleanshutdown";

/// "00000000000000368796.log" for base offset 368796. Requires: base_offset >= 0.
[[nodiscard]] std::string segment_file_name(types::Offset base_offset);

/// The base offset in a segment file's name; nothing when it is not twenty digits and ".log".
[[nodiscard]] std::optional<types::Offset> parse_segment_file_name(std::string_view name);

/// "orders-7".
[[nodiscard]] std::string partition_directory_name(const types::TopicPartition& partition);

/// The inverse: split at the last '-', topic not empty, partition a non-negative 32-bit number in
/// digits. Nothing otherwise (Kafka refuses to start on such a directory).
[[nodiscard]] std::optional<types::TopicPartition> parse_partition_directory_name(
    std::string_view name);

}  // namespace klab::storage
