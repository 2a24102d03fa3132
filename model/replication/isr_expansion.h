// SPDX-License-Identifier: Apache-2.0
//
// ISR expansion: may the follower that just fetched join the in-sync replicas?
//
// Owns: the decision; isr_state.h keeps the proposal.
// Called by: partition.cc after each fetch of a follower; high_watermark.cc (is_isr_eligible).
// Kafka: Partition.maybeExpandIsr, needsExpandIsr, isFollowerInSync, isReplicaIsrEligible.
// KAFKA-7128, KIP-497, KIP-841, KIP-903
#pragma once

#include "model/replication/partition.h"
#include "model/replication/replication_types.h"

namespace klab::replication {

/// The broker epoch of a registered, unfenced broker; nothing for any other.
[[nodiscard]] std::optional<types::BrokerEpoch> alive_broker_epoch(
    const metadata::MetadataImage& image, types::BrokerId broker);

/// May this follower be in an ISR at all: unfenced, not shutting down (KIP-841), and its last fetch
/// made under the broker epoch that the metadata hold for it (KIP-903)?
[[nodiscard]] bool is_isr_eligible(const Follower& follower, const Surroundings& around);

/// Where a follower's log must end to be in sync.
struct InSyncBar {
    types::Offset high_watermark;
    std::optional<types::Offset> epoch_start;  ///< of the leader's current epoch
};

/// Does the follower hold all that may have been committed: everything below the leader's high
/// watermark and below the start of the leader's epoch (KAFKA-7128)?
[[nodiscard]] bool is_follower_in_sync(const FollowerState& state,
                                       const InSyncBar& bar,
                                       const types::Rules& rules);

/// All conditions together, the ISR state included.
[[nodiscard]] bool should_expand_isr(const IsrState& isr,
                                     const Follower& follower,
                                     const InSyncBar& bar,
                                     const Surroundings& around);

}  // namespace klab::replication
