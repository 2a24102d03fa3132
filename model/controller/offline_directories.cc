// SPDX-License-Identifier: Apache-2.0
//
// See offline_directories.h.
#include "model/controller/offline_directories.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace klab::controller {

IsrUpdates take_directories_offline(const ControllerView& view,
                                    types::BrokerId broker,
                                    const std::vector<types::Uuid>& offline) {
    IsrUpdates updates;
    const metadata::BrokerRegistration* registration = view.state.image.broker(broker);
    KLAB_ASSERT(registration != nullptr, "broker {} is not registered", broker);
    std::vector<types::Uuid> remaining;
    for (const types::Uuid& directory : registration->log_dirs) {
        if (std::ranges::find(offline, directory) == offline.end()) {
            remaining.push_back(directory);
            continue;
        }
        IsrUpdates of_directory = update_isrs(
            view, IsrUpdateCause{.removed = broker}, view.state.partitions.in_directory(directory));
        add(updates, std::move(of_directory));
    }
    if (remaining.size() < registration->log_dirs.size()) {
        metadata::BrokerRegistrationChangeRecord change;
        change.broker_id = broker;
        change.broker_epoch = registration->epoch;
        change.log_dirs = std::move(remaining);
        updates.records.emplace_back(std::move(change));
    }
    return updates;
}

}  // namespace klab::controller
