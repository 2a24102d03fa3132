// SPDX-License-Identifier: Apache-2.0
//
// Deleting a log: at once its directory gets a name that no start takes for data, later
// (log.segment.delete.delay.ms of the broker) the directory goes with all in it.
//
//     /data/orders-7  ->  /data/orders-7.2f1cb3ad4a0c4d0b9a4c7a0a9a3fcd8e-delete  ->  nothing
//
// What a process leaves under such a name the next one deletes, after the same delay.
//
// Owns: LogDirectories::deleted, timer kLogDeletion.
// Called by: metadata_apply.cc (deletes), log_loading.cc (found at a start), replica_manager.cc
// (timer).
// Kafka: LogManager.asyncDelete, deleteLogs; LocalLog.logDeleteDirName.
#pragma once

#include <string>

#include "model/replication/data_plane.h"
#include "model/storage/file_names.h"
#include "sim/base/result.h"

namespace klab::replication {

/// Gives the directory of a log another name. Effects: log.renamed. Errors: kStorage.
[[nodiscard]] Result<std::string, storage::AppendError> rename_log(sim::Context& ctx,
                                                                   const storage::Log& log,
                                                                   storage::LogKind kind);

/// The log is put aside and deleted later. Effects: log.renamed.
void delete_log_later(DataPlane& plane, const storage::Log& log);

/// A directory that was put aside is deleted later.
void delete_directory_later(DataPlane& plane,
                            const types::TopicPartition& name,
                            const std::string& path);

/// The timer fired: removes what is due. Effects: log.deleted.
void delete_due_logs(DataPlane& plane);

}  // namespace klab::replication
