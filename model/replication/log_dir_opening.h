// SPDX-License-Identifier: Apache-2.0
//
// The log directories at the start of a process: whose they are, their ids, their locks. Logs are
// not looked at here.
//
//     meta.properties   in all of them      the same node and cluster, each with an id of its own
//                       in none             the first start: they are formatted
//                       missing in one      the process does not start (a new or emptied disk has
//                                           to be formatted by hand)
//                       cannot be read      that directory is offline; with that of the metadata
//                                           log, or when no other is left, the process does not
//                                           start
//
// Owns: the list of directories at the start.
// Called by: replica_manager.cc.
// Kafka: KafkaRaftServer.initializeLogDirs, MetaPropertiesEnsemble.verify, LogManager
// (createAndValidateLogDirs, lockLogDirs, loadDirectoryIds, readBrokerEpochFromCleanShutdownFiles);
// kafka-storage.sh format. KIP-112, KIP-858, KIP-966.
// Simplified: formatting happens at the first start instead of by a separate tool.
#pragma once

#include <optional>

#include "model/replication/log_directories.h"
#include "sim/base/result.h"
#include "sim/kernel/context.h"

namespace klab::replication {

/// Why a process cannot start with its log directories.
enum class StartError : std::uint8_t {
    kForeignDirectory,   ///< of another node or cluster, or two with one id
    kUnformatted,        ///< no meta.properties in one of them
    kMetadataDirectory,  ///< metadata.log.dir cannot be read
    kNoneOnline,         ///< no directory can be used
    kForeignLog,         ///< a directory in them has a name that is no log's
    kDuplicateLog,       ///< one partition lies in two of them
    kBadLog,             ///< a log cannot be opened, and the disk is not to blame
};

/// What a start found before it looked at logs.
struct OpenedLogDirs {
    /// In the markers of a clean shutdown, when all directories have one and agree: goes into the
    /// registration (KIP-966).
    std::optional<types::BrokerEpoch> previous_broker_epoch;

    friend bool operator==(const OpenedLogDirs&, const OpenedLogDirs&) = default;
};

/// Fills `directories`. Effects: log_dir.failed for each that is offline from the start.
/// Errors: the first four.
[[nodiscard]] Result<OpenedLogDirs, StartError> open_log_directories(
    sim::Context& ctx, const ReplicationOptions& options, LogDirectories& directories);

}  // namespace klab::replication
