// SPDX-License-Identifier: Apache-2.0
//
// See segment_split.h.
#include "model/storage/segment_split.h"

#include <algorithm>

#include "model/storage/file_names.h"
#include "model/storage/segment_lookup.h"
#include "model/storage/segment_swap.h"

namespace klab::storage {

namespace {

/// So much is copied at once, or one batch if that is larger.
constexpr std::uint32_t kChunkBytes = 1024 * 1024;

/// How many bytes of batches from `start` on fit the segment and one chunk.
Result<std::uint32_t, AppendError> chunk_at(DiskPort disk,
                                            const LogSegment& target,
                                            const LogSegment& source,
                                            std::uint32_t start) {
    std::uint32_t bytes = 0;
    SegmentBatches batches(disk, source, start);
    while (true) {
        const auto spot = batches.next();
        if (!spot) {
            return Error{spot.error()};
        }
        if (!*spot || !target.can_hold((*spot)->last_offset) ||
            (bytes > 0 && bytes + (*spot)->size >= kChunkBytes)) {
            return bytes;
        }
        bytes += (*spot)->size;
    }
}

std::optional<AppendError> append_chunk(DiskPort disk,
                                        LogSegment& target,
                                        ByteView bytes,
                                        const LogConfig& config) {
    std::vector<RecordBatchView> batches;
    IncomingBatches incoming;
    BatchIterator it(bytes);
    while (const auto batch = it.next()) {
        batches.push_back(*batch);
        incoming.max_timestamp = std::max(incoming.max_timestamp, batch->max_timestamp());
    }
    if (batches.empty() || it.position() != bytes.size()) {
        return AppendError::kCorruptRecord;
    }
    incoming.bytes = bytes;
    incoming.batches = batches;
    incoming.first_offset = batches.front().base_offset();
    incoming.last_offset = batches.back().last_offset();
    return target.append(disk, incoming, config);
}

/// One new segment from byte `start` of the old one on. Returns how many bytes it took.
Result<std::uint32_t, AppendError> make_part(DiskPort disk,
                                             const SegmentPlace& place,
                                             const LogSegment& source,
                                             std::uint32_t start,
                                             const LogConfig& config) {
    auto part = LogSegment::create(disk, place, config);
    if (!part) {
        return Error{part.error()};
    }
    const auto taken = append_from(disk, place, *part, source, start, config);
    if (!taken) {
        return Error{taken.error()};
    }
    if (*taken == 0) {
        return Error{AppendError::kCorruptRecord};
    }
    if (const auto error = part->become_inactive(disk, place)) {
        return Error{*error};
    }
    if (const auto error = part->flush(disk, place)) {
        return Error{*error};
    }
    return taken;
}

}  // namespace

Result<std::uint32_t, AppendError> append_from(DiskPort disk,
                                               const SegmentPlace& place,
                                               LogSegment& target,
                                               const LogSegment& source,
                                               std::uint32_t start,
                                               const LogConfig& config) {
    if (const auto error = target.open_indexes(disk, place)) {
        return Error{*error};
    }
    std::uint32_t position = start;
    while (position < source.size()) {
        const auto size = chunk_at(disk, target, source, position);
        if (!size) {
            return Error{size.error()};
        }
        if (*size == 0) {
            break;
        }
        const auto bytes = disk.read(source.file(), position, *size);
        if (!bytes) {
            return Error{AppendError::kStorage};
        }
        if (const auto error = append_chunk(disk, target, *bytes, config)) {
            return Error{*error};
        }
        position += *size;
    }
    return position - start;
}

Result<std::vector<types::Offset>, AppendError> split_segment(DiskPort disk,
                                                              const SegmentPlace& place,
                                                              const LogSegment& segment,
                                                              const LogConfig& config,
                                                              DeferredDeletion& deletions) {
    std::vector<types::Offset> bases;
    std::uint32_t position = 0;
    while (position < segment.size()) {
        const auto first = SegmentBatches(disk, segment, position).next();
        if (!first) {
            return Error{first.error()};
        }
        if (!*first) {
            return Error{AppendError::kCorruptRecord};
        }
        const types::Offset base = (*first)->base_offset;
        if (base.value() < 0 || std::find(bases.begin(), bases.end(), base) != bases.end()) {
            return Error{AppendError::kCorruptRecord};
        }
        bases.push_back(base);
        const auto taken =
            make_part(disk, {place.directory, base, kCleanedSuffix}, segment, position, config);
        if (!taken) {
            return Error{taken.error()};
        }
        position += *taken;
    }
    std::sort(bases.begin(), bases.end());
    const types::Offset old = place.base_offset;
    const SegmentSwap swap{place.directory, bases, {&old, 1}, config.file_delete_delay_ms};
    if (const auto error = swap_segments(disk, swap, deletions)) {
        return Error{*error};
    }
    return bases;
}

}  // namespace klab::storage
