// SPDX-License-Identifier: Apache-2.0
//
// Log: segments that take the place of others, after a cleaning or a split. The records that stay
// keep their offsets, so nothing else of the log changes: neither its start nor its end nor what is
// known of producers and epochs.
//
// Kafka: UnifiedLog.replaceSegments, LocalLog.replaceSegments, UnifiedLog.splitOverflowedSegment.
#include <algorithm>
#include <utility>

#include "model/storage/file_names.h"
#include "model/storage/log.h"
#include "model/storage/segment_split.h"
#include "model/storage/segment_swap.h"

namespace klab::storage {

namespace {

/// Puts the segment where its base belongs.
void insert_sorted(std::vector<LogSegment>& segments, LogSegment segment) {
    const auto at = std::upper_bound(
        segments.begin(), segments.end(), segment, [](const LogSegment& a, const LogSegment& b) {
            return a.base_offset() < b.base_offset();
        });
    segments.insert(at, std::move(segment));
}

}  // namespace

std::optional<AppendError> Log::replace_segments(DiskPort disk,
                                                 const LogSegment& fresh,
                                                 std::span<const types::Offset> old) {
    const types::Offset base = fresh.base_offset();
    std::vector<types::Offset> here;
    for (const LogSegment& segment : *closed_) {
        if (std::binary_search(old.begin(), old.end(), segment.base_offset())) {
            here.push_back(segment.base_offset());
        }
    }
    const std::int64_t delay_ms = identity_->config.file_delete_delay_ms;
    const SegmentSwap swap{identity_->directory, {&base, 1}, here, delay_ms};
    if (const auto error = swap_segments(disk, swap, deletions_)) {
        return error;
    }
    for (const types::Offset gone : here) {
        if (gone == base) {
            continue;  // the snapshot at the base of a segment belongs to whatever begins there
        }
        if (const auto error =
                snapshots_.remove_later(disk, identity_->directory, gone, delay_ms, deletions_)) {
            return error;
        }
    }
    std::vector<LogSegment>& closed = closed_.write();
    std::erase_if(closed, [&](const LogSegment& segment) {
        return std::binary_search(here.begin(), here.end(), segment.base_offset());
    });
    insert_sorted(closed, fresh);
    return std::nullopt;
}

std::optional<AppendError> Log::split_segment(DiskPort disk, types::Offset base) {
    const LogSegment segment = segment_at(index_of(base));
    KLAB_ASSERT(segment.base_offset() == base && base < active_.base_offset(),
                "{} is not the base of a closed segment",
                base);
    const auto bases =
        storage::split_segment(disk, place(base), segment, identity_->config, deletions_);
    if (!bases) {
        return bases.error();
    }
    std::vector<LogSegment>& closed = closed_.write();
    std::erase_if(closed, [&](const LogSegment& s) { return s.base_offset() == base; });
    for (const types::Offset part : *bases) {
        auto opened = LogSegment::open(disk, place(part), identity_->config);
        if (!opened) {
            return opened.error();
        }
        insert_sorted(closed, std::move(opened).value());
    }
    if (std::find(bases->begin(), bases->end(), base) != bases->end()) {
        return std::nullopt;
    }
    return snapshots_.remove_later(
        disk, identity_->directory, base, identity_->config.file_delete_delay_ms, deletions_);
}

}  // namespace klab::storage
