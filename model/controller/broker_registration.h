// SPDX-License-Identifier: Apache-2.0
//
// A broker process registers. Its broker epoch is the offset at which the records of the
// registration begin; it starts fenced.
//
// Called by: request_dispatch.cc.
// Kafka: ClusterControlManager.registerBroker, ReplicationControlManager.handleBrokerShutdown;
// KIP-631, KIP-866 (directories), KIP-966 (clean shutdown).
// Simplified: every broker supports every feature level of the cluster's version; one listener.
#pragma once

#include "model/controller/isr_updates.h"

namespace klab::controller {

struct RegistrationResult {
    protocol::BrokerRegistrationResponse response;
    bool new_incarnation = false;  ///< not an amendment of the running process's registration
    bool clean = false;            ///< its last shutdown was clean

    friend bool operator==(const RegistrationResult&, const RegistrationResult&) = default;
};

/// `host` is the address to be registered. Errors: kInconsistentClusterId,
/// kDuplicateBrokerRegistration (another process of this id was heard of within the session
/// timeout), kInvalidRegistration (log directories).
[[nodiscard]] Decision<RegistrationResult> decide_registration(
    const ControllerView& view,
    const protocol::BrokerRegistrationRequest& request,
    const types::Uuid& cluster_id,
    const std::string& host);

}  // namespace klab::controller
