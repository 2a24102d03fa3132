// SPDX-License-Identifier: Apache-2.0
//
// The log directory of a broker (log.dirs): its partitions, its checkpoints and the marker of a
// clean shutdown.
//
//     /data/.kafka_cleanshutdown                  only between a clean stop and the next start
//          /replication-offset-checkpoint         high watermarks, every 5 s and at the stop
//          /recovery-point-offset-checkpoint      what was flushed
//          /log-start-offset-checkpoint
//          /orders-0/ ...
//
// Called by: replication (start, stop, periodic checkpoints).
// Kafka: LogManager, OffsetCheckpointFile, CleanShutdownFileHandler. KIP-966 (epoch in the marker).
// Simplified: one log directory; no meta.properties and no lock file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/storage/append_error.h"
#include "model/storage/checkpoint_file.h"
#include "model/storage/disk_port.h"
#include "model/types/kafka_ids.h"
#include "sim/base/result.h"

namespace klab::storage {

/// One partition found on disk and what the checkpoints say of it (0 where they say nothing).
struct FoundPartition {
    types::TopicPartition partition;
    types::Offset recovery_point;
    types::Offset log_start;
    types::Offset high_watermark;

    friend bool operator==(const FoundPartition&, const FoundPartition&) = default;
};

struct FoundLogDir {
    bool was_clean_shutdown = false;
    /// The broker epoch in the marker of the clean shutdown.
    std::optional<types::BrokerEpoch> broker_epoch;
    std::vector<FoundPartition> partitions;  ///< ordered by directory name

    friend bool operator==(const FoundLogDir&, const FoundLogDir&) = default;
};

/// The broker epoch in the marker of a clean shutdown; the marker stays. Makes the directory when
/// absent. Errors: kStorage. Kafka: LogManager.readBrokerEpochFromCleanShutdownFiles.
[[nodiscard]] Result<std::optional<types::BrokerEpoch>, AppendError> read_broker_epoch_of_marker(
    DiskPort disk, const std::string& log_dir);

/// Looks at the directory when the logs are loaded, making it when absent. The marker of a clean
/// shutdown is removed here, so that a crash while the logs load counts as unclean. Errors:
/// kStorage (disk, a directory with a name that is no partition's, or an unreadable high-watermark
/// checkpoint; the other two count as empty then).
[[nodiscard]] Result<FoundLogDir, AppendError> open_log_dir(DiskPort disk,
                                                            const std::string& log_dir);

/// Writes replication-offset-checkpoint. Entries in any order. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> write_high_watermarks(
    DiskPort disk, const std::string& log_dir, const std::vector<OffsetCheckpointEntry>& entries);

/// Writes recovery-point-offset-checkpoint. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> write_recovery_points(
    DiskPort disk, const std::string& log_dir, const std::vector<OffsetCheckpointEntry>& entries);

/// Writes log-start-offset-checkpoint. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> write_log_starts(
    DiskPort disk, const std::string& log_dir, const std::vector<OffsetCheckpointEntry>& entries);

/// The last act of an orderly stop, after every log was flushed. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> write_clean_shutdown_marker(
    DiskPort disk, const std::string& log_dir, std::optional<types::BrokerEpoch> broker_epoch);

}  // namespace klab::storage
