// SPDX-License-Identifier: Apache-2.0
//
// See partition_registration.h.
#include "model/metadata/partition_registration.h"

namespace klab::metadata {

namespace {

/// Directories for a new replica list: a replica that stays keeps its own.
std::vector<types::Uuid> carry_directories(const PartitionRegistration& from,
                                           const BrokerIds& replicas) {
    std::vector<types::Uuid> directories;
    directories.reserve(replicas.size());
    for (const types::BrokerId replica : replicas) {
        const auto at = std::ranges::find(from.replicas, replica);
        const auto index = static_cast<std::size_t>(at - from.replicas.begin());
        directories.push_back(index < from.directories.size() ? from.directories[index]
                                                              : kDirectoryUnassigned);
    }
    return directories;
}

}  // namespace

types::Uuid PartitionRegistration::directory_of(types::BrokerId replica) const {
    const auto at = std::ranges::find(replicas, replica);
    const auto index = static_cast<std::size_t>(at - replicas.begin());
    return index < directories.size() ? directories[index] : kDirectoryMigrating;
}

PartitionRegistration make_partition(const PartitionRecord& record) {
    PartitionRegistration partition;
    partition.replicas = record.replicas;
    partition.directories = record.directories;
    partition.directories.resize(record.replicas.size(), kDirectoryMigrating);
    partition.isr = record.isr;
    partition.removing_replicas = record.removing_replicas;
    partition.adding_replicas = record.adding_replicas;
    partition.elr = record.eligible_leader_replicas.value_or(BrokerIds{});
    partition.last_known_elr = record.last_known_elr.value_or(BrokerIds{});
    partition.leader = record.leader;
    partition.recovery = record.recovery;
    partition.leader_epoch = record.leader_epoch;
    partition.partition_epoch = record.partition_epoch;
    return partition;
}

PartitionRecord to_record(const PartitionRegistration& partition, const TopicIdPartition& id) {
    PartitionRecord record;
    record.partition_id = id.partition;
    record.topic_id = id.topic_id;
    record.replicas = partition.replicas;
    record.isr = partition.isr;
    record.removing_replicas = partition.removing_replicas;
    record.adding_replicas = partition.adding_replicas;
    record.leader = partition.leader;
    record.recovery = partition.recovery;
    record.leader_epoch = partition.leader_epoch;
    record.partition_epoch = partition.partition_epoch;
    record.directories = partition.directories;
    if (!partition.elr.empty()) {
        record.eligible_leader_replicas = partition.elr;
    }
    if (!partition.last_known_elr.empty()) {
        record.last_known_elr = partition.last_known_elr;
    }
    return record;
}

PartitionRegistration merge(const PartitionRegistration& partition,
                            const PartitionChangeRecord& change) {
    PartitionRegistration next = partition;
    if (change.replicas) {
        next.replicas = *change.replicas;
        next.directories = carry_directories(partition, next.replicas);
    }
    if (change.directories) {
        next.directories = *change.directories;
        next.directories.resize(next.replicas.size(), kDirectoryUnassigned);
    }
    next.isr = change.isr.value_or(partition.isr);
    next.removing_replicas = change.removing_replicas.value_or(partition.removing_replicas);
    next.adding_replicas = change.adding_replicas.value_or(partition.adding_replicas);
    next.elr = change.eligible_leader_replicas.value_or(partition.elr);
    next.last_known_elr = change.last_known_elr.value_or(partition.last_known_elr);
    next.recovery = change.recovery.value_or(partition.recovery);
    if (change.leader) {
        // Naming the same leader again still starts a new leader epoch.
        next.leader = change.leader->leader;
        next.leader_epoch = partition.leader_epoch.next();
    }
    next.partition_epoch = partition.partition_epoch.next();
    return next;
}

}  // namespace klab::metadata
