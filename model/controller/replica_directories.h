// SPDX-License-Identifier: Apache-2.0
//
// What brokers say about where their replicas are: the metadata follow. A replica in a directory
// that has failed meanwhile leaves the ISR at once.
//
// Called by: request_dispatch.cc.
// Kafka: ReplicationControlManager.handleAssignReplicasToDirs; KIP-858.
#pragma once

#include "model/controller/controller_state.h"
#include "model/controller/decision.h"
#include "model/protocol/assign_replicas_to_dirs.h"

namespace klab::controller {

/// Errors of the request: kUnsupportedVersion (metadata.version before 3.7-IV2), kStaleBrokerEpoch;
/// of a replica: kUnknownTopicId, kUnknownTopicOrPartition, kNotLeaderOrFollower (no replica of
/// that broker).
[[nodiscard]] Decision<protocol::AssignReplicasToDirsResponse> decide_assign_replicas(
    const ControllerView& view, const protocol::AssignReplicasToDirsRequest& request);

}  // namespace klab::controller
