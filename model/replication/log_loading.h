// SPDX-License-Identifier: Apache-2.0
//
// The logs of a broker at its start: what is on the disks becomes logs again, and each finds its
// partition when the metadata name it.
//
// An input/output error while a log is loaded takes its directory offline, and the start goes on
// with the others.
//
// Owns: the logs between their loading and the first metadata.
// Called by: replica_manager.cc, metadata_apply.cc.
// Kafka: LogManager.loadLogs, getOrCreateLog; Partition.createLogInAssignedDirectoryId.
// Simplified: logs the metadata do not place here are removed at once instead of being renamed to
// -stray or -delete first.
#pragma once

#include <optional>

#include "model/replication/data_plane.h"
#include "model/replication/log_dir_opening.h"
#include "model/replication/log_directories.h"
#include "model/storage/log.h"
#include "sim/base/result.h"

namespace klab::replication {

/// Opens every log in the directories that are online into `loaded`. Effects: log.recovered for
/// each, log_dir.failed. Errors: the last three of StartError.
[[nodiscard]] std::optional<StartError> load_logs(sim::Context& ctx,
                                                  const ReplicationOptions& options,
                                                  LogDirectories& directories);

/// A partition that is to be hosted.
struct LogClaim {
    types::TopicPartition name;
    types::Uuid topic_id;
    types::Uuid directory;  ///< where the metadata have it, perhaps unassigned
};

/// The log for a new partition: the loaded one if it is of this very topic, else a fresh one.
/// Errors: kStorage (no directory takes it, or it may lie in one that is offline).
[[nodiscard]] Result<storage::Log, storage::AppendError> claim_log(
    DataPlane& plane, const LogClaim& claim, const storage::LogConfig& config);

/// Removes what nobody has claimed.
void drop_unclaimed(sim::Context& ctx, LoadedLogs& loaded);

}  // namespace klab::replication
