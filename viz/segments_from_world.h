// SPDX-License-Identifier: Apache-2.0
//
// World -> picture `segments`: what finding an offset in a replica's log looks at. The trace does
// not hold index entries and positions, so this picture looks at the world itself, at the instant
// where the run stopped. Owns: nothing. Called by: scenarios/cli (klab draw segments).
#pragma once

#include <optional>
#include <string>

#include "model/kafka_world/kafka_model.h"
#include "viz/segments_picture.h"

namespace klab::viz {

/// What to look for.
struct SegmentsQuestion {
    std::optional<std::string> partition;  ///< "t-0"; default: the first one.
    std::optional<std::string> broker;     ///< "b1"; default: the leader.
    std::optional<std::int64_t> offset;    ///< Default: the last one.
};

/// The picture without its head. Errors: one sentence and what to try, as DrawError has them.
struct NoSegments {
    std::string message;
    std::string hint;
};

[[nodiscard]] Result<SegmentsPicture, NoSegments> segments_from_world(
    const world::KafkaWorld& world, const SegmentsQuestion& question);

}  // namespace klab::viz
