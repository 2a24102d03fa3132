// SPDX-License-Identifier: Apache-2.0
//
// Trace -> picture `election`: the decisions around one change of leader.
// Owns: nothing. Called by: draw.
#pragma once

#include <optional>
#include <vector>

#include "viz/election_picture.h"
#include "viz/trace_view.h"

namespace klab::viz {

/// Which election to draw.
struct ElectionChoice {
    std::optional<PartitionKey> partition;  ///< Default: the partition of the chosen election.
    std::optional<Time> at;  ///< The last election at or before it; default: see find_election.
};

/// The event leader.elected or leader.lost that is meant: the last at or before `at`; without `at`
/// the first that takes the lead from another broker at or after the scenario's time 0, else the
/// first. Nullptr if there is none.
[[nodiscard]] const sim::Event* find_election(const TraceView& view, const ElectionChoice& choice);

/// The picture of that election. Requires: an event of find_election.
[[nodiscard]] ElectionPicture election_from_trace(const TraceView& view,
                                                  const sim::Event& election);

}  // namespace klab::viz
