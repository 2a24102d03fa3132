// SPDX-License-Identifier: Apache-2.0
//
// See segment_grouping.h.
#include "model/storage/cleaner/segment_grouping.h"

#include <limits>

namespace klab::storage::cleaner {

namespace {

/// The sums of the group under way.
struct GroupSize {
    std::uint64_t log = 0;
    std::uint64_t offset_index = 0;
    std::uint64_t time_index = 0;

    void add(const SegmentExtent& segment) {
        log += segment.log_bytes;
        offset_index += segment.offset_index_bytes;
        time_index += segment.time_index_bytes;
    }

    [[nodiscard]] bool fits(const GroupLimits& limits) const {
        return log <= limits.log_bytes && offset_index <= limits.index_bytes &&
               time_index <= limits.index_bytes;
    }
};

/// Can every offset of `rest.front()` be stored relative to `base`?
bool is_within_reach(types::Offset base,
                     std::span<const SegmentExtent> rest,
                     const GroupLimits& limits) {
    if (rest.front().log_bytes == 0) {
        // Otherwise an empty segment would be left behind every 2^31 offsets.
        return true;
    }
    const types::Offset end = rest.size() > 1 ? rest[1].base_offset : limits.first_uncleanable;
    return end - base - 1 <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

std::vector<std::span<const SegmentExtent>> group_segments(std::span<const SegmentExtent> segments,
                                                           const GroupLimits& limits) {
    std::vector<std::span<const SegmentExtent>> groups;
    std::span<const SegmentExtent> rest = segments;
    while (!rest.empty()) {
        GroupSize size;
        size.add(rest.front());
        std::size_t count = 1;
        while (count < rest.size()) {
            GroupSize with_next = size;
            with_next.add(rest[count]);
            if (!with_next.fits(limits) ||
                !is_within_reach(rest.front().base_offset, rest.subspan(count), limits)) {
                break;
            }
            size = with_next;
            ++count;
        }
        groups.push_back(rest.first(count));
        rest = rest.subspan(count);
    }
    return groups;
}

}  // namespace klab::storage::cleaner
