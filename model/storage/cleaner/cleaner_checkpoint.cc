// SPDX-License-Identifier: Apache-2.0
//
// See cleaner_checkpoint.h.
#include "model/storage/cleaner/cleaner_checkpoint.h"

#include <vector>

#include "model/storage/checkpoint_store.h"

namespace klab::storage::cleaner {

bool truncate_checkpoint(CleanerCheckpoints& checkpoints,
                         const types::TopicPartition& partition,
                         types::Offset offset) {
    const auto line = checkpoints.find(partition);
    if (line == checkpoints.end() || line->second <= offset) {
        return false;
    }
    line->second = offset;
    return true;
}

Result<CleanerCheckpoints, AppendError> read_cleaner_checkpoints(DiskPort disk,
                                                                 const std::string& log_dir) {
    const auto content = read_file(disk, join_path(log_dir, kCleanerOffsetCheckpoint));
    if (!content) {
        return Error{content.error()};
    }
    CleanerCheckpoints checkpoints;
    if (!*content) {
        return checkpoints;
    }
    const auto lines = parse_offset_checkpoint(**content);
    if (!lines) {
        return Error{AppendError::kStorage};
    }
    for (const OffsetCheckpointEntry& line : *lines) {
        checkpoints.insert_or_assign(line.partition, line.offset);
    }
    return checkpoints;
}

std::optional<AppendError> write_cleaner_checkpoints(DiskPort disk,
                                                     const std::string& log_dir,
                                                     const CleanerCheckpoints& checkpoints) {
    std::vector<OffsetCheckpointEntry> lines;
    lines.reserve(checkpoints.size());
    for (const auto& [partition, offset] : checkpoints) {
        lines.push_back({partition, offset});
    }
    return replace_file(disk, log_dir, kCleanerOffsetCheckpoint, encode_offset_checkpoint(lines));
}

}  // namespace klab::storage::cleaner
