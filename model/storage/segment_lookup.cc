// SPDX-License-Identifier: Apache-2.0
//
// See segment_lookup.h.
#include "model/storage/segment_lookup.h"

#include <algorithm>
#include <array>

#include "model/storage/record.h"

namespace klab::storage {

namespace {

/// A file reader looks no further when this many bytes or fewer are left.
constexpr std::int64_t kHeaderUpToMagic = 17;

constexpr std::uint8_t kMagicOfFormat2 = 2;

/// Formats 0 and 1 keep the offset of the last record where format 2 keeps that of the first.
BatchSpot spot_of(const std::uint8_t* header, std::uint32_t position, std::uint32_t size) {
    BatchSpot spot;
    spot.position = position;
    spot.size = size;
    spot.base_offset = types::Offset(load_be<std::int64_t>(header));
    spot.last_offset = spot.base_offset;
    if (header[BatchField::kMagic] >= kMagicOfFormat2) {
        spot.last_offset =
            spot.base_offset + load_be<std::int32_t>(header + BatchField::kLastOffsetDelta);
        spot.max_timestamp = load_be<std::int64_t>(header + BatchField::kMaxTimestamp);
    }
    return spot;
}

Result<std::optional<TimedOffset>, AppendError> find_in_batch(DiskView disk,
                                                              const LogSegment& segment,
                                                              const BatchSpot& spot,
                                                              std::int64_t timestamp,
                                                              types::Offset from) {
    const auto bytes = disk.read(segment.file(), spot.position, spot.size);
    if (!bytes) {
        return Error{AppendError::kStorage};
    }
    const auto batch = frame_batch(*bytes);
    if (!batch || !*batch) {
        return Error{AppendError::kCorruptRecord};
    }
    RecordIterator records(**batch);
    while (const auto record = records.next()) {
        if (record->timestamp >= timestamp && record->offset >= from) {
            return std::optional(
                TimedOffset{record->timestamp, record->offset, (*batch)->leader_epoch()});
        }
    }
    return std::optional<TimedOffset>();
}

}  // namespace

Result<std::optional<BatchSpot>, AppendError> SegmentBatches::next() {
    const std::int64_t end = segment_->size();
    if (position_ < 0) {
        return Error{AppendError::kCorruptRecord};
    }
    if (position_ + kHeaderUpToMagic >= end) {
        return std::optional<BatchSpot>();
    }
    const auto at = static_cast<std::uint32_t>(position_);
    std::array<std::uint8_t, kRecordBatchOverhead> header{};
    const auto read = disk_.read_into(segment_->file(), at, header);
    if (!read || *read < static_cast<std::uint64_t>(kHeaderUpToMagic)) {
        return Error{AppendError::kStorage};
    }
    const auto length = load_be<std::int32_t>(header.data() + BatchField::kLength);
    if (length < kSizeFieldMin) {
        return Error{AppendError::kCorruptRecord};
    }
    const std::int64_t size = length + static_cast<std::int64_t>(kLogOverhead);
    if (size > end - position_) {
        return std::optional<BatchSpot>();
    }
    const bool is_format_2 = header[BatchField::kMagic] >= kMagicOfFormat2;
    if (is_format_2 && size < static_cast<std::int64_t>(kRecordBatchOverhead)) {
        return Error{AppendError::kCorruptRecord};
    }
    const BatchSpot spot = spot_of(header.data(), at, static_cast<std::uint32_t>(size));
    position_ += size;
    return std::optional(spot);
}

Result<std::optional<BatchSpot>, AppendError> find_batch(DiskView disk,
                                                         const LogSegment& segment,
                                                         types::Offset offset,
                                                         LookupSteps* steps) {
    const auto floor =
        segment.index().lookup(disk, offset, steps == nullptr ? nullptr : &steps->compared);
    if (!floor) {
        return Error{floor.error()};
    }
    if (steps != nullptr) {
        steps->floor = *floor;
    }
    SegmentBatches batches(disk, segment, floor->position);
    while (true) {
        const auto spot = batches.next();
        if (!spot || !*spot) {
            return spot;
        }
        if (steps != nullptr) {
            steps->read.push_back(**spot);
        }
        if ((*spot)->last_offset >= offset) {
            return spot;
        }
    }
}

Result<TimeIndexEntry, AppendError> find_newest(DiskView disk, const LogSegment& segment) {
    TimeIndexEntry newest = segment.time_index().last_entry();
    const auto floor = segment.index().lookup(disk, newest.offset);
    if (!floor) {
        return Error{floor.error()};
    }
    SegmentBatches batches(disk, segment, floor->position);
    while (true) {
        const auto spot = batches.next();
        if (!spot) {
            return Error{spot.error()};
        }
        if (!*spot) {
            return newest;
        }
        if ((*spot)->max_timestamp > newest.timestamp) {
            newest = {(*spot)->max_timestamp, (*spot)->last_offset};
        }
    }
}

Result<types::Offset, AppendError> find_next_offset(DiskView disk, const LogSegment& segment) {
    const auto start = find_batch(disk, segment, segment.index().last_offset());
    if (!start) {
        return Error{start.error()};
    }
    if (!*start) {
        return segment.base_offset();
    }
    types::Offset next = (*start)->last_offset.next();
    SegmentBatches batches(disk, segment, (*start)->end());
    while (true) {
        const auto spot = batches.next();
        if (!spot) {
            return Error{spot.error()};
        }
        if (!*spot) {
            return next;
        }
        next = (*spot)->last_offset.next();
    }
}

Result<std::optional<TimedOffset>, AppendError> find_by_timestamp(DiskView disk,
                                                                  const LogSegment& segment,
                                                                  std::int64_t timestamp,
                                                                  types::Offset from) {
    const auto time = segment.time_index().lookup(disk, timestamp);
    if (!time) {
        return Error{time.error()};
    }
    const auto floor = segment.index().lookup(disk, std::max(time->offset, from));
    if (!floor) {
        return Error{floor.error()};
    }
    SegmentBatches batches(disk, segment, floor->position);
    while (true) {
        const auto spot = batches.next();
        if (!spot) {
            return Error{spot.error()};
        }
        if (!*spot) {
            return std::optional<TimedOffset>();
        }
        if ((*spot)->max_timestamp < timestamp) {
            continue;
        }
        const auto found = find_in_batch(disk, segment, **spot, timestamp, from);
        if (!found || *found) {
            return found;
        }
    }
}

}  // namespace klab::storage
