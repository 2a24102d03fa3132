// SPDX-License-Identifier: Apache-2.0
//
// Which part of a compacted log the cleaner may work on.
//
//     log start     first dirty           first uncleanable      log end
//         |   clean     |     cleanable        |   not yet          |
//
// First dirty: the cleaner checkpoint; without one, or with one outside the log, the log start.
// First uncleanable, the least of:
//
//     last stable offset        undecided transactions, and what is above the high watermark
//     base of the active segment
//     base of the first closed segment, from the one with first dirty on, that has a record
//     younger than min.compaction.lag.ms                               (if that is above 0)
//
// but not below first dirty. Whole segments are cleaned, so in the end it is the base of the
// segment that it lies in.
//
// Called by: log_choice.cc. Kafka: LogCleanerManager.cleanableOffsets, calculateCleanableBytes,
// maxCompactionDelay. KIP-58, KIP-354.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/storage/record_batch.h"
#include "model/types/kafka_ids.h"

namespace klab::storage::cleaner {

/// What the choice needs to know of a segment.
struct SegmentSight {
    types::Offset base_offset;
    std::uint64_t log_bytes = 0;
    /// ms; of a segment without timestamps the time of its last change
    std::int64_t largest_timestamp = kNoTimestamp;
    std::optional<std::int64_t> first_timestamp;  ///< ms, of the first batch, if it has one

    friend bool operator==(const SegmentSight&, const SegmentSight&) = default;
};

/// The settings of the topic that the choice obeys.
struct CompactionPolicy {
    std::int64_t min_dirty_ratio_billionths = 500'000'000;  ///< min.cleanable.dirty.ratio
    std::int64_t min_lag_ms = 0;                            ///< min.compaction.lag.ms
    std::optional<std::int64_t> max_lag_ms;  ///< max.compaction.lag.ms; nothing = no limit

    friend bool operator==(const CompactionPolicy&, const CompactionPolicy&) = default;
};

/// What the choice needs to know of a log.
struct LogSight {
    types::TopicPartition partition;
    types::Offset log_start;
    types::Offset log_end;
    types::Offset last_stable;
    std::vector<SegmentSight> segments;  ///< oldest first, at least one; the last is the active one
    CompactionPolicy policy;

    friend bool operator==(const LogSight&, const LogSight&) = default;
};

/// The segments from the one that holds `from` up to those based below `to`; none if from == to.
/// Requires: from <= to. Kafka: LogSegments.values.
[[nodiscard]] std::span<const SegmentSight> segments_between(std::span<const SegmentSight> segments,
                                                             types::Offset from,
                                                             types::Offset to);

struct CleanableOffsets {
    types::Offset first_dirty;
    types::Offset first_uncleanable;     ///< not yet a segment's base; >= first_dirty
    bool is_checkpoint_invalid = false;  ///< it lies outside the log: to be replaced by first_dirty

    friend bool operator==(const CleanableOffsets&, const CleanableOffsets&) = default;
};

[[nodiscard]] CleanableOffsets cleanable_offsets(const LogSight& log,
                                                 std::optional<types::Offset> checkpoint,
                                                 std::int64_t now_ms);

struct CleanableBytes {
    types::Offset first_uncleanable;  ///< rounded down to the base of a segment
    std::uint64_t clean = 0;          ///< bytes of segments based below first dirty
    /// Bytes from the segment that holds first dirty on: a segment that is clean in its first part
    /// only counts on both sides.
    std::uint64_t cleanable = 0;

    friend bool operator==(const CleanableBytes&, const CleanableBytes&) = default;
};

[[nodiscard]] CleanableBytes cleanable_bytes(const LogSight& log, const CleanableOffsets& offsets);

/// How long ago, in ms, the oldest dirty record of a closed segment should have been compacted by
/// max.compaction.lag.ms; 0 while it is in time.
[[nodiscard]] std::int64_t compaction_delay_ms(const LogSight& log,
                                               types::Offset first_dirty,
                                               std::int64_t now_ms);

}  // namespace klab::storage::cleaner
