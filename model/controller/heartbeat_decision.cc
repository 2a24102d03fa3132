// SPDX-License-Identifier: Apache-2.0
//
// See heartbeat_decision.h.
#include "model/controller/heartbeat_decision.h"

#include "model/controller/broker_fencing.h"
#include "model/controller/controlled_shutdown.h"
#include "model/controller/offline_directories.h"
#include "sim/base/assert.h"

namespace klab::controller {

types::ErrorCode check_broker_epoch(const ControllerView& view,
                                    types::BrokerId broker,
                                    types::BrokerEpoch epoch) {
    const metadata::BrokerRegistration* registration = view.state.image.broker(broker);
    return registration != nullptr && registration->epoch == epoch
               ? types::ErrorCode::kNone
               : types::ErrorCode::kStaleBrokerEpoch;
}

Decision<HeartbeatResult> decide_heartbeat(const ControllerView& view,
                                           const protocol::BrokerHeartbeatRequest& request) {
    Decision<HeartbeatResult> decision;
    HeartbeatResult& result = decision.result;
    const types::BrokerId broker = request.broker_id;
    result.response.error = check_broker_epoch(view, broker, request.broker_epoch);
    if (result.response.error != types::ErrorCode::kNone) {
        return decision;
    }
    const types::Offset* registered_at = view.state.register_record_offsets.find(broker);
    KLAB_ASSERT(registered_at != nullptr, "broker {} has no registration record", broker);
    result.states = view.state.heartbeats.next_state(
        request, *registered_at, view.state.partitions.leaderships(broker) != 0);
    if (result.states.current != result.states.next) {
        switch (result.states.next) {
            case BrokerControlState::kFenced:
                decision.broker = BrokerNote{"request of the broker", std::nullopt};
                append(decision, fence_broker(view, broker));
                break;
            case BrokerControlState::kShutdownNow:
                decision.broker = BrokerNote{"shutdown", std::nullopt};
                append(decision, fence_broker(view, broker));
                break;
            case BrokerControlState::kUnfenced:
                append(decision, unfence_broker(view, broker));
                break;
            case BrokerControlState::kControlledShutdown:
                append(decision, begin_controlled_shutdown(view, broker));
                break;
        }
    }
    if (view.state.image.knows_directories()) {
        append(decision, take_directories_offline(view, broker, request.offline_log_dirs));
    }
    result.response.is_caught_up =
        request.current_metadata_offset && *request.current_metadata_offset >= *registered_at;
    result.response.is_fenced = result.states.next == BrokerControlState::kFenced ||
                                result.states.next == BrokerControlState::kShutdownNow;
    result.response.should_shut_down = result.states.next == BrokerControlState::kShutdownNow;
    return decision;
}

}  // namespace klab::controller
