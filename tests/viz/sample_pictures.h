// SPDX-License-Identifier: Apache-2.0
//
// One sample of each picture, told from one story: b1 leads t-0 and is cut off, b3 takes over, b1
// comes back and cuts its log. Used by the golden tests and the Graphviz test.
#pragma once

#include "viz/election_picture.h"
#include "viz/isr_picture.h"
#include "viz/log_picture.h"
#include "viz/segments_picture.h"
#include "viz/sequence_picture.h"
#include "viz/topology_picture.h"

namespace klab::viz {

[[nodiscard]] PictureHead sample_head(std::string subject);

[[nodiscard]] ElectionPicture sample_election();

[[nodiscard]] LogPicture sample_log();

/// 140 offsets of which most are equal: must fold.
[[nodiscard]] LogPicture sample_long_log();

[[nodiscard]] SequencePicture sample_sequence();

/// Offset 368801 in segments based at 0 and 368796.
[[nodiscard]] SegmentsPicture sample_segments();

/// A leader crashes, the ISR is too small for a while, a follower catches up.
[[nodiscard]] IsrPicture sample_isr();

[[nodiscard]] TopologyPicture sample_topology();

/// 14 brokers and 60 partitions: replicas become squares.
[[nodiscard]] TopologyPicture sample_crowded_topology();

}  // namespace klab::viz
