// SPDX-License-Identifier: Apache-2.0
//
// P18 acks=all is refused below min.insync.replicas, IDEMPOTENCE: sequence numbers join on.
//
// Called by: white_box.cc. Kafka: Partition.appendRecordsToLeader, ProducerAppendInfo. KIP-98
// Simplified: the epoch of a producer is not in the trace; it is looked up on the disk when a
// sequence does not join on.
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// An acks=all batch that ends at `last` was let in; its append was in this step.
void check_admission(const RuleContext& ctx,
                     const PartitionTrack& p,
                     ReplicaTrack& r,
                     std::int64_t last);

/// Before a batch with a producer id is appended to the replica.
void check_sequence(const RuleContext& ctx,
                    const PartitionTrack& p,
                    ReplicaTrack& r,
                    const Batch& batch,
                    std::int64_t producer_id,
                    std::int32_t base_sequence);

}  // namespace klab::check
