// SPDX-License-Identifier: Apache-2.0
//
// Shutting a broker out and letting it in again. A fenced broker is in no ISR (but as its last
// member), leads nothing, and clients do not hear of it.
//
// Called by: heartbeat_decision.cc (a broker asks), controller_tasks.cc (a session ran out).
// Kafka: ReplicationControlManager.handleBrokerFenced, handleBrokerUnfenced,
// maybeFenceOneStaleBroker; KIP-631, KIP-841.
#pragma once

#include "model/controller/isr_updates.h"

namespace klab::controller {

/// Partition changes first, then the registration change: nobody ever sees a fenced broker in an
/// ISR it need not be in. Requires: the broker is registered.
[[nodiscard]] IsrUpdates fence_broker(const ControllerView& view, types::BrokerId broker);

/// The registration change first, then leaders for the partitions that have none. Requires: the
/// broker is registered.
[[nodiscard]] IsrUpdates unfence_broker(const ControllerView& view, types::BrokerId broker);

/// What the periodic check of sessions found.
struct StaleBroker {
    std::optional<BrokerIdAndEpoch> expired;  ///< its contact time is to be forgotten
    bool fenced = false;                      ///< its current registration; else an old one
    bool unknown = false;                     ///< no such broker is registered any more

    friend bool operator==(const StaleBroker&, const StaleBroker&) = default;
};

/// Fences one broker at most, the first by id whose session ran out, so that the effect of each is
/// visible to the next. The caller checks again soon when there was one.
[[nodiscard]] Decision<StaleBroker> decide_stale_broker(const ControllerView& view);

}  // namespace klab::controller
