// SPDX-License-Identifier: Apache-2.0
//
// See broker_heartbeats.h.
#include "model/controller/broker_heartbeats.h"

#include "sim/base/assert.h"

namespace klab::controller {

namespace {

using enum BrokerControlState;

BrokerControlState current_state(const BrokerHeartbeatState& broker) {
    if (broker.is_shutting_down()) {
        return kControlledShutdown;
    }
    return broker.fenced ? kFenced : kUnfenced;
}

BrokerControlState next_of_fenced(const protocol::BrokerHeartbeatRequest& request,
                                  types::Offset register_record_offset) {
    if (request.want_shut_down) {
        return kShutdownNow;
    }
    const bool caught_up = request.current_metadata_offset &&
                           *request.current_metadata_offset >= register_record_offset;
    return !request.want_fence && caught_up ? kUnfenced : kFenced;
}

BrokerControlState next_of_unfenced(const protocol::BrokerHeartbeatRequest& request,
                                    bool leads_something) {
    if (request.want_fence) {
        return request.want_shut_down ? kShutdownNow : kFenced;
    }
    if (request.want_shut_down) {
        return leads_something ? kControlledShutdown : kShutdownNow;
    }
    return kUnfenced;
}

}  // namespace

std::string_view to_text(BrokerControlState state) {
    switch (state) {
        case kFenced:
            return "FENCED";
        case kUnfenced:
            return "UNFENCED";
        case kControlledShutdown:
            return "CONTROLLED_SHUTDOWN";
        case kShutdownNow:
            return "SHUTDOWN_NOW";
    }
    return "?";
}

bool BrokerHeartbeats::every_active_broker_reached(types::Offset offset) const {
    bool all = true;
    brokers_.for_each([&](types::BrokerId, const BrokerHeartbeatState& broker) {
        if (broker.is_active()) {
            all = all && broker.metadata_offset && *broker.metadata_offset >= offset;
        }
    });
    return all;
}

BrokerControlStates BrokerHeartbeats::next_state(const protocol::BrokerHeartbeatRequest& request,
                                                 types::Offset register_record_offset,
                                                 bool leads_something) const {
    const BrokerHeartbeatState* broker = brokers_.find(request.broker_id);
    KLAB_ASSERT(broker != nullptr, "heartbeat of unregistered broker {}", request.broker_id);
    const BrokerControlState current = current_state(*broker);
    switch (current) {
        case kFenced:
            return {current, next_of_fenced(request, register_record_offset)};
        case kUnfenced:
            return {current, next_of_unfenced(request, leads_something)};
        case kControlledShutdown:
            if (!leads_something &&
                every_active_broker_reached(*broker->controlled_shutdown_offset)) {
                return {current, kShutdownNow};
            }
            return {current, kControlledShutdown};
        case kShutdownNow:
            break;
    }
    return {current, kShutdownNow};
}

BrokerHeartbeatState& BrokerHeartbeats::state_of(types::BrokerId broker) {
    BrokerHeartbeatState* state = brokers_.find_for_write(broker);
    KLAB_ASSERT(state != nullptr, "broker {} is not registered", broker);
    return *state;
}

void BrokerHeartbeats::register_broker(types::BrokerId broker, bool fenced) {
    std::optional<types::Offset> metadata_offset;
    const BrokerHeartbeatState* known = brokers_.find(broker);
    if (known == nullptr) {
        BrokerHeartbeatState fresh;
        fresh.fenced = fenced;
        brokers_.insert_or_assign(broker, fresh);
    } else if (known->fenced != fenced) {
        metadata_offset = known->metadata_offset;
    }
    touch(broker, fenced, metadata_offset);
}

void BrokerHeartbeats::touch(types::BrokerId broker,
                             bool fenced,
                             std::optional<types::Offset> metadata_offset) {
    BrokerHeartbeatState& state = state_of(broker);
    state.fenced = fenced;
    state.metadata_offset = metadata_offset;
    if (fenced) {
        state.controlled_shutdown_offset.reset();
    }
}

void BrokerHeartbeats::fence(types::BrokerId broker) {
    if (BrokerHeartbeatState* state = brokers_.find_for_write(broker)) {
        state->fenced = true;
    }
}

void BrokerHeartbeats::enter_controlled_shutdown(types::BrokerId broker, types::Offset offset) {
    BrokerHeartbeatState& state = state_of(broker);
    KLAB_ASSERT(!state.fenced, "fenced broker {} enters controlled shutdown", broker);
    if (!state.controlled_shutdown_offset) {
        state.controlled_shutdown_offset = offset;
    }
}

}  // namespace klab::controller
