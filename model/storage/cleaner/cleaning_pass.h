// SPDX-License-Identifier: Apache-2.0
//
// CleaningPass: one cleaning of one log, a piece at a time, so that the broker goes on working in
// between and the cleaning can be given up at any piece.
//
//     1. index   read the dirty segments: key -> last offset             offset_map_builder.h
//     2. group   neighbours that become one segment                      segment_grouping.h
//     3. copy    each group into a ".cleaned" segment, without what      cleaner_filter.h,
//                is superseded                                           record_filter.h
//     4. swap    synced, the new segment takes the place of its group    log_replace.cc
//
// 3 and 4 for each group. The log may grow meanwhile: the segments to be cleaned are closed, and
// were noted at the beginning. A pass that is given up leaves groups swapped that were done; the
// others stay as they were, and nothing counts as cleaned.
//
// Owns: what one cleaning knows (volatile). Called by: the log cleaner of a broker.
// Kafka: Cleaner.doClean, buildOffsetMap, cleanSegments, cleanInto. KIP-58.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/storage/cleaner/cleaned_transactions.h"
#include "model/storage/cleaner/cleaner_filter.h"
#include "model/storage/cleaner/cleaning_error.h"
#include "model/storage/cleaner/io_buffer.h"
#include "model/storage/cleaner/log_choice.h"
#include "model/storage/cleaner/offset_map_builder.h"
#include "model/storage/log.h"
#include "sim/base/result.h"

namespace klab::storage::cleaner {

/// What the settings of the broker allow a cleaner thread.
struct CleanerLimits {
    OffsetMapSize map;
    IoBufferSettings io;
    types::Rules rules;
};

/// What a pass has done so far. Kafka: CleanerStats.
struct CleaningStats {
    std::uint64_t map_bytes_read = 0;
    std::uint64_t map_records_read = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t records_read = 0;
    std::uint64_t records_written = 0;
    std::uint64_t invalid_records = 0;  ///< without a key

    friend bool operator==(const CleaningStats&, const CleaningStats&) = default;
};

/// A group of segments gave way to one.
struct SwappedGroup {
    types::Offset base_offset;
    types::Offset end;           ///< base of what follows; what lies below may have gaps now
    std::uint32_t segments = 0;  ///< there were before
    std::uint64_t bytes_before = 0;
    std::uint64_t bytes_after = 0;

    friend bool operator==(const SwappedGroup&, const SwappedGroup&) = default;
};

/// What one piece did.
struct CleaningPiece {
    bool is_done = false;  ///< the pass is over
    std::optional<SwappedGroup> swapped;
    std::uint64_t bytes_read = 0;     ///< of the disk
    std::uint64_t bytes_written = 0;  ///< to the disk

    friend bool operator==(const CleaningPiece&, const CleaningPiece&) = default;
};

class CleaningPass {
  public:
    CleaningPass() = default;

    /// `now_ms`: the wall clock; delete horizons go by it.
    CleaningPass(LogToClean target, const CleanerLimits& limits, std::int64_t now_ms);

    [[nodiscard]] const LogToClean& target() const { return target_; }

    [[nodiscard]] const CleaningStats& stats() const { return stats_; }

    /// Where the next cleaning begins to be dirty. Known once the pass is done.
    [[nodiscard]] types::Offset end_offset() const { return builder_.end_offset(); }

    /// Reads one buffer, and does what follows from it. After an error or the last piece the pass
    /// is over. Errors: kOffsetOverflow (the segment has been split: clean again), and all others
    /// of CleaningError.
    [[nodiscard]] Result<CleaningPiece, CleaningError> advance(DiskPort disk, Log& log);

    /// Removes what was begun. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> give_up(DiskPort disk, const Log& log) const;

    friend bool operator==(const CleaningPass&, const CleaningPass&) = default;

  private:
    enum class Phase : std::uint8_t { kBegin, kIndex, kCopy, kDone };

    using Piece = Result<CleaningPiece, CleaningError>;

    void begin(const Log& log);
    [[nodiscard]] Piece index_piece(DiskPort disk, const Log& log);
    void begin_copying(const Log& log);
    [[nodiscard]] Piece copy_piece(DiskPort disk, Log& log);
    [[nodiscard]] std::optional<CleaningError> begin_group(DiskPort disk, const Log& log);
    [[nodiscard]] std::optional<CleaningError> begin_source(DiskPort disk, const Log& log);
    [[nodiscard]] Result<std::uint64_t, CleaningError> filter_chunk(DiskPort disk,
                                                                    Log& log,
                                                                    ByteView chunk);
    [[nodiscard]] std::optional<CleaningError> append(DiskPort disk,
                                                      Log& log,
                                                      const FilterResult& result);
    [[nodiscard]] Result<SwappedGroup, CleaningError> finish_group(DiskPort disk, Log& log);
    [[nodiscard]] Result<Bytes, CleaningError> read_chunk(DiskPort disk,
                                                          const LogSegment& segment) const;
    [[nodiscard]] SegmentPlace output_place(const Log& log) const;

    [[nodiscard]] std::size_t group_end() const { return groups_[group_]; }

    LogToClean target_;
    types::Rules rules_;
    std::int64_t now_ms_ = 0;
    Phase phase_ = Phase::kBegin;
    OffsetMapSize map_size_;
    IoBuffer buffer_;
    OffsetMapBuilder builder_;
    CleaningStats stats_;

    // The segments of the phase: first the dirty ones, then all that are copied. at_ is the one
    // under way, position_ the byte in it.
    std::vector<LogSegment> segments_;
    std::size_t at_ = 0;
    std::uint32_t position_ = 0;

    // Copying.
    std::vector<std::size_t> groups_;  // the index in segments_ behind each group
    std::size_t group_ = 0;
    std::optional<LogSegment> output_;
    ActiveProducers producers_;
    CleanedTransactions transactions_;
};

/// The producers that the log knows, with what the cleaner must leave of each.
/// Kafka: UnifiedLog.lastRecordsOfActiveProducers.
[[nodiscard]] ActiveProducers active_producers(const ProducerStates& producers);

/// What the choice of the next log looks at. Kafka: LogToClean, cleanableOffsets.
[[nodiscard]] LogSight sight_of(const Log& log);

}  // namespace klab::storage::cleaner
