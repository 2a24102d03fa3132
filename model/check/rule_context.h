// SPDX-License-Identifier: Apache-2.0
//
// What every rule of the white box gets: the event, what is constant in the run, what is known of
// the brokers, the world to look things up in, and where to report.
//
// Called by: white_box.cc (makes it), rule files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/check/cluster_sight.h"
#include "model/check/findings.h"
#include "model/check/partition_track.h"
#include "model/types/model_data.h"

namespace klab::check {

/// A broker as the trace tells it.
struct BrokerTrack {
    types::BrokerId id;
    bool running = false;
    bool without_power = false;  ///< lost what was not synced, and has not started again
    bool registered = false;     ///< by the process that runs now
    bool fenced = true;
    bool leaving = false;               ///< in controlled shutdown
    bool woken = false;                 ///< unfenced although it is leaving
    std::optional<std::int64_t> epoch;  ///< broker epoch
    bool has_rot = false;               ///< a bit of its disk changed: what it holds proves nothing
    bool was_refused = false;           ///< its disk refused a call: logs may hold untold batches
    std::uint32_t incarnation = 0;      ///< processes so far
    std::uint64_t published = 0;        ///< metadata publishes so far

    friend bool operator==(const BrokerTrack&, const BrokerTrack&) = default;
};

/// BrokerHeartbeatManager.calculateNextBrokerState does not remember that a fenced broker has left:
/// a heartbeat from before its shutdown that arrives late unfences it until its session ends.
[[nodiscard]] inline Excuse excuse_of_late_heartbeat(const BrokerTrack& broker) {
    return broker.woken ? Excuse(
                              "a heartbeat from before its controlled shutdown arrived late and "
                              "unfenced it")
                        : std::nullopt;
}

/// All brokers; node n is brokers[n], because brokers come first in a world.
using BrokerTracks = std::vector<BrokerTrack>;

[[nodiscard]] const BrokerTrack* find_broker(const BrokerTracks& brokers, types::BrokerId id);

struct RuleContext {
    const types::Rules& rules;
    const sim::Event& event;
    const ClusterSight& sight;
    const BrokerTracks& brokers;
    Findings& findings;

    [[nodiscard]] Moment moment() const { return {event.id, event.time, event.node}; }

    [[nodiscard]] std::string name(const PartitionTrack& p) const {
        return sight.partition(p.name).text();
    }

    /// Reports at this event.
    void broken(CheckId check, const PartitionTrack& p, Excuse excuse, std::string detail) const {
        findings.broken(moment(), {check, p.name, std::move(excuse), std::move(detail)});
    }
};

/// A list of broker ids as an event names it.
[[nodiscard]] BrokerIds broker_list(const ClusterSight& sight, std::int64_t list);

/// "b1, b3"
[[nodiscard]] std::string broker_names(const BrokerIds& brokers);

/// Effective min.insync.replicas as the replica's broker has applied it. Asks the world once for
/// each publish of metadata.
[[nodiscard]] std::size_t min_isr_of(const RuleContext& ctx,
                                     const PartitionTrack& p,
                                     ReplicaTrack& r);

}  // namespace klab::check
