// SPDX-License-Identifier: Apache-2.0
//
// The logs of a broker at its start, when it applies metadata for the first time: what is on the
// disks becomes logs again, each with the settings of its topic, and finds its partition.
//
//     orders-7                 current; put aside as -stray when the metadata do not place it here
//     orders-7.<hex>-delete    deleted after a while, not opened
//     orders-7.<hex>-stray     left alone
//     orders-7.<hex>-future    loaded, and left alone
//
// An input/output error while a log is loaded takes its directory offline, and the start goes on
// with the others.
//
// Owns: the logs between their loading and the first metadata.
// Called by: replica_manager.cc, metadata_apply.cc.
// Kafka: BrokerMetadataPublisher.initializeManagers, LogManager.startup, loadLogs, getOrCreateLog;
// Partition.createLogInAssignedDirectoryId.
// Simplified: logs that are deleted or stray are not opened (Kafka opens and recovers them); a
// future log goes no further.
#pragma once

#include <optional>

#include "model/replication/data_plane.h"
#include "model/replication/log_dir_opening.h"
#include "model/replication/log_directories.h"
#include "model/storage/log.h"
#include "sim/base/result.h"

namespace klab::replication {

/// Opens every log in the directories that are online into `loaded`. Effects: log.recovered for
/// each, log.renamed, log_dir.failed. Errors: the last three of StartError.
[[nodiscard]] std::optional<StartError> load_logs(DataPlane& plane);

/// A partition that is to be hosted.
struct LogClaim {
    types::TopicPartition name;
    types::Uuid topic_id;
    types::Uuid directory;  ///< where the metadata have it, perhaps unassigned
};

/// The log for a new partition: the loaded one, else a fresh one.
/// Errors: kStorage (no directory takes it, or it may lie in one that is offline).
[[nodiscard]] Result<storage::Log, storage::AppendError> claim_log(
    DataPlane& plane, const LogClaim& claim, const storage::LogConfig& config);

}  // namespace klab::replication
