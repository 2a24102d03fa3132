// SPDX-License-Identifier: Apache-2.0
//
// What a broker's heartbeat leads to: nothing, being fenced, unfenced, or shut down; and the end of
// its log directories that have failed.
//
// Called by: request_dispatch.cc.
// Kafka: ReplicationControlManager.processBrokerHeartbeat; KIP-631, KIP-858.
#pragma once

#include "model/controller/isr_updates.h"

namespace klab::controller {

struct HeartbeatResult {
    protocol::BrokerHeartbeatResponse response;
    BrokerControlStates states;  ///< meaningful when response.error is kNone

    friend bool operator==(const HeartbeatResult&, const HeartbeatResult&) = default;
};

/// Errors: kStaleBrokerEpoch when the request is not of the registered process.
[[nodiscard]] Decision<HeartbeatResult> decide_heartbeat(
    const ControllerView& view, const protocol::BrokerHeartbeatRequest& request);

/// kNone when `epoch` is that of the broker's registration, else kStaleBrokerEpoch.
[[nodiscard]] types::ErrorCode check_broker_epoch(const ControllerView& view,
                                                  types::BrokerId broker,
                                                  types::BrokerEpoch epoch);

}  // namespace klab::controller
