// SPDX-License-Identifier: Apache-2.0
//
// Which log directory a new log goes to: the one that the metadata name, else the one with the
// fewest logs.
//
// Owns: nothing. Called by: log_loading.cc.
// Kafka: LogManager.getOrCreateLog, nextLogDirs; KIP-858.
#pragma once

#include <string>
#include <vector>

#include "model/replication/data_plane.h"
#include "model/replication/log_directories.h"

namespace klab::replication {

/// A directory that may take a log, and how many it has.
struct DirectoryLoad {
    std::string path;
    std::uint64_t logs = 0;

    friend bool operator==(const DirectoryLoad&, const DirectoryLoad&) = default;
};

/// The fewest logs first; equal ones keep their order, that of log.dirs.
[[nodiscard]] std::vector<std::string> by_fewest_logs(std::vector<DirectoryLoad> directories);

/// Where a new log is to be made: the first of them that takes it.
[[nodiscard]] std::vector<std::string> directories_for(const DataPlane& plane,
                                                       const types::Uuid& assigned);

}  // namespace klab::replication
