// SPDX-License-Identifier: Apache-2.0
//
// One log directory of a broker (log.dirs): its partitions, its checkpoints and the marker of a
// clean shutdown.
//
//     /data/meta.properties                       whose it is (meta_properties.h)
//          /.lock                                 one process at a time
//          /.kafka_cleanshutdown                  only between a clean stop and the next start
//          /replication-offset-checkpoint         high watermarks, every 5 s and at the stop
//          /recovery-point-offset-checkpoint      what was flushed
//          /log-start-offset-checkpoint
//          /orders-0/ ...
//
// Called by: replication (start, stop, periodic checkpoints).
// Kafka: LogManager, OffsetCheckpointFile, CleanShutdownFileHandler. KIP-112, KIP-966 (epoch in the
// marker).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/storage/append_error.h"
#include "model/storage/checkpoint_file.h"
#include "model/storage/disk_port.h"
#include "model/storage/file_names.h"
#include "model/types/kafka_ids.h"
#include "sim/base/result.h"

namespace klab::storage {

/// One log found on disk and what the checkpoints say of it (0 where they say nothing).
struct FoundLog {
    types::TopicPartition partition;
    LogKind kind = LogKind::kCurrent;
    std::string name;  ///< of its directory
    types::Offset recovery_point;
    types::Offset log_start;
    types::Offset high_watermark;

    friend bool operator==(const FoundLog&, const FoundLog&) = default;
};

struct FoundLogDir {
    bool was_clean_shutdown = false;
    /// The broker epoch in the marker of the clean shutdown.
    std::optional<types::BrokerEpoch> broker_epoch;
    std::vector<FoundLog> logs;  ///< ordered by directory name

    friend bool operator==(const FoundLogDir&, const FoundLogDir&) = default;
};

/// Why a directory was not opened.
enum class LogDirError : std::uint8_t {
    kOffline,      ///< the disk refused, or the high-watermark checkpoint makes no sense
    kForeignName,  ///< a directory in it has a name that is no partition's: nobody may start
};

/// Makes the directory when it is absent, and its lock file. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> prepare_log_dir(DiskPort disk, const std::string& log_dir);

/// The broker epoch in the marker of a clean shutdown, which stays where it is. Nothing when there
/// is no marker, it names no epoch, or cannot be read.
[[nodiscard]] std::optional<types::BrokerEpoch> read_clean_shutdown_epoch(
    DiskPort disk, const std::string& log_dir);

/// Looks at the directory before its logs are loaded. The marker of a clean shutdown is removed
/// here, so that a crash while the logs load counts as unclean. The other two checkpoints count as
/// empty when they cannot be read.
[[nodiscard]] Result<FoundLogDir, LogDirError> open_log_dir(DiskPort disk,
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
