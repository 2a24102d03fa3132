// SPDX-License-Identifier: Apache-2.0
//
// CreatePartitions: a topic gets more partitions. The old ones stay as they are, so keys may move
// to other partitions from then on.
//
// Called by: request_dispatch.cc.
// Kafka: ReplicationControlManager.createPartitions, ControllerApis.createPartitions; KIP-195.
// Simplified: no mutation quota, no validateOnly.
#pragma once

#include "model/controller/controller_state.h"
#include "model/controller/decision.h"
#include "model/controller/striped_replica_placer.h"
#include "model/protocol/partition_admin.h"

namespace klab::controller {

/// One result for each topic, in that order. Errors: kUnknownTopicOrPartition, kInvalidPartitions
/// (no more than there are), kInvalidReplicaAssignment, kInvalidReplicationFactor (too few brokers
/// are alive), kInvalidRequest (the topic is named twice).
[[nodiscard]] Decision<protocol::CreatePartitionsResponse> decide_create_partitions(
    const ControllerView& view,
    const protocol::CreatePartitionsRequest& request,
    PlacementRandom& random);

}  // namespace klab::controller
