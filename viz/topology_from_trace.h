// SPDX-License-Identifier: Apache-2.0
//
// Trace -> picture `topology`: the cluster at one instant.
// Owns: nothing. Called by: draw.
#pragma once

#include "viz/topology_picture.h"
#include "viz/trace_view.h"

namespace klab::viz {

/// The cluster at `at` (counted from the scenario's time 0).
[[nodiscard]] TopologyPicture topology_from_trace(const TraceView& view, Time at);

}  // namespace klab::viz
