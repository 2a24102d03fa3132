// SPDX-License-Identifier: Apache-2.0
//
// The logs of a broker at its start and at its end: what is on the disk becomes logs again, and an
// orderly stop leaves checkpoints and the marker that make the next start a clean one.
//
// Each partition directory names its topic by id in partition.metadata, so that a topic that was
// deleted and made anew under the same name while the broker was down is not mistaken for the old.
//
//     version: 0
//     topic_id: AAAAAAAAAAAAAAAAAAAAAQ
//
// Owns: the logs between their loading and the first metadata; partition.metadata.
// Called by: replica_manager.cc, metadata_apply.cc.
// Kafka: LogManager.loadLogs, shutdown; PartitionMetadataFile.
// Simplified: one log directory; logs the metadata do not place here are removed at once instead of
// being renamed to -stray or -delete first.
#pragma once

#include <optional>
#include <vector>

#include "model/replication/data_plane.h"
#include "model/storage/log.h"
#include "sim/base/cow_map.h"
#include "sim/base/result.h"

namespace klab::replication {

/// A log found on disk that no metadata have claimed yet.
struct LoadedLog {
    storage::Log log;
    std::optional<types::Uuid> topic_id;

    friend bool operator==(const LoadedLog&, const LoadedLog&) = default;
};

using LoadedLogs = CowMap<types::TopicPartition, LoadedLog>;

/// Opens every log in the directory into `loaded`. Effects: log.recovered for each.
/// Error: kStorage (Kafka stops when its only log directory cannot be read).
[[nodiscard]] std::optional<storage::AppendError> load_logs(sim::Context& ctx,
                                                            const ReplicationOptions& options,
                                                            LoadedLogs& loaded);

/// The log for a new partition: the loaded one if it is of this very topic, else a fresh one.
[[nodiscard]] Result<storage::Log, storage::AppendError> claim_log(
    sim::Context& ctx,
    const ReplicationOptions& options,
    const types::TopicPartition& name,
    types::Uuid topic_id,
    const storage::LogConfig& config,
    LoadedLogs& loaded);

/// Removes what nobody has claimed.
void drop_unclaimed(sim::Context& ctx, LoadedLogs& loaded);

/// Writes replication-offset-checkpoint. Effects: checkpoint.written.
void checkpoint_high_watermarks(sim::Context& ctx,
                                const ReplicationOptions& options,
                                const HostedPartitions& hosted);

/// Writes the recovery-point checkpoint. Says whether the disk took it.
[[nodiscard]] bool checkpoint_recovery_points(sim::Context& ctx,
                                              const ReplicationOptions& options,
                                              const HostedPartitions& hosted);

/// The same with the log starts of those logs whose first segment begins below them.
[[nodiscard]] bool checkpoint_log_positions(sim::Context& ctx,
                                            const ReplicationOptions& options,
                                            const HostedPartitions& hosted);

/// Flushes every log, writes all checkpoints and the clean marker; no marker when the disk refuses
/// any of it. A stop before the logs are loaded knows of none: it empties the checkpoints of
/// recovery points and log starts, and leaves no marker (before KAFKA-15375 it did).
void stop_logs_cleanly(sim::Context& ctx,
                       const ReplicationOptions& options,
                       HostedPartitions& hosted,
                       bool are_loaded,
                       std::optional<types::BrokerEpoch> broker_epoch);

/// Bytes of partition.metadata, and back (nothing when it is not one).
[[nodiscard]] Bytes encode_partition_metadata(types::Uuid topic_id);
[[nodiscard]] std::optional<types::Uuid> parse_partition_metadata(ByteView bytes);

}  // namespace klab::replication
