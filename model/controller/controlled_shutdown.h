// SPDX-License-Identifier: Apache-2.0
//
// A broker announces that it will stop: leadership moves away while it still runs, so that clients
// wait for an election and not for a timeout.
//
// Called by: heartbeat_decision.cc. Whether the broker may go is broker_heartbeats.h.
// Kafka: ReplicationControlManager.handleBrokerInControlledShutdown; KIP-631, KIP-841.
#pragma once

#include "model/controller/isr_updates.h"

namespace klab::controller {

/// The registration change (unless it was written before), then the partition changes. Requires:
/// the broker is registered.
[[nodiscard]] IsrUpdates begin_controlled_shutdown(const ControllerView& view,
                                                   types::BrokerId broker);

}  // namespace klab::controller
