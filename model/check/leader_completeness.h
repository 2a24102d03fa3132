// SPDX-License-Identifier: Apache-2.0
//
// P2 leader completeness, P3 candidate completeness, and the moment a committed record counts as
// exposed.
//
// Called by: white_box.cc, acked_loss.cc, high_watermark_rules.cc. TLA LeaderCompleteness
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// leader.started as the controller wanted it: does it hold all that was exposed? Rebases when not.
void check_leader_complete(const RuleContext& ctx, PartitionTrack& p, types::BrokerId leader);

/// Every running, registered member of the controller's ISR holds all that was exposed.
void check_candidates(const RuleContext& ctx, const PartitionTrack& p);

/// Somebody outside the leader has heard that records below `to` are committed.
void expose(const RuleContext& ctx, PartitionTrack& p, std::int64_t to);

}  // namespace klab::check
