// SPDX-License-Identifier: Apache-2.0
//
// Log: reading from an offset, and finding offsets by time.
// Kafka: LocalLog.read, UnifiedLog.read, UnifiedLog.fetchOffsetByTimestamp, LogSegment.read,
// LocalLog.collectAbortedTransactions. KIP-74, KIP-98, KIP-734.
#include <algorithm>
#include <limits>

#include "model/storage/log.h"

namespace klab::storage {

Result<OffsetPlace, AppendError> Log::place_of(DiskView disk, types::Offset offset) const {
    KLAB_ASSERT(offset >= log_start_, "offset {} is below log start {}", offset, log_start_);
    KLAB_ASSERT(offset <= log_end_, "offset {} is above log end {}", offset, log_end_);
    const LogSegment& segment = segment_at(index_of(offset));
    const auto position = limit_in(disk, segment, offset);
    if (!position) {
        return Error{position.error()};
    }
    return OffsetPlace{offset, segment.base_offset(), *position};
}

/// Where the batch that holds `bound` begins in its segment; the segment's size when none does.
Result<std::uint32_t, AppendError> Log::limit_in(DiskView disk,
                                                 const LogSegment& segment,
                                                 types::Offset bound) const {
    if (bound >= log_end_) {
        return segment.size();
    }
    const auto spot = find_batch(disk, segment, bound);
    if (!spot) {
        return Error{spot.error()};
    }
    return *spot ? (*spot)->position : segment.size();
}

Result<LogReadInfo, types::ErrorCode> Log::read(DiskView disk, const LogRead& request) const {
    if (request.start < log_start_ || request.start > log_end_) {
        return Error{types::ErrorCode::kOffsetOutOfRange};
    }
    auto info = read_segments(disk, request);
    if (!info) {
        return Error{to_error_code(info.error())};
    }
    return std::move(info).value();
}

Result<LogReadInfo, AppendError> Log::read_segments(DiskView disk, const LogRead& request) const {
    LogReadInfo info;
    const types::Offset bound = std::min(request.upper_bound, log_end_);
    if (request.start >= bound) {
        // Kafka keeps the place of the marks in memory.
        const auto place = place_of(disk.without_cost(), request.start);
        if (!place) {
            return Error{place.error()};
        }
        info.place = *place;
        return info;
    }
    std::size_t index = index_of(request.start);
    std::optional<BatchSpot> first;
    for (; index <= closed_->size(); ++index) {
        const auto found = find_batch(disk, segment_at(index), request.start);
        if (!found) {
            return Error{found.error()};
        }
        first = *found;
        if (first) {
            break;  // else a gap at the end of the segment: go on in the next one
        }
    }
    if (!first) {
        info.place = {log_end_, active_.base_offset(), active_.size()};
        return info;
    }
    const LogSegment& segment = segment_at(index);
    info.place = {first->base_offset, segment.base_offset(), first->position};
    const std::size_t bound_index = index_of(bound);
    std::uint32_t limit = bound_index < index ? 0 : segment.size();
    if (bound_index == index) {
        // The batch that holds the bound itself is not visible yet.
        const auto end = limit_in(disk.without_cost(), segment, bound);
        if (!end) {
            return Error{end.error()};
        }
        limit = *end;
    }
    if (limit <= first->position) {
        info.place.offset = request.start;
        return info;
    }
    const auto asked = static_cast<std::uint32_t>(std::max(request.max_bytes, 0));
    const std::uint32_t most = request.min_one_message ? std::max(asked, first->size) : asked;
    info.first_entry_incomplete = most < first->size;
    const std::uint32_t length = std::min(limit - first->position, most);
    auto bytes = disk.read(segment.file(), first->position, length);
    if (!bytes) {
        return Error{AppendError::kStorage};
    }
    info.records = SharedBytes(std::move(bytes).value());
    if (request.wants_aborted) {
        if (const auto error = collect_aborted(disk, request, segment, info)) {
            return Error{*error};
        }
    }
    return info;
}

std::optional<AppendError> Log::collect_aborted(DiskView disk,
                                                const LogRead& request,
                                                const LogSegment& segment,
                                                LogReadInfo& info) const {
    const std::int64_t end =
        std::int64_t{info.place.position} + static_cast<std::int64_t>(info.records->size());
    const auto entry = segment.index().first_at(disk, end);
    if (!entry) {
        return entry.error();
    }
    const std::size_t index = index_of(segment.base_offset());
    types::Offset below = log_end_;
    if (*entry) {
        below = (*entry)->offset;
    } else if (index < closed_->size()) {
        below = segment_at(index + 1).base_offset();
    }
    info.aborted = aborted_from(index, request.start, below);
    return std::nullopt;
}

/// Looks from the segment with this number on.
std::vector<AbortedTransaction> Log::aborted_from(std::size_t index,
                                                  types::Offset from,
                                                  types::Offset below) const {
    std::vector<AbortedTransaction> aborted;
    for (; index <= closed_->size(); ++index) {
        const AbortedSearch search = segment_at(index).txn_index().collect(from, below);
        aborted.insert(aborted.end(), search.found.begin(), search.found.end());
        if (search.is_complete) {
            break;
        }
    }
    return aborted;
}

std::vector<AbortedTransaction> Log::aborted_between(types::Offset from,
                                                     types::Offset below) const {
    return aborted_from(index_of(from), from, below);
}

Result<LogLookup, AppendError> Log::explain_lookup(DiskView disk, types::Offset offset) const {
    LogLookup lookup;
    // The same search as index_of, noting what it compares.
    std::size_t low = 0;
    std::size_t high = closed_->size();
    while (low < high) {
        const std::size_t middle = low + (high - low + 1) / 2;
        lookup.bases.push_back(segment_at(middle).base_offset());
        if (segment_at(middle).base_offset() <= offset) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    for (; low <= closed_->size(); ++low) {
        lookup.segment_base = segment_at(low).base_offset();
        lookup.steps = {};
        const auto found = find_batch(disk.without_cost(), segment_at(low), offset, &lookup.steps);
        if (!found) {
            return Error{found.error()};
        }
        if (*found) {
            break;
        }
    }
    return lookup;
}

Result<std::optional<TimedOffset>, AppendError> Log::find_by_time(DiskView disk,
                                                                  std::int64_t timestamp) const {
    for (std::size_t i = 0; i <= closed_->size(); ++i) {
        if (segment_at(i).largest_timestamp() >= timestamp) {
            return find_by_timestamp(disk, segment_at(i), timestamp, log_start_);
        }
    }
    return std::optional<TimedOffset>();
}

Result<std::optional<TimedOffset>, AppendError> Log::find_newest_record(DiskView disk) const {
    const LogSegment* newest = &segment_at(0);
    for (std::size_t i = 1; i <= closed_->size(); ++i) {
        if (segment_at(i).newest().timestamp > newest->newest().timestamp) {
            newest = &segment_at(i);
        }
    }
    const std::int64_t timestamp = newest->newest().timestamp;
    return timestamp < 0 ? Result<std::optional<TimedOffset>, AppendError>(std::nullopt)
                         : find_by_timestamp(disk, *newest, timestamp, log_start_);
}

}  // namespace klab::storage
