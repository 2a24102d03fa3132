// SPDX-License-Identifier: Apache-2.0
//
// Splitting a segment whose offsets span more than 31 bits, which no index can tell: its batches go
// to several new segments, each as long as its offsets fit, and those take its place. Kafka before
// 1.1 could write such segments when it compacted.
//
//     0.log: batches at 0, 500, 2147483652   ->   0.log: 0, 500     2147483652.log: 2147483652
//
// Called by: log_loader.cc, when a segment that is checked turns out to be one; log_replace.cc.
// Kafka: LocalLog.splitOverflowedSegment, LogSegment.appendFromFile. KAFKA-6264.
// Simplified: where a batch could not be put anywhere Kafka does not start at all; here that is an
// error of the log directory.
#pragma once

#include <optional>
#include <vector>

#include "model/storage/append_error.h"
#include "model/storage/log_segment.h"
#include "sim/base/result.h"

namespace klab::storage {

/// Appends batches of `source`, from its byte `start` on, to `target` until one does not fit.
/// Returns how many bytes were taken. Errors: kCorruptRecord, kIndexFull, kInvalidOffset, kStorage.
[[nodiscard]] Result<std::uint32_t, AppendError> append_from(DiskPort disk,
                                                             const SegmentPlace& place,
                                                             LogSegment& target,
                                                             const LogSegment& source,
                                                             std::uint32_t start,
                                                             const LogConfig& config);

/// Replaces the segment at `place`. Returns the bases of those that took its place, ascending.
/// Errors: kCorruptRecord (torn, or offsets that cannot be), kStorage, and those of append_from().
[[nodiscard]] Result<std::vector<types::Offset>, AppendError> split_segment(
    DiskPort disk,
    const SegmentPlace& place,
    const LogSegment& segment,
    const LogConfig& config,
    DeferredDeletion& deletions);

}  // namespace klab::storage
