// SPDX-License-Identifier: Apache-2.0
//
// P11 shape of the ISR, P12 no fenced broker in an ISR, P14 leader in the ISR.
//
// Called by: white_box.cc. KIP-841, KIP-966
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// After partition.changed: members, leader, ELR.
void check_shape(const RuleContext& ctx, const PartitionTrack& p);

/// A leader has this ISR in force.
void check_leader_in_isr(const RuleContext& ctx, const PartitionTrack& p, const ReplicaTrack& r);

/// At the end of a step in which the ISR or the state of a broker changed.
void check_no_fenced_member(const RuleContext& ctx, const PartitionTrack& p);

}  // namespace klab::check
