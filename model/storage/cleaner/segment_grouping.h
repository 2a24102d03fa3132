// SPDX-License-Identifier: Apache-2.0
//
// Which segments are cleaned into one. Cleaning makes segments smaller; grouping neighbours keeps
// their number down. Segments are taken in order while
//
//     sum of .log bytes               <= segment.bytes
//     sum of .index bytes in use      <= segment.index.bytes
//     sum of .timeindex bytes in use  <= segment.index.bytes
//     last offset - base of the group <= 2^31 - 1      (not asked of an empty segment)
//
// The last offset of a segment is not looked up but taken as one below the next base, or below the
// first uncleanable offset.
//
// Called by: the cleaning pass. Kafka: Cleaner.groupSegmentsBySize.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/types/kafka_ids.h"

namespace klab::storage::cleaner {

/// What grouping needs to know of a segment.
struct SegmentExtent {
    types::Offset base_offset;
    std::uint64_t log_bytes = 0;
    std::uint64_t offset_index_bytes = 0;  ///< entries in use, not the file
    std::uint64_t time_index_bytes = 0;

    friend bool operator==(const SegmentExtent&, const SegmentExtent&) = default;
};

struct GroupLimits {
    std::uint64_t log_bytes = 0;      ///< segment.bytes
    std::uint64_t index_bytes = 0;    ///< segment.index.bytes
    types::Offset first_uncleanable;  ///< ends the last segment
};

/// The groups in order, each a part of `segments`; together they are all of them.
[[nodiscard]] std::vector<std::span<const SegmentExtent>> group_segments(
    std::span<const SegmentExtent> segments, const GroupLimits& limits);

}  // namespace klab::storage::cleaner
