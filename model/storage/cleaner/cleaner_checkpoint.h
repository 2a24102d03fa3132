// SPDX-License-Identifier: Apache-2.0
//
// cleaner-offset-checkpoint: one file a log directory with the first dirty offset of each compacted
// log in it. A log that is not in the file counts as dirty from its start.
//
//     event                                        line of the partition
//     a cleaning is done                           set to its end
//     the line lies outside the log                set to the log start
//     the log is truncated below the line          set to where it was cut
//     the partition is deleted                     removed
//     any of the above                             lines of logs that are gone are removed, too
//
// Called by: the log cleaner of a broker.
// Kafka: LogCleanerManager.allCleanerCheckpoints, updateCheckpoints, maybeTruncateCheckpoint.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/storage/append_error.h"
#include "model/storage/cleaner/log_choice.h"
#include "model/storage/disk_port.h"

namespace klab::storage::cleaner {

inline constexpr std::string_view kCleanerOffsetCheckpoint = "cleaner-offset-checkpoint";

/// Drops the lines of partitions for which is_here(partition) says no.
template <typename IsHere>
void drop_strangers(CleanerCheckpoints& checkpoints, const IsHere& is_here) {
    std::erase_if(checkpoints, [&](const auto& line) { return !is_here(line.first); });
}

/// The log was cut to `offset`. Says whether its line changed.
bool truncate_checkpoint(CleanerCheckpoints& checkpoints,
                         const types::TopicPartition& partition,
                         types::Offset offset);

/// The lines of the file; none when there is no file. Errors: kStorage (the disk refused, or the
/// content is no checkpoint: Kafka takes the directory offline for both).
[[nodiscard]] Result<CleanerCheckpoints, AppendError> read_cleaner_checkpoints(
    DiskPort disk, const std::string& log_dir);

/// Replaces the file. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> write_cleaner_checkpoints(
    DiskPort disk, const std::string& log_dir, const CleanerCheckpoints& checkpoints);

}  // namespace klab::storage::cleaner
