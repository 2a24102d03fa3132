// SPDX-License-Identifier: Apache-2.0
//
// How an ISR change is put to the controller, and what happens with its answer.
//
// Owns: the transitions of IsrState that follow from a proposal.
// Called by: partition.cc. Kafka: Partition.prepareIsrExpand, prepareIsrShrink,
// submitAlterPartition, handleAlterPartitionUpdate, handleAlterPartitionError. KIP-497, KIP-903
#pragma once

#include <vector>

#include "model/protocol/alter_partition.h"
#include "model/replication/data_plane.h"

namespace klab::replication {

/// Asks for the ISR plus `joining`. Says whether the proposal was queued; it is not while an
/// earlier one of this partition waits for its answer. Requires: nothing in flight.
/// Effects: isr.proposed.
bool propose_expansion(DataPlane& plane,
                       Partition& partition,
                       types::BrokerId joining,
                       sim::EventId because);

/// Asks for the ISR without `leaving`. As above.
bool propose_shrink(DataPlane& plane,
                    Partition& partition,
                    std::vector<types::BrokerId> leaving,
                    sim::EventId because);

/// Takes the controller's answer to proposal `number`; ignored when that one is not in flight any
/// more. Returns the event when another ISR came into force.
/// Effects: isr.expanded, isr.shrunk, isr.refused.
std::optional<sim::EventId> take_alter_partition_answer(
    DataPlane& plane,
    Partition& partition,
    std::uint64_t number,
    const protocol::AlterPartitionResult& answer);

/// Tells that the committed ISR was `before` and is another one now; nothing when it is the same.
std::optional<sim::EventId> emit_isr_change(sim::Context& ctx,
                                            const Partition& partition,
                                            const std::vector<types::BrokerId>& before);

/// The interned list of an ISR, for event fields.
[[nodiscard]] std::int64_t isr_for_trace(sim::Context& ctx,
                                         const std::vector<types::BrokerId>& isr);

}  // namespace klab::replication
