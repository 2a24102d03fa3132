// SPDX-License-Identifier: Apache-2.0
//
// LogSegment: one segment of a log. Its batches in a .log file, two sparse indexes and the index of
// aborted transactions beside it. The last segment of a log is the active one: only it grows.
//
//     00000000000000368796.log          batches from offset 368796 on
//     00000000000000368796.index        offset -> byte position, every 4096 bytes or so
//     00000000000000368796.timeindex    timestamp -> offset, at the same moments
//     00000000000000368796.txnindex     aborted transactions; only if there was one
//
// The index files of a new segment are made when they are first needed. Reading is
// segment_lookup.h, checking after a crash segment_recovery.h.
//
// Owns: the fields below, all volatile but what the files hold.
// Called by: log.cc and the files of class Log.
// Kafka: LogSegment, FileRecords. KIP-33 (time index), KIP-98 (transaction index).
// Simplified: the time of the last change of a file is kept in memory; after a start it is the time
// of the start (asked only for segments without timestamps).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/storage/append_error.h"
#include "model/storage/deferred_deletion.h"
#include "model/storage/disk_port.h"
#include "model/storage/log_config.h"
#include "model/storage/offset_index.h"
#include "model/storage/record_batch.h"
#include "model/storage/time_index.h"
#include "model/storage/transaction_index.h"
#include "model/types/kafka_ids.h"
#include "sim/base/result.h"

namespace klab::storage {

/// Bytes that are ready to be written at the end of a log.
struct IncomingBatches {
    ByteView bytes;
    std::span<const RecordBatchView> batches;  ///< the same bytes, at least one batch
    types::Offset first_offset;
    types::Offset last_offset;
    std::int64_t max_timestamp = kNoTimestamp;  ///< ms, over all batches
};

/// What a segment is called and where it lies.
struct SegmentPlace {
    std::string_view directory;
    types::Offset base_offset;
    std::string_view suffix = {};  ///< ".cleaned", ".swap", or nothing

    /// "/data/orders-7/00000000000000368796.index" for ".index".
    [[nodiscard]] std::string path(std::string_view kind) const;
};

class LogSegment {
  public:
    /// A segment that is not there: only assignment and comparison are allowed.
    LogSegment() = default;

    /// Makes the empty .log of a new segment; what is left over under its names goes first.
    /// Errors: kStorage.
    [[nodiscard]] static Result<LogSegment, AppendError> create(DiskPort disk,
                                                                const SegmentPlace& place,
                                                                const LogConfig& config);

    /// Opens the files of a segment that is there. Its indexes are believed as they are; what is
    /// missing or cannot be is told by `needs_recovery()`. Errors: kStorage.
    [[nodiscard]] static Result<LogSegment, AppendError> open(DiskPort disk,
                                                              const SegmentPlace& place,
                                                              const LogConfig& config);

    // --- questions

    [[nodiscard]] types::Offset base_offset() const { return base_offset_; }

    /// Bytes of batches in the .log (a preallocated file is longer).
    [[nodiscard]] std::uint32_t size() const { return size_; }

    [[nodiscard]] sim::FileId file() const { return file_; }

    [[nodiscard]] const OffsetIndex& index() const { return index_; }

    [[nodiscard]] const TimeIndex& time_index() const { return time_index_; }

    [[nodiscard]] const TransactionIndex& txn_index() const { return txn_index_; }

    /// ms, the maximum of the first batch: the age of the segment counts from it (segment.ms).
    /// Nothing while the segment is empty or that batch carries no timestamp.
    [[nodiscard]] std::optional<std::int64_t> first_timestamp() const { return first_timestamp_; }

    /// The largest batch timestamp so far and the last offset of the batch that has it; (-1, base)
    /// when no batch has one.
    [[nodiscard]] const TimeIndexEntry& newest() const { return newest_; }

    /// ms: the largest timestamp, or the time of the last change where no batch has one. What
    /// retention goes by.
    [[nodiscard]] std::int64_t largest_timestamp() const {
        return newest_.timestamp >= 0 ? newest_.timestamp : modified_ms_;
    }

    /// ms on the wall clock: the last append, or the start that found the file.
    [[nodiscard]] std::int64_t modified_ms() const { return modified_ms_; }

