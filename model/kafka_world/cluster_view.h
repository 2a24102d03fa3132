// SPDX-License-Identifier: Apache-2.0
//
// Looking at a Kafka world from outside: committed metadata, replicas, records. Const, without
// effects and without cost in virtual time. Roles of scenarios ("leader(t-0)"), expressions, checks
// and pictures ask here, so that all of them mean the same.
//
// Called by: model/check, viz, scenarios/run, tests. Never by the model.
#pragma once

#include <optional>
#include <vector>

#include "model/kafka_world/kafka_model.h"
#include "model/storage/log_reader.h"

namespace klab::world {

/// The metadata committed at this instant, as the active controller holds it; without one the
/// newest that any process, even a dead one, has seen committed. nullptr when nobody has seen any.
[[nodiscard]] const metadata::MetadataImage* committed_image(const KafkaWorld& world);

/// The active controller's node, if one runs.
[[nodiscard]] std::optional<sim::NodeId> active_controller(const KafkaWorld& world);

/// The broker's state, also of a dead process (what it held when it died). Requires: it exists.
[[nodiscard]] const broker::Broker& broker_state(const KafkaWorld& world, types::BrokerId id);

/// Does the broker's process run (paused counts)?
[[nodiscard]] bool is_running(const KafkaWorld& world, types::BrokerId id);

/// The replica as its broker holds it; nullptr when it hosts none (or has not loaded it yet).
[[nodiscard]] const replication::Partition* replica(const KafkaWorld& world,
                                                    const types::TopicPartition& partition,
                                                    types::BrokerId broker);

/// The partition in the committed metadata, or nullptr.
[[nodiscard]] const metadata::PartitionRegistration* registration(
    const KafkaWorld& world, const types::TopicPartition& partition);

/// The leader in the committed metadata.
[[nodiscard]] std::optional<types::BrokerId> committed_leader(
    const KafkaWorld& world, const types::TopicPartition& partition);

/// The replica of the committed leader; nullptr without a running leader.
[[nodiscard]] const replication::Partition* leader_replica(const KafkaWorld& world,
                                                           const types::TopicPartition& partition);

/// All records on the disk of a replica in [from, to); empty when it hosts none.
[[nodiscard]] std::vector<storage::RecordSight> records_of(
    const KafkaWorld& world,
    const types::TopicPartition& partition,
    types::BrokerId broker,
    types::Offset from = types::Offset(0),
    types::Offset to = types::Offset(INT64_MAX));

/// All batches on the disk of a replica.
[[nodiscard]] std::vector<storage::BatchSight> batches_of(const KafkaWorld& world,
                                                          const types::TopicPartition& partition,
                                                          types::BrokerId broker);

/// The same, or the replica as it was when its log directory failed, while the broker runs on.
[[nodiscard]] const replication::Partition* replica_on_disk(const KafkaWorld& world,
                                                            const types::TopicPartition& partition,
                                                            types::BrokerId broker);

/// Does the broker run with its replica in a log directory that is offline?
[[nodiscard]] bool is_replica_offline(const KafkaWorld& world,
                                      const types::TopicPartition& partition,
                                      types::BrokerId broker);

/// What finding an offset in a replica's log looks at; nothing outside the log, or when the broker
/// hosts none.
[[nodiscard]] std::optional<storage::LogLookup> lookup_of(const KafkaWorld& world,
                                                          const types::TopicPartition& partition,
                                                          types::BrokerId broker,
                                                          std::int64_t offset);

/// Partitions in the committed metadata, by topic name and number.
[[nodiscard]] std::vector<types::TopicPartition> partitions_of(const KafkaWorld& world);

/// Is every partition led, with a full ISR that the leader has in force, and has every follower
/// fetched up to the leader's log end? What a scenario waits for before its time 0, and what
/// liveness means after faults.
[[nodiscard]] bool fully_replicated(const KafkaWorld& world);

}  // namespace klab::world
