// SPDX-License-Identifier: Apache-2.0
//
// The one place where leader, ISR and ELR of a partition change: from what is wanted to the record
// that says it, or to no record when nothing would change.
//
// The leader epoch rises when the leader changes, when a reassignment drops replicas, and (before
// metadata.version 3.6) when the ISR shrinks.
//
// Called by: isr_updates.cc, alter_partition_decision.cc, leader_elections.cc, reassignment.cc,
// replica_directories.cc.
// Kafka: PartitionChangeBuilder.build; KIP-497, KIP-704, KIP-841, KIP-858, KIP-966, KAFKA-15021.
#pragma once

#include "model/controller/leader_election.h"
#include "model/types/rules.h"

namespace klab::controller {

struct PartitionChangeInput {
    metadata::TopicIdPartition id;
    const metadata::PartitionRegistration& partition;
    const types::Rules& rules;
    AcceptableLeader acceptable;
    ElectionRule election = ElectionRule::kOnline;
    std::int32_t min_isr = 1;  ///< effective min.insync.replicas; matters for ELR only
    /// KIP-966: remember the last leader and elect it when ISR and ELR are empty.
    bool last_known_leader_in_recovery = true;
};

/// Where a replica is.
struct ReplicaDirectory {
    types::BrokerId broker;
    types::Uuid directory;

    friend bool operator==(const ReplicaDirectory&, const ReplicaDirectory&) = default;
};

/// What the partition shall become; absent = as it is.
struct PartitionTarget {
    std::optional<metadata::BrokerIds> isr;
    std::optional<metadata::BrokerIds> replicas;
    std::optional<metadata::BrokerIds> removing;
    std::optional<metadata::BrokerIds> adding;
    std::optional<metadata::LeaderRecoveryState> recovery;
    std::vector<ReplicaDirectory> directories;  ///< of some of the replicas, new ones included
    metadata::BrokerIds unclean_shutdown;       ///< these lost their tail: out of ISR and ELR
};

struct PartitionChange {
    std::optional<metadata::PartitionChangeRecord> record;
    std::optional<ElectionReport> election;  ///< set when the leader changes
};

[[nodiscard]] PartitionChange build_partition_change(const PartitionChangeInput& input,
                                                     const PartitionTarget& target);

}  // namespace klab::controller
