// SPDX-License-Identifier: Apache-2.0
//
// Failed log directories of brokers: their replicas leave the ISRs, and other leaders are elected
// where they led.
//
// Called by: heartbeat_decision.cc.
// Kafka: ReplicationControlManager.handleDirectoriesOffline; KIP-858.
#pragma once

#include <vector>

#include "model/controller/isr_updates.h"

namespace klab::controller {

/// For those of `offline` that the broker had registered and that counted as online until now: the
/// changes of partitions with a replica there, then the registration without them. Requires: the
/// broker is registered.
[[nodiscard]] IsrUpdates take_directories_offline(const ControllerView& view,
                                                  types::BrokerId broker,
                                                  const std::vector<types::Uuid>& offline);

}  // namespace klab::controller
