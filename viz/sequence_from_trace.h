// SPDX-License-Identifier: Apache-2.0
//
// Trace -> picture `sequence`: the messages of a stretch of time.
// Owns: nothing. Called by: draw.
#pragma once

#include <optional>

#include "viz/sequence_picture.h"
#include "viz/trace_view.h"

namespace klab::viz {

/// Which part of the run to show, counted from the scenario's time 0.
struct SequenceChoice {
    std::optional<Time>
        from;  ///< Default: the start, or shortly before the first fault if the run is long.
    std::optional<Time> to;  ///< Default: the end, or where the picture is full.
    bool show_all = false;   ///< Heartbeats, metadata and metadata log fetches too.
};

/// Messages in a picture before a default stretch is cut.
inline constexpr std::size_t kSequenceMessagesMax = 160;

/// The messages sent in the chosen stretch. What is left out is said in the head.
[[nodiscard]] SequencePicture sequence_from_trace(const TraceView& view,
                                                  const SequenceChoice& choice);

}  // namespace klab::viz
