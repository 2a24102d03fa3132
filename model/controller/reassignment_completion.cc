// SPDX-License-Identifier: Apache-2.0
//
// See reassignment_completion.h.
#include "model/controller/reassignment_completion.h"

#include <algorithm>

#include "model/metadata/partition_registration.h"

namespace klab::controller {

using metadata::BrokerIds;

namespace {

BrokerIds without(const BrokerIds& brokers, const BrokerIds& removed) {
    BrokerIds kept;
    std::ranges::copy_if(brokers, std::back_inserter(kept), [&](types::BrokerId broker) {
        return !metadata::contains(removed, broker);
    });
    return kept;
}

}  // namespace

std::optional<CompletedReassignment> complete_reassignment(const BrokerIds& replicas,
                                                           const BrokerIds& isr,
                                                           const BrokerIds& removing,
                                                           const BrokerIds& adding) {
    if (removing.empty() && adding.empty()) {
        return std::nullopt;
    }
    CompletedReassignment completed{without(replicas, removing), without(isr, removing)};
    if (completed.isr.empty() || completed.replicas.empty()) {
        return std::nullopt;
    }
    const bool all_in_sync = std::ranges::all_of(completed.replicas, [&](types::BrokerId replica) {
        return metadata::contains(completed.isr, replica);
    });
    return all_in_sync ? std::optional(std::move(completed)) : std::nullopt;
}

}  // namespace klab::controller
