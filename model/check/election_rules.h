// SPDX-License-Identifier: Apache-2.0
//
// P22 unclean election only when allowed, M7 leader choice.
//
// Called by: white_box.cc. Kafka: PartitionChangeBuilder.electLeader. KIP-704, KAFKA-12670
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// After partition.changed named a leader in a new epoch. `before`: the partition before.
void check_choice(const RuleContext& ctx,
                  const PartitionTrack& p,
                  const ControlTrack& before,
                  bool unclean);

/// At the end of a step with such a change: the leader is unfenced and stays.
void check_leader_active(const RuleContext& ctx, const PartitionTrack& p);

/// At the end of a step with a change: the recovering mark tells of an unclean election.
void check_recovering(const RuleContext& ctx, PartitionTrack& p);

/// Is the leader elected from outside the ISR the last one there was, with nobody of ISR and ELR
/// who may lead? KIP-966 lets it lead again, marked as unclean, whatever the topic says.
[[nodiscard]] bool is_last_known_leader(const RuleContext& ctx,
                                        const ControlTrack& before,
                                        types::BrokerId elected);

/// May the controller elect uncleanly by itself?
[[nodiscard]] bool may_elect_uncleanly(const RuleContext& ctx, const PartitionTrack& p);

}  // namespace klab::check
