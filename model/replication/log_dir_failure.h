// SPDX-License-Identifier: Apache-2.0
//
// What an input/output error in a log directory does: only that directory goes offline, with all
// replicas in it. They have no reads, writes, fetchers or checkpoints any more, and whoever asks
// for them gets KAFKA_STORAGE_ERROR. The process goes on as long as a directory is left and the one
// of the metadata log is not the one that failed.
//
// Requests that wait for such a replica run into their timeouts, as in Kafka.
//
// Owns: LogDirectory::online, LogDirectories::offline_partitions.
// Called by: log_dir_opening.cc, log_loading.cc (at the start), replica_manager.cc (after a step).
// Kafka: LogDirFailureChannel, ReplicaManager.handleLogDirFailure, markPartitionOffline,
// LogManager.handleLogDirFailure; KIP-112, KIP-858.
// Simplified: Kafka's handler is a thread of its own; here it runs at the end of the step that
// failed.
#pragma once

#include <string>
#include <vector>

#include "model/replication/data_plane.h"
#include "model/replication/fetcher_manager.h"
#include "model/replication/log_directories.h"

namespace klab::replication {

/// The directory is offline from here on; logs that were loaded from it are forgotten. Nothing when
/// it is offline already. Effects: log_dir.failed.
void mark_offline(sim::Context& ctx,
                  const ReplicationOptions& options,
                  LogDirectories& directories,
                  const std::string& path);

/// Takes the directories offline in which calls of this step were refused, and says what that, and
/// what was marked before, means for the process. Effects: log_dir.failed and replica.went_offline.
[[nodiscard]] LogDirFailures handle_log_dir_failures(DataPlane& plane, FetcherManager& fetchers);

}  // namespace klab::replication