    /// ms on the wall clock: creation, opening or emptying.
    [[nodiscard]] std::int64_t created_ms() const { return created_ms_; }

    /// ms by which this segment rolls earlier than segment.ms.
    [[nodiscard]] std::int64_t roll_jitter_ms() const { return roll_jitter_ms_; }

    /// Has a missing .index or a .txnindex that cannot be: every batch must be looked at.
    [[nodiscard]] bool needs_recovery() const { return needs_recovery_; }

    /// May a batch that ends at this offset be appended? Index entries hold 31 bits.
    [[nodiscard]] bool can_hold(types::Offset last_offset) const;

    /// Is the segment to be closed before these batches are appended? Kafka: LogSegment.shouldRoll.
    [[nodiscard]] bool should_roll(const IncomingBatches& incoming,
                                   const LogConfig& config,
                                   std::int64_t now_ms) const;

    // --- changes

    /// Makes the index files that are not there yet, at full size. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> open_indexes(DiskPort disk, const SegmentPlace& place);

    /// Writes at the end and adds the index entries that are due. Requires: open_indexes() was
    /// called, can_hold(). Errors: kIndexFull, kInvalidOffset, kStorage.
    [[nodiscard]] std::optional<AppendError> append(DiskPort disk,
                                                    const IncomingBatches& incoming,
                                                    const LogConfig& config);

    /// Notes an aborted transaction whose marker lies here. Errors: kInvalidOffset, kStorage.
    [[nodiscard]] std::optional<AppendError> add_aborted(DiskPort disk,
                                                         const SegmentPlace& place,
                                                         const AbortedTransaction& aborted);

    /// Removes batches from the first one on that ends at or above `offset`, and makes the segment
    /// fit to be the active one. Errors: kCorruptRecord, kStorage.
    [[nodiscard]] std::optional<AppendError> truncate_to(DiskPort disk,
                                                         const SegmentPlace& place,
                                                         types::Offset offset,
                                                         const LogConfig& config);

    /// The segment becomes the active one again: its indexes get room. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> make_active(DiskPort disk,
                                                         const SegmentPlace& place,
                                                         const LogConfig& config);

    /// Closes the segment: a last time index entry, and all files cut to what they hold.
    /// Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> become_inactive(DiskPort disk,
                                                             const SegmentPlace& place);

    /// Makes all its files durable (not their names). Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> flush(DiskPort disk, const SegmentPlace& place);

    /// What is cleaned is as old as what it was made from.
    void set_modified_ms(std::int64_t ms) { modified_ms_ = ms; }

    /// Removes its files at once, as far as they are there. Errors: kStorage.
    [[nodiscard]] static std::optional<AppendError> remove_now(DiskPort disk,
                                                               const SegmentPlace& place);

    /// Takes its files away: renamed now, removed later. Errors: kStorage.
    [[nodiscard]] static std::optional<AppendError> remove(DiskPort disk,
                                                           const SegmentPlace& place,
                                                           std::int64_t delay_ms,
                                                           DeferredDeletion& deletions);

    friend bool operator==(const LogSegment&, const LogSegment&) = default;

  private:
    friend class SegmentRecovery;

    void note(const RecordBatchView& batch);
    [[nodiscard]] std::optional<AppendError> index_if_due(DiskPort disk,
                                                          types::Offset last_offset,
                                                          std::uint32_t position,
                                                          const LogConfig& config);
    [[nodiscard]] std::optional<AppendError> cut_file(DiskPort disk, std::uint32_t size);
    [[nodiscard]] std::optional<AppendError> load_timestamps(DiskPort disk);

    types::Offset base_offset_;
    sim::FileId file_;
    std::uint32_t size_ = 0;
    std::uint32_t bytes_since_entry_ = 0;  // appended since the last index entry
    bool is_preallocated_ = false;         // the file may be longer than size_
    bool needs_recovery_ = false;
    OffsetIndex index_;
    TimeIndex time_index_;
    TransactionIndex txn_index_;
    std::optional<std::int64_t> first_timestamp_;
    TimeIndexEntry newest_;
    std::int64_t created_ms_ = 0;
    std::int64_t modified_ms_ = 0;
    std::int64_t roll_jitter_ms_ = 0;
};

}  // namespace klab::storage
