// SPDX-License-Identifier: Apache-2.0
//
// What triggers and actions can see at one instant of a run, and how roles are looked up there.
//
// Called by: trigger_watch, fault_actions, Director.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/kafka_world/kafka_model.h"
#include "scenarios/run/client_counts.h"
#include "scenarios/run/target.h"
#include "sim/base/result.h"

namespace klab::scenario {

/// When a step fired for the first time and the last, and what clients had done by then.
struct Firing {
    Time first;
    Time last;
    ClientCounts counts_at_first;
    std::int64_t times = 0;

    friend bool operator==(const Firing&, const Firing&) = default;
};

/// By step id.
using Firings = std::map<std::string, Firing, std::less<>>;

/// One instant. Times are the world's; scenario time is counted from `origin`.
struct Moment {
    const world::KafkaWorld& world;
    std::span<const sim::Event> events;  ///< new since the last look
    const ClientCounts& counts;
    const Firings& firings;
    Time origin;

    [[nodiscard]] Duration since_origin() const { return world.time() - origin; }
};

[[nodiscard]] types::TopicPartition to_types(const PartitionName& partition);

/// "b2" as a broker id; nothing for other nodes.
[[nodiscard]] std::optional<types::BrokerId> broker_id(std::string_view name);

/// The node that the target means now. Error: a sentence, when the role is held by nobody.
[[nodiscard]] Result<sim::NodeId, std::string> resolve(const Target& target,
                                                       const world::KafkaWorld& world);

}  // namespace klab::scenario
