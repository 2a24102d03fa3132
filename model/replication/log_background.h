// SPDX-License-Identifier: Apache-2.0
//
// What a broker does with its logs in the background: the flush that a roll leaves behind, the
// removal of deleted files, retention.
//
//     flush of closed segments   at once after a roll
//     removal of deleted files   file.delete.delay.ms after their deletion
//     retention                  every log.retention.check.interval.ms; of compacted logs by the
//                                log cleaner
//
// Called by: produce_handling.cc, fetch_response_handling.cc, truncation.cc (work is left to do),
// replica_manager.cc (timers).
// Kafka: LogManager.startup (scheduled tasks), UnifiedLog.roll ("flush-log"), LocalLog
// ("delete-file"), LogManager.cleanupLogs.
#pragma once

#include "model/replication/data_plane.h"

namespace klab::replication {

/// An operation on this log may have left work behind: arms the timer that will do it.
void note_log_work(sim::Context& ctx, const ReplicationOptions& options, const storage::Log& log);

/// The timer fired: flushes and removes what is due, and arms the timer for what comes later.
/// Effects: log.flushed.
void run_log_work(DataPlane& plane);

/// Deletes old segments of every log that is not compacted; those are left to the log cleaner.
/// Effects: log.segment_deleted, log.start_raised.
void apply_retention(DataPlane& plane);

/// The same for one log. Returns false when the disk failed.
bool delete_old_segments(DataPlane& plane, const PartitionKey& key);

}  // namespace klab::replication
