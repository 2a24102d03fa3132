// SPDX-License-Identifier: Apache-2.0
//
// Trace -> picture `election`: the decisions around one change of leader.
// Owns: nothing. Called by: draw.
#pragma once

#include "viz/election_picture.h"
#include "viz/find_election.h"
#include "viz/trace_view.h"

namespace klab::viz {

/// The picture of that election. Requires: an event of find_election.
[[nodiscard]] ElectionPicture election_from_trace(const TraceView& view,
                                                  const sim::Event& election);

}  // namespace klab::viz
