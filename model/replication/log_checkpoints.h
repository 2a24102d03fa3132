// SPDX-License-Identifier: Apache-2.0
//
// The checkpoints of each log directory, and the orderly stop that makes the next start a clean
// one.
//
//     replication-offset-checkpoint      high watermarks; only where there are replicas
//     recovery-point-offset-checkpoint   of every directory that is online
//     log-start-offset-checkpoint        logs whose first segment begins below their start
//     .kafka_cleanshutdown               last, where every log was flushed and closed
//
// Owns: when and with what these files are written.
// Called by: replica_manager.cc, truncation.cc, metadata_apply.cc.
// Kafka: ReplicaManager.checkpointHighWatermarks; LogManager.checkpointRecoveryOffsetsInDir,
// checkpointLogStartOffsetsInDir, shutdown; KIP-966.
#pragma once

#include <optional>
#include <string_view>

#include "model/replication/data_plane.h"
#include "model/replication/log_directories.h"

namespace klab::replication {

/// Effects: checkpoint.written for each directory with replicas.
void checkpoint_high_watermarks(sim::Context& ctx,
                                const LogDirectories& directories,
                                const HostedPartitions& hosted);

/// The recovery points of one directory. Says whether the disk took it.
[[nodiscard]] bool checkpoint_recovery_points(sim::Context& ctx,
                                              const LogDirectories& directories,
                                              const HostedPartitions& hosted,
                                              std::string_view directory);

/// Recovery points and log starts of one directory. Says whether the disk took both.
[[nodiscard]] bool checkpoint_log_positions(sim::Context& ctx,
                                            const LogDirectories& directories,
                                            const HostedPartitions& hosted,
                                            std::string_view directory);

/// The same of every directory that is online.
void checkpoint_all_positions(sim::Context& ctx,
                              const LogDirectories& directories,
                              const HostedPartitions& hosted);

/// The end of an orderly stop. A directory gets no marker when a log in it does not close, or when
/// not all its logs were loaded and it had none before. `broker_epoch` goes into the markers.
/// Effects: checkpoint.written.
void stop_logs_cleanly(sim::Context& ctx,
                       const LogDirectories& directories,
                       HostedPartitions& hosted,
                       std::optional<types::BrokerEpoch> broker_epoch);

}  // namespace klab::replication
