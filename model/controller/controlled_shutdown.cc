// SPDX-License-Identifier: Apache-2.0
//
// See controlled_shutdown.h.
#include "model/controller/controlled_shutdown.h"

#include "sim/base/assert.h"

namespace klab::controller {

IsrUpdates begin_controlled_shutdown(const ControllerView& view, types::BrokerId broker) {
    const metadata::BrokerRegistration* registration = view.state.image.broker(broker);
    KLAB_ASSERT(registration != nullptr, "broker {} is not registered", broker);
    IsrUpdates updates = update_isrs(
        view, IsrUpdateCause{.removed = broker}, view.state.partitions.in_isr_of(broker));
    if (!registration->in_controlled_shutdown) {
        metadata::BrokerRegistrationChangeRecord change;
        change.broker_id = broker;
        change.broker_epoch = registration->epoch;
        change.enters_controlled_shutdown = true;
        updates.records.insert(updates.records.begin(), change);
    }
    return updates;
}

}  // namespace klab::controller
