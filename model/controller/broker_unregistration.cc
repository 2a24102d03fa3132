// SPDX-License-Identifier: Apache-2.0
//
// See broker_unregistration.h.
#include "model/controller/broker_unregistration.h"

#include <fmt/format.h>

namespace klab::controller {

Decision<protocol::UnregisterBrokerResponse> decide_unregister_broker(
    const ControllerView& view, const protocol::UnregisterBrokerRequest& request) {
    Decision<protocol::UnregisterBrokerResponse> decision;
    decision.result.result.name = fmt::format("{}", request.broker);
    const metadata::BrokerRegistration* registration = view.state.image.broker(request.broker);
    if (registration == nullptr) {
        decision.result.result.error = types::ErrorCode::kBrokerIdNotRegistered;
        decision.result.result.message = fmt::format("broker {} is not registered", request.broker);
        return decision;
    }
    const IsrUpdateCause cause{.removed = request.broker};
    append(decision, update_isrs(view, cause, view.state.partitions.in_isr_of(request.broker)));
    append(decision, update_isrs(view, cause, view.state.partitions.in_elr_of(request.broker)));
    decision.records.emplace_back(
        metadata::UnregisterBrokerRecord{request.broker, registration->epoch});
    return decision;
}

}  // namespace klab::controller
