// SPDX-License-Identifier: Apache-2.0
//
// A leader proposes an ISR; the controller checks that it speaks of the present state and that
// every member may be in an ISR.
//
// Called by: request_dispatch.cc.
// Kafka: ReplicationControlManager.alterPartition, validateAlterPartitionData; KIP-497, KIP-704,
// KIP-841, KIP-903.
#pragma once

#include "model/controller/controller_state.h"
#include "model/controller/decision.h"
#include "model/protocol/alter_partition.h"

namespace klab::controller {

/// Errors, whole request: kStaleBrokerEpoch. One partition, the first that applies:
/// kUnknownTopicId, kUnknownTopicOrPartition, kNotController (the sender knows newer metadata),
/// kFencedLeaderEpoch, kInvalidRequest, kInvalidUpdateVersion, kIneligibleReplica,
/// kNewLeaderElected (the change is made, and moved leadership away from the sender).
[[nodiscard]] Decision<protocol::AlterPartitionResponse> decide_alter_partition(
    const ControllerView& view, const protocol::AlterPartitionRequest& request);

}  // namespace klab::controller
