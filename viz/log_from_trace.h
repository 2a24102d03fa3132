// SPDX-License-Identifier: Apache-2.0
//
// Trace -> picture `log`: the logs of one partition at one instant.
// Owns: nothing. Called by: draw.
#pragma once

#include "viz/log_picture.h"
#include "viz/trace_view.h"

namespace klab::viz {

/// The logs of `partition` at `at` (counted from the scenario's time 0), in the order of the
/// assignment with the leader first.
[[nodiscard]] LogPicture log_from_trace(const TraceView& view, PartitionKey partition, Time at);

}  // namespace klab::viz
