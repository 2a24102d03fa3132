// SPDX-License-Identifier: Apache-2.0
//
// PartitionRegistration: what the metadata says of one partition. Every change raises the partition
// epoch; naming a leader (even the same one) raises the leader epoch.
//
// Owns: the rule how a change record alters a partition (merge).
// Called by: image_replay.cc; the controller's rules and brokers read it.
// Kafka: PartitionRegistration. KIP-497 (partition epoch), KIP-704 (recovery), KIP-966 (ELR).
#pragma once

#include <algorithm>

#include "model/metadata/records.h"

namespace klab::metadata {

struct PartitionRegistration {
    BrokerIds replicas;                    ///< the first is the preferred leader
    std::vector<types::Uuid> directories;  ///< one a replica
    BrokerIds isr;
    BrokerIds removing_replicas;
    BrokerIds adding_replicas;
    BrokerIds elr;
    BrokerIds last_known_elr;
    std::optional<types::BrokerId> leader;
    LeaderRecoveryState recovery = LeaderRecoveryState::kRecovered;
    types::LeaderEpoch leader_epoch;
    types::PartitionEpoch partition_epoch;

    [[nodiscard]] bool has_preferred_leader() const {
        return leader.has_value() && !replicas.empty() && *leader == replicas.front();
    }

    /// In which of its log directories a replica is, perhaps a reserved id (records.h). Migrating
    /// for a broker that is no replica.
    [[nodiscard]] types::Uuid directory_of(types::BrokerId replica) const;

    friend bool operator==(const PartitionRegistration&, const PartitionRegistration&) = default;
};

[[nodiscard]] inline bool contains(const BrokerIds& brokers, types::BrokerId broker) {
    return std::ranges::find(brokers, broker) != brokers.end();
}

/// A new partition as its record describes it. Directories that the record lacks read as migrating.
[[nodiscard]] PartitionRegistration make_partition(const PartitionRecord& record);

/// The record that creates exactly this partition.
[[nodiscard]] PartitionRecord to_record(const PartitionRegistration& partition,
                                        const TopicIdPartition& id);

/// The partition after a change: absent fields keep their value, a named leader raises the leader
/// epoch by one, the partition epoch always rises by one. New replicas that the change gives no
/// directory keep the one they had, or read as unassigned.
[[nodiscard]] PartitionRegistration merge(const PartitionRegistration& partition,
                                          const PartitionChangeRecord& change);

}  // namespace klab::metadata
