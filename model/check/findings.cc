// SPDX-License-Identifier: Apache-2.0
//
// See findings.h.
#include "model/check/findings.h"

#include <algorithm>
#include <utility>

namespace klab::check {

void Findings::note(const sim::Event& event) {
    if (!event.node) {
        return;
    }
    std::vector<Ring>& rings = rings_.write();
    const std::size_t node = event.node->value();
    if (node >= rings.size()) {
        rings.resize(node + 1);
    }
    Ring& ring = rings[node];
    ring.events[ring.next] = event.id.value();
    ring.next = (ring.next + 1) % kLastEventsMax;
}

void Findings::broken(const Moment& moment, Breach breach) {
    const bool allowed = breach.excuse.has_value();
    std::vector<Violation>& all = violations_.write();
    const auto known = std::ranges::find_if(all, [&](const Violation& other) {
        return other.check == breach.check && other.allowed == allowed &&
               other.partition == breach.partition && other.node == moment.node;
    });
    if (known != all.end()) {
        ++known->repeats;
        return;
    }
    Violation violation;
    violation.check = breach.check;
    violation.id = info(breach.check).id;
    violation.statement = info(breach.check).statement;
    violation.allowed = allowed;
    violation.why = allowed ? *std::move(breach.excuse) : std::string();
    violation.event = moment.event;
    violation.time = moment.time;
    violation.node = moment.node;
    violation.detail = std::move(breach.detail);
    violation.last_events = last_events(moment.node);
    violation.partition = breach.partition;
    all.push_back(std::move(violation));
}

bool Findings::has(CheckId check) const {
    return std::ranges::any_of(*violations_,
                               [&](const Violation& one) { return one.check == check; });
}

bool Findings::has_unallowed(CheckId check, std::int64_t partition) const {
    return std::ranges::any_of(*violations_, [&](const Violation& one) {
        return one.check == check && one.partition == partition && !one.allowed;
    });
}

std::vector<sim::EventId> Findings::last_events(std::optional<sim::NodeId> node) const {
    std::vector<sim::EventId> events;
    if (!node || node->value() >= rings_->size()) {
        return events;
    }
    const Ring& ring = (*rings_)[node->value()];
    for (std::uint32_t i = 0; i < kLastEventsMax; ++i) {
        const std::uint64_t event = ring.events[(ring.next + i) % kLastEventsMax];
        if (event != 0) {
            events.emplace_back(event);
        }
    }
    return events;
}

}  // namespace klab::check
