// SPDX-License-Identifier: Apache-2.0
//
// ISR shrink: which members of the in-sync replicas have been behind for too long? Asked every half
// replica.lag.time.max.ms, so a dead follower leaves between 1.0 and 1.5 times that after it was
// last caught up, unless the controller fences its broker first and removes it itself.
//
// Owns: the decision; isr_state.h keeps the proposal.
// Called by: partition.cc, from the periodic ISR check.
// Kafka: Partition.maybeShrinkIsr, getOutOfSyncReplicas. KIP-16, KIP-497
#pragma once

#include <vector>

#include "model/replication/partition.h"
#include "model/replication/replication_types.h"

namespace klab::replication {

/// Members of the committed ISR, other than this broker, that must leave; in ISR order. None while
/// a change is in flight.
[[nodiscard]] std::vector<types::BrokerId> find_out_of_sync(const IsrState& isr,
                                                            std::span<const Follower> followers,
                                                            types::Offset log_end,
                                                            const Surroundings& around);

}  // namespace klab::replication
