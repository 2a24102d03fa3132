// SPDX-License-Identifier: Apache-2.0
//
// LogDirectories: the log directories of a broker (log.dirs), which of them are online, and the
// partitions that went offline with one.
//
//     directory    online --(input/output error)--> offline, until the process starts again
//     partition    hosted --(its directory fails)--> offline --(deleted, or reassigned)--> unknown
//
// Owns: the fields below; volatile, but the ids, which are in meta.properties.
// Called by: log_dir_opening.cc, log_loading.cc (start), log_dir_failure.cc, metadata_apply.cc.
// Kafka: LogManager (liveLogDirs, directoryIds, hadCleanShutdownFlags, loadLogsCompletedFlags),
// HostedPartition.Offline; KIP-112, KIP-858.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/protocol/assign_replicas_to_dirs.h"
#include "model/replication/partition.h"
#include "model/replication/replication_types.h"
#include "model/storage/log.h"
#include "model/types/kafka_ids.h"
#include "sim/base/cow.h"
#include "sim/base/cow_map.h"

namespace klab::replication {

struct LogDirectory {
    std::string path;
    std::optional<types::Uuid> id{};  ///< of its meta.properties; none: it could not be read
    bool online = true;               ///< no call of the disk has failed in it
    bool had_clean_shutdown = false;  ///< its marker was found
    bool all_loaded = false;          ///< no log in it failed to load

    friend bool operator==(const LogDirectory&, const LogDirectory&) = default;
};

/// A log found on disk that no metadata have claimed yet.
struct LoadedLog {
    storage::Log log;
    std::optional<types::Uuid> topic_id;  ///< of partition.metadata

    friend bool operator==(const LoadedLog&, const LoadedLog&) = default;
};

using LoadedLogs = CowMap<types::TopicPartition, LoadedLog>;

/// A log that was put aside and waits for its deletion.
struct DeletedLog {
    types::TopicPartition name;
    std::string path;  ///< of its directory
    Time due;          ///< monotonic

    friend bool operator==(const DeletedLog&, const DeletedLog&) = default;
};

/// What failures mean for the process.
struct LogDirFailures {
    bool must_halt = false;           ///< the last directory failed, or that of the metadata log
    std::vector<types::Uuid> failed;  ///< directories that failed, to be told to the controller

    friend bool operator==(const LogDirFailures&, const LogDirFailures&) = default;
};

struct LogDirectories {
    Cow<std::vector<LogDirectory>> all;  ///< in the order of log.dirs

    LoadedLogs loaded;  ///< while the first metadata are applied
    LoadedLogs future;  ///< -future: on the way to another log directory

    /// Replicas that are assigned here and lie in a directory that is offline, as they were last;
    /// nothing of those whose logs were never opened.
    CowMap<PartitionKey, std::optional<Cow<Partition>>> offline_partitions;

    std::vector<DeletedLog> deleted;  ///< in the order of their deletion
    Time first_deletion;              ///< none before it; monotonic

    LogDirFailures unhandled;  ///< since the end of the last step

    /// Replicas that lie elsewhere than the metadata say; the controller is to be told.
    std::vector<protocol::DirectoryAssignment> misplaced;

    /// The directory at a path, or nullptr.
    [[nodiscard]] const LogDirectory* find(std::string_view path) const;

    /// The directory that a log is in.
    [[nodiscard]] const LogDirectory& of(const storage::Log& log) const;

    /// The online directory of that id, or nullptr.
    [[nodiscard]] const LogDirectory* find_online(const types::Uuid& id) const;

    [[nodiscard]] std::size_t online_count() const;

    [[nodiscard]] bool has_offline() const { return online_count() < all->size(); }

    /// Ids of the directories that are online, ascending: what a broker registers.
    [[nodiscard]] std::vector<types::Uuid> online_ids() const;

    friend bool operator==(const LogDirectories&, const LogDirectories&) = default;
};

}  // namespace klab::replication
