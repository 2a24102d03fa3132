// SPDX-License-Identifier: Apache-2.0
//
// P19 ISR changes are serial, P20 who may join the ISR.
//
// Called by: white_box.cc. KIP-497, KAFKA-7128, KIP-841, KIP-903
// Simplified: that a leader sends one proposal at a time is seen only through what is accepted.
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// isr.proposed
struct Proposal {
    std::int64_t isr_list = 0;
    std::int32_t leader_epoch = 0;
    std::int32_t partition_epoch = 0;
    bool expands = false;
    types::BrokerId replica;
    std::int64_t replica_end = -1;  ///< -1: unknown to the leader
    std::int64_t high_watermark = 0;
    std::int64_t epoch_start = -1;
};

/// Is the joining replica far enough? Remembers the proposal.
void check_proposal(const RuleContext& ctx,
                    PartitionTrack& p,
                    ReplicaTrack& leader,
                    const Proposal& proposal);

/// The controller changed the ISR without a change of leader and without a broker changing its
/// state, so because of a proposal. `before` is the partition before the change.
void check_accepted(const RuleContext& ctx,
                    const PartitionTrack& p,
                    const ControlTrack& before,
                    std::int64_t isr_list);

}  // namespace klab::check
