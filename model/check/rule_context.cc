// SPDX-License-Identifier: Apache-2.0
//
// See rule_context.h.
#include "model/check/rule_context.h"

#include <algorithm>

#include <fmt/format.h>

namespace klab::check {

const BrokerTrack* find_broker(const BrokerTracks& brokers, types::BrokerId id) {
    const auto found = std::ranges::find(brokers, id, &BrokerTrack::id);
    return found == brokers.end() ? nullptr : &*found;
}

BrokerIds broker_list(const ClusterSight& sight, std::int64_t list) {
    BrokerIds brokers;
    for (const std::int32_t id : sight.list(list)) {
        brokers.emplace_back(id);
    }
    return brokers;
}

std::string broker_names(const BrokerIds& brokers) {
    std::string names;
    for (const types::BrokerId broker : brokers) {
        names += fmt::format("{}b{}", names.empty() ? "" : ", ", broker);
    }
    return names;
}

std::size_t min_isr_of(const RuleContext& ctx, const PartitionTrack& p, ReplicaTrack& r) {
    const BrokerTrack* broker = find_broker(ctx.brokers, r.broker);
    const std::uint64_t seen = broker == nullptr ? 1 : broker->published + 1;
    if (r.min_isr_seen != seen) {
        if (const auto replica = ctx.sight.replica(ctx.sight.partition(p.name), r.broker)) {
            r.min_isr = replica->effective_min_isr;
        }
        r.min_isr_seen = seen;
    }
    return r.min_isr;
}

}  // namespace klab::check
