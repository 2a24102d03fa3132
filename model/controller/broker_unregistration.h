// SPDX-License-Identifier: Apache-2.0
//
// UnregisterBroker: an operator takes a broker out of the cluster for good. It leaves every ISR;
// it stays in the replica lists, and in ELRs it is only barred from leading.
//
// Called by: request_dispatch.cc.
// Kafka: ReplicationControlManager.unregisterBroker, handleBrokerUnregistered.
#pragma once

#include "model/controller/isr_updates.h"
#include "model/protocol/partition_admin.h"

namespace klab::controller {

/// Errors: kBrokerIdNotRegistered.
[[nodiscard]] Decision<protocol::UnregisterBrokerResponse> decide_unregister_broker(
    const ControllerView& view, const protocol::UnregisterBrokerRequest& request);

}  // namespace klab::controller
