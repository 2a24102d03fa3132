// SPDX-License-Identifier: Apache-2.0
//
// P9 one leader for each epoch, P10 epochs never fall.
//
// Called by: white_box.cc. KIP-101, KIP-320, KIP-497
#pragma once

#include "model/check/rule_context.h"

namespace klab::check {

/// A broker appended as leader.
void check_author(const RuleContext& ctx,
                  PartitionTrack& p,
                  types::BrokerId broker,
                  std::int32_t leader_epoch);

/// A process applied these epochs; remembers them.
void check_applied_epochs(const RuleContext& ctx,
                          const PartitionTrack& p,
                          ReplicaTrack& r,
                          std::int32_t leader_epoch,
                          std::int32_t partition_epoch);

/// The metadata log moves from `p.control` to these epochs.
void check_committed_epochs(const RuleContext& ctx,
                            const PartitionTrack& p,
                            std::int32_t leader_epoch,
                            std::int32_t partition_epoch);

}  // namespace klab::check
