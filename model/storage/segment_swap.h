// SPDX-License-Identifier: Apache-2.0
//
// Putting new segments in the place of old ones so that a crash at any point leaves either the old
// or the new: a split of an overflowed segment ends like that, and so does a cleaning.
//
//     1. new segments, all on disk       0.log.cleaned  9.log.cleaned     0.log
//     2. renamed, highest offset first   0.log.cleaned  9.log.swap        0.log
//                                        0.log.swap     9.log.swap        0.log
//     3. old ones taken away             0.log.swap     9.log.swap        0.log.deleted
//     4. renamed, lowest offset first    0.log          9.log             0.log.deleted
//
// As long as one file ends in .cleaned the old segments win at the next start; from then on the new
// ones (log_loader.h, step 1).
//
// Called by: segment_split.cc, log_replace.cc.
// Kafka: LocalLog.replaceSegments, LogSegment.changeFileSuffixes. KAFKA-6264.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/storage/append_error.h"
#include "model/storage/deferred_deletion.h"
#include "model/storage/disk_port.h"
#include "model/storage/log_segment.h"
#include "model/types/kafka_ids.h"

namespace klab::storage {

/// Gives the files of a segment another suffix: ".cleaned", ".swap" or nothing. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> rename_segment(DiskPort disk,
                                                        const SegmentPlace& from,
                                                        std::string_view to_suffix);

/// What is replaced by what.
struct SegmentSwap {
    std::string_view directory;
    std::span<const types::Offset> fresh;  ///< bases of ".cleaned" segments, ascending
    std::span<const types::Offset> old;    ///< bases of plain segments
    std::int64_t delay_ms = 0;             ///< until the old files go: file.delete.delay.ms
};

/// Steps 2 to 4, and makes the names durable. Requires: the new segments are on disk, closed and
/// synced. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> swap_segments(DiskPort disk,
                                                       const SegmentSwap& swap,
                                                       DeferredDeletion& deletions);

}  // namespace klab::storage
