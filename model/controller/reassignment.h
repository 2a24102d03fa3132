// SPDX-License-Identifier: Apache-2.0
//
// Moving a partition to other brokers, and taking that back.
//
//     replicas [1,2,3], target [4,5,6]:
//       start     replicas [4,5,6,1,2,3]  adding [4,5,6]  removing [1,2,3]
//       (the new ones catch up and join the ISR by the common rule)
//       complete  replicas [4,5,6]        with the change that makes the ISR hold all of them
//
// The completion is reassignment_completion.cc: every change of the partition looks for it.
//
// Called by: request_dispatch.cc.
// Kafka: ReplicationControlManager.alterPartitionReassignment, PartitionReassignmentReplicas,
// PartitionReassignmentRevert; KIP-455, KIP-860.
#pragma once

#include "model/controller/controller_state.h"
#include "model/controller/decision.h"
#include "model/protocol/partition_admin.h"

namespace klab::controller {

/// A reassignment as a partition's metadata hold it while it is under way.
struct Reassignment {
    metadata::BrokerIds replicas;  ///< the target first, then what is to be removed
    metadata::BrokerIds adding;    ///< ascending
    metadata::BrokerIds removing;  ///< ascending

    friend bool operator==(const Reassignment&, const Reassignment&) = default;
};

/// From the replicas that a partition has, those of a reassignment under way included, to the
/// target: replicas that an earlier reassignment added and the new one does not want are removed.
[[nodiscard]] Reassignment plan_reassignment(const metadata::BrokerIds& present,
                                             const metadata::BrokerIds& target);

/// What a partition becomes when its reassignment is taken back.
struct RevertedReassignment {
    metadata::BrokerIds replicas;  ///< without the added ones; not empty
    metadata::BrokerIds isr;
    /// Nobody of the ISR was there before: the first replica is taken, whatever it has.
    bool unclean = false;

    friend bool operator==(const RevertedReassignment&, const RevertedReassignment&) = default;
};

/// Nothing when no replica would be left, which no reassignment brings about.
[[nodiscard]] std::optional<RevertedReassignment> revert_reassignment(
    const metadata::PartitionRegistration& partition);

/// Starts, replaces or takes back reassignments. Errors, each partition: kUnknownTopicOrPartition,
/// kInvalidReplicaAssignment, kInvalidReplicationFactor (another number of replicas where the
/// request forbids it), kNoReassignmentInProgress.
[[nodiscard]] Decision<protocol::AlterPartitionReassignmentsResponse> decide_alter_reassignments(
    const ControllerView& view, const protocol::AlterPartitionReassignmentsRequest& request);

/// The reassignments under way among the partitions asked for; partitions that do not exist are
/// left out.
[[nodiscard]] protocol::ListPartitionReassignmentsResponse list_reassignments(
    const metadata::MetadataImage& image,
    const protocol::ListPartitionReassignmentsRequest& request);

}  // namespace klab::controller
