// SPDX-License-Identifier: Apache-2.0
//
// See cleanable_range.h.
#include "model/storage/cleaner/cleanable_range.h"

#include <algorithm>
#include <iterator>

#include "sim/base/assert.h"

namespace klab::storage::cleaner {

namespace {

using Segments = std::span<const SegmentSight>;

const SegmentSight& active(const LogSight& log) {
    KLAB_ASSERT(!log.segments.empty(), "{}: a log has a segment", log.partition.text());
    return log.segments.back();
}

/// The closed segments from the one that holds `from` on.
Segments closed_from(const LogSight& log, types::Offset from) {
    const types::Offset end = active(log).base_offset;
    return from > end ? Segments{} : segments_between(log.segments, from, end);
}

std::uint64_t bytes_of(Segments segments) {
    std::uint64_t sum = 0;
    for (const SegmentSight& segment : segments) {
        sum += segment.log_bytes;
    }
    return sum;
}

/// Base of the first dirty segment that is too young.
std::optional<types::Offset> first_young_segment(const LogSight& log,
                                                 types::Offset first_dirty,
                                                 std::int64_t now_ms) {
    if (log.policy.min_lag_ms <= 0) {
        return std::nullopt;
    }
    const std::int64_t young_above = now_ms - log.policy.min_lag_ms;
    const Segments dirty = closed_from(log, first_dirty);
    const auto young = std::ranges::find_if(
        dirty, [&](const SegmentSight& s) { return s.largest_timestamp > young_above; });
    return young == dirty.end() ? std::nullopt : std::optional(young->base_offset);
}

}  // namespace

Segments segments_between(Segments segments, types::Offset from, types::Offset to) {
    KLAB_ASSERT(from <= to, "segments from {} to {}", from, to);
    if (from == to) {
        return {};
    }
    const auto above = std::ranges::upper_bound(segments, from, {}, &SegmentSight::base_offset);
    const auto first = above == segments.begin() ? above : std::prev(above);
    const auto last = std::ranges::lower_bound(segments, to, {}, &SegmentSight::base_offset);
    return first < last ? Segments(first, last) : Segments{};
}

CleanableOffsets cleanable_offsets(const LogSight& log,
                                   std::optional<types::Offset> checkpoint,
                                   std::int64_t now_ms) {
    CleanableOffsets offsets;
    offsets.first_dirty = checkpoint.value_or(log.log_start);
    // Below the log start after records were deleted, above the log end after an unclean stop or an
    // unclean election: the whole log counts as dirty then.
    if (offsets.first_dirty < log.log_start || offsets.first_dirty > log.log_end) {
        offsets.first_dirty = log.log_start;
        offsets.is_checkpoint_invalid = true;
    }
    types::Offset bound = std::min(log.last_stable, active(log).base_offset);
    if (const auto young = first_young_segment(log, offsets.first_dirty, now_ms)) {
        bound = std::min(bound, *young);
    }
    offsets.first_uncleanable = std::max(bound, offsets.first_dirty);
    return offsets;
}

CleanableBytes cleanable_bytes(const LogSight& log, const CleanableOffsets& offsets) {
    CleanableBytes bytes;
    const Segments uncleanable = closed_from(log, offsets.first_uncleanable);
    bytes.first_uncleanable =
        uncleanable.empty() ? active(log).base_offset : uncleanable.front().base_offset;
    const auto dirty =
        std::ranges::lower_bound(log.segments, offsets.first_dirty, {}, &SegmentSight::base_offset);
    bytes.clean = bytes_of(Segments(log.segments.begin(), dirty));
    bytes.cleanable =
        bytes_of(segments_between(log.segments,
                                  std::min(offsets.first_dirty, bytes.first_uncleanable),
                                  bytes.first_uncleanable));
    return bytes;
}

std::int64_t compaction_delay_ms(const LogSight& log,
                                 types::Offset first_dirty,
                                 std::int64_t now_ms) {
    if (!log.policy.max_lag_ms) {
        return 0;
    }
    const std::int64_t clean_until = now_ms - std::max<std::int64_t>(*log.policy.max_lag_ms, 0);
    std::int64_t delay = 0;
    for (const SegmentSight& segment : closed_from(log, first_dirty)) {
        if (segment.first_timestamp && *segment.first_timestamp > 0) {
            delay = std::max(delay, clean_until - *segment.first_timestamp);
        }
    }
    return delay;
}

}  // namespace klab::storage::cleaner
