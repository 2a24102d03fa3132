// SPDX-License-Identifier: Apache-2.0
//
// Trace -> picture `isr`. Owns: nothing. Called by: draw.
#pragma once

#include <optional>

#include "viz/isr_picture.h"
#include "viz/trace_view.h"

namespace klab::viz {

/// The partition between two instants (default: the whole run), counted from the scenario's time 0.
/// Requires: from <= to when both are given.
[[nodiscard]] IsrPicture isr_from_trace(const TraceView& view,
                                        PartitionKey partition,
                                        std::optional<Time> from,
                                        std::optional<Time> to);

}  // namespace klab::viz
