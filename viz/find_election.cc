// SPDX-License-Identifier: Apache-2.0
//
// Choosing an election. See find_election.h.
#include "viz/find_election.h"

#include <map>

#include "model/types/kafka_events.h"

namespace klab::viz {

namespace kafka = types::events;

bool is_election(const sim::Event& event) {
    return event.kind == kafka::kLeaderElected || event.kind == kafka::kLeaderLost;
}

const sim::Event* find_election(const TraceView& view, const ElectionChoice& choice) {
    const sim::Event* first = nullptr;
    const sim::Event* change = nullptr;
    const sim::Event* unclean = nullptr;
    const sim::Event* loss = nullptr;
    const sim::Event* last_before = nullptr;
    std::map<PartitionKey, std::int64_t> leaders;  // last known, also of a partition without one
    const sim::Recording& recording = view.input().recording;
    for (std::uint64_t i = 0; i < recording.size(); ++i) {
        const sim::Event& event = recording.at(i);
        if (!is_election(event)) {
            continue;
        }
        const PartitionKey partition = view.number(event, "partition");
        const bool wanted = !choice.partition || partition == *choice.partition;
        if (const std::optional<std::int64_t> previous = view.maybe(event, "previous")) {
            leaders[partition] = *previous;
        }
        if (wanted && first == nullptr) {
            first = &event;
        }
        if (wanted && choice.at && view.time(event) <= *choice.at) {
            last_before = &event;
        }
        const bool in_story = wanted && view.time(event) >= Time{0};
        if (event.kind == kafka::kLeaderLost) {
            loss = in_story && loss == nullptr ? &event : loss;
            continue;
        }
        const std::int64_t leader = view.number(event, "leader");
        const auto known = leaders.find(partition);
        const bool changes = known != leaders.end() && known->second != leader;
        if (in_story && changes && change == nullptr) {
            change = &event;
        }
        if (in_story && unclean == nullptr && view.flag(event, "unclean")) {
            unclean = &event;
        }
        leaders[partition] = leader;
    }
    if (choice.at) {
        return last_before;
    }
    for (const sim::Event* candidate : {unclean, change, loss}) {
        if (candidate != nullptr) {
            return candidate;
        }
    }
    return first;
}

}  // namespace klab::viz
