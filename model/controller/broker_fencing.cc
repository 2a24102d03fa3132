// SPDX-License-Identifier: Apache-2.0
//
// See broker_fencing.h.
#include "model/controller/broker_fencing.h"

#include "sim/base/assert.h"

namespace klab::controller {

namespace {

metadata::BrokerRegistrationChangeRecord registration_change(const ControllerView& view,
                                                             types::BrokerId broker,
                                                             metadata::FenceChange fenced) {
    const metadata::BrokerRegistration* registration = view.state.image.broker(broker);
    KLAB_ASSERT(registration != nullptr, "broker {} is not registered", broker);
    metadata::BrokerRegistrationChangeRecord change;
    change.broker_id = broker;
    change.broker_epoch = registration->epoch;
    change.fenced = fenced;
    return change;
}

}  // namespace

IsrUpdates fence_broker(const ControllerView& view, types::BrokerId broker) {
    IsrUpdates updates;
    // Mutant fenced-in-isr: the broker is fenced, and its partitions are not told.
    if (!view.rules.mutated(types::Mutant::kFencedInIsr)) {
        updates = update_isrs(
            view, IsrUpdateCause{.removed = broker}, view.state.partitions.in_isr_of(broker));
    }
    updates.records.emplace_back(registration_change(view, broker, metadata::FenceChange::kFence));
    return updates;
}

IsrUpdates unfence_broker(const ControllerView& view, types::BrokerId broker) {
    IsrUpdates updates;
    updates.records.emplace_back(
        registration_change(view, broker, metadata::FenceChange::kUnfence));
    IsrUpdates elections =
        update_isrs(view, IsrUpdateCause{.added = broker}, view.state.partitions.leaderless());
    for (metadata::MetadataRecord& record : elections.records) {
        updates.records.push_back(std::move(record));
    }
    updates.elections = std::move(elections.elections);
    return updates;
}

Decision<StaleBroker> decide_stale_broker(const ControllerView& view) {
    Decision<StaleBroker> decision;
    const Duration session = types::duration_of_ms(view.config.broker_session_timeout_ms);
    const std::optional<BrokerIdAndEpoch> expired =
        view.state.contacts.first_expired(view.now, session);
    if (!expired) {
        return decision;
    }
    decision.result.expired = expired;
    const metadata::BrokerRegistration* registration = view.state.image.broker(expired->id);
    if (registration == nullptr) {
        decision.result.unknown = true;
        return decision;
    }
    if (registration->epoch != expired->epoch) {
        return decision;  // the session of an earlier process; the present one is not concerned
    }
    decision.result.fenced = true;
    decision.broker = BrokerNote{"session timeout", view.now - *view.state.contacts.last(*expired)};
    append(decision, fence_broker(view, expired->id));
    return decision;
}

}  // namespace klab::controller
