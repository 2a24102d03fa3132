// SPDX-License-Identifier: Apache-2.0
//
// P8 high watermark is bounded, P17 nothing is committed below min.insync.replicas, P13 strong ISR
// and P15 valid high watermark when a leader raises its high watermark; and what follows from the
// raise: batches become committed.
//
// Called by: white_box.cc. Kafka: Partition.maybeIncrementLeaderHW. KIP-497, KAFKA-15583
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// hw.advanced
struct Advance {
    std::int64_t to = 0;
    bool as_leader = false;
    std::int64_t log_end = 0;
    std::int64_t isr_size = -1;
};

void check_advance(const RuleContext& ctx,
                   PartitionTrack& p,
                   types::BrokerId broker,
                   const Advance& advance);

/// Members of the ISR that `leader` has in force hold its records below its high watermark (P13).
/// For the moments when a member's log or the ISR changed.
void check_isr_members(const RuleContext& ctx, const PartitionTrack& p, const ReplicaTrack& leader);

/// The controller's ISR reaches the high watermark of its leader (P15).
void check_controller_isr(const RuleContext& ctx, const PartitionTrack& p);

/// The maximal ISR of the current leader contains the controller's ISR (P16). At the end of a step.
void check_maximal_isr(const RuleContext& ctx, PartitionTrack& p);

}  // namespace klab::check
