// SPDX-License-Identifier: Apache-2.0
//
// See manual_assignment.h.
#include "model/controller/manual_assignment.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace klab::controller {

using metadata::BrokerIds;

std::optional<std::string> check_assignment(const ControllerView& view,
                                            const BrokerIds& replicas,
                                            std::optional<std::size_t> replication_factor) {
    if (replicas.empty()) {
        return "a partition has no replicas";
    }
    BrokerIds sorted = replicas;
    std::ranges::sort(sorted);
    for (const types::BrokerId replica : sorted) {
        if (view.state.image.broker(replica) == nullptr) {
            return fmt::format("broker {} is not registered", replica);
        }
    }
    if (std::ranges::adjacent_find(sorted) != sorted.end()) {
        return "a partition has the same replica twice";
    }
    if (replication_factor && replicas.size() != *replication_factor) {
        return "partitions differ in their number of replicas";
    }
    return std::nullopt;
}

BrokerIds active_of(const ControllerView& view, const BrokerIds& replicas) {
    BrokerIds active;
    std::ranges::copy_if(replicas, std::back_inserter(active), [&](types::BrokerId replica) {
        return view.state.is_active(replica);
    });
    return active;
}

}  // namespace klab::controller
