// SPDX-License-Identifier: Apache-2.0
//
// Names in a log directory: `<topic>-<partition>` for a partition, twenty digits and a suffix for a
// segment, and the fixed names of checkpoints and markers.
//
// Called by: log.cc, log_loader.cc, log_dir.cc, dump_files.cc.
// Kafka: LogFileUtils, LocalLog.parseTopicPartitionName, CleanShutdownFileHandler, Snapshots
// (KIP-630).
// Simplified: the -delete, -stray and -future directories are not parsed yet.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/types/kafka_ids.h"

namespace klab::storage {

inline constexpr std::string_view kLogSuffix = ".log";
inline constexpr std::string_view kIndexSuffix = ".index";
inline constexpr std::string_view kTimeIndexSuffix = ".timeindex";
inline constexpr std::string_view kTxnIndexSuffix = ".txnindex";
/// All files of one segment, in the order in which they are renamed.
inline constexpr std::array<std::string_view, 4> kSegmentKinds = {
    kLogSuffix, kIndexSuffix, kTimeIndexSuffix, kTxnIndexSuffix};
inline constexpr std::string_view kSnapshotSuffix = ".snapshot";
inline constexpr std::string_view kMetadataSnapshotSuffix = ".checkpoint";
inline constexpr std::string_view kCleanedSuffix =
    ".cleaned";                                           ///< output of a cleaning, unfinished
inline constexpr std::string_view kSwapSuffix = ".swap";  ///< output that is being swapped in
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

/// The same with another ending: "00000000000000368796.index". Requires: base_offset >= 0.
[[nodiscard]] std::string offset_file_name(types::Offset offset, std::string_view suffix);

/// The offset in the first twenty characters of a name that goes on with `suffix` and nothing else.
[[nodiscard]] std::optional<types::Offset> parse_offset_file_name(std::string_view name,
                                                                  std::string_view suffix);

/// The offset in the first twenty characters of a name, whatever follows.
[[nodiscard]] std::optional<types::Offset> parse_leading_offset(std::string_view name);

/// What a snapshot of the metadata log holds: everything below `end_offset`, and the epoch of the
/// last batch of that.
struct MetadataSnapshotId {
    types::Offset end_offset;
    types::LeaderEpoch epoch;

    friend bool operator==(const MetadataSnapshotId&, const MetadataSnapshotId&) = default;
};

/// "00000000000000001234-0000000005.checkpoint". Requires: neither number is negative.
[[nodiscard]] std::string metadata_snapshot_file_name(const MetadataSnapshotId& id);

/// The inverse. Nothing for any other name, "bootstrap.checkpoint" among them.
[[nodiscard]] std::optional<MetadataSnapshotId> parse_metadata_snapshot_file_name(
    std::string_view name);

/// "orders-7".
[[nodiscard]] std::string partition_directory_name(const types::TopicPartition& partition);

/// The inverse: split at the last '-', topic not empty, partition a non-negative 32-bit number in
/// digits. Nothing otherwise (Kafka refuses to start on such a directory).
[[nodiscard]] std::optional<types::TopicPartition> parse_partition_directory_name(
    std::string_view name);

}  // namespace klab::storage
