// SPDX-License-Identifier: Apache-2.0
//
// Which election of a run is meant, if nobody says so: the one that tells a story.
// Owns: nothing. Called by: draw, election_from_trace.
#pragma once

#include <optional>

#include "viz/trace_view.h"

namespace klab::viz {

/// True for leader.elected and leader.lost: the two ways in which an election ends.
[[nodiscard]] bool is_election(const sim::Event& event);

/// Which election to draw.
struct ElectionChoice {
    std::optional<PartitionKey> partition;  ///< Default: the partition of the chosen election.
    std::optional<Time> at;  ///< The last election at or before it; default: see find_election.
};

/// The event leader.elected or leader.lost that is meant: the last at or before `at`; without `at`
/// the first that takes the lead from another broker at or after the scenario's time 0, else the
/// first. Nullptr if there is none.
[[nodiscard]] const sim::Event* find_election(const TraceView& view, const ElectionChoice& choice);

}  // namespace klab::viz
