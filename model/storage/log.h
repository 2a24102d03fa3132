// SPDX-License-Identifier: Apache-2.0
//
// Log: the records of one partition on one broker. The bytes live in segment files on the node's
// disk; this value holds what recovery can rebuild from them.
//
//     /data/orders-7/00000000000000000000.log, .index, .timeindex   closed segment: base offset 0
//                    00000000000000001203.log, .index, .timeindex   active segment: appends go here
//                    00000000000000001203.snapshot                  producers as of offset 1203
//                    leader-epoch-checkpoint
//
//     log start <= last stable offset <= high watermark <= log end      recovery point <= log end
//
// Nothing here emits events: each operation returns the facts, and the caller, who knows why it was
// done, tells them (log.appended, log.truncated, log.recovered). What Kafka does in the background
// (a flush after a roll, the removal of deleted files) waits for run_background().
//
// The files of this class: log.cc (questions, marks), log_read.cc, log_append.cc, log_roll.cc
// (rolling, flushing, closing), log_truncate.cc, log_retention.cc, log_replace.cc (segments that
// take the place of others); opening is log_loader.cc.
//
// Owns: segments, log start, log end, high watermark, recovery point, epochs, producers.
// Called by: replication (partition of a broker), the metadata log of a controller.
// Kafka: UnifiedLog, LocalLog. KIP-101, KIP-98.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/storage/append_error.h"
#include "model/storage/deferred_deletion.h"
#include "model/storage/disk_port.h"
#include "model/storage/epoch_cache.h"
#include "model/storage/log_config.h"
#include "model/storage/log_segment.h"
#include "model/storage/log_validator.h"
#include "model/storage/producer_snapshots.h"
#include "model/storage/producer_state.h"
#include "model/storage/segment_lookup.h"
#include "model/types/kafka_ids.h"
#include "model/types/rules.h"
#include "sim/base/bytes.h"
#include "sim/base/result.h"

namespace klab::storage {

/// What is known of a log before its own files are looked at; from the checkpoints of the log
/// directory (log_dir.h).
struct LogOptions {
    types::TopicPartition partition;
    std::string log_dir = "/data";
    std::string directory_name{};  ///< in it; empty: that of the partition
    LogConfig config;
    bool was_clean_shutdown = false;
    types::Offset recovery_point;  ///< below it everything is known to be on disk
    types::Offset log_start;
    types::Offset high_watermark;
};

/// Which records a reader may see. Kafka: FetchIsolation.
enum class Isolation : std::uint8_t { kReadUncommitted, kReadCommitted };

/// The fact behind log.recovered.
struct RecoveryFact {
    types::Offset log_end_offset;
    types::Offset high_watermark;
    std::uint64_t bytes_dropped = 0;
    std::uint32_t segments_checked = 0;  ///< batch by batch
    bool is_clean = false;
    bool is_new = false;  ///< there was no file: the log has just been made

    friend bool operator==(const RecoveryFact&, const RecoveryFact&) = default;
};

/// The fact behind log.appended: one batch as it stands in the log.
struct AppendedBatch {
    types::Offset base_offset;
    types::Offset last_offset;
    std::optional<types::LeaderEpoch> leader_epoch;
    std::uint32_t crc = 0;
    std::optional<types::ProducerId> producer_id;
    std::optional<std::int32_t> base_sequence;
    std::uint32_t size = 0;  ///< bytes

    friend bool operator==(const AppendedBatch&, const AppendedBatch&) = default;
};

struct LeaderAppend {
    ByteView records;  ///< one batch
    types::LeaderEpoch leader_epoch;
    AppendOrigin origin = AppendOrigin::kClient;
    VerificationGuard guard = {};  ///< of the transaction that the batch starts
    /// A marker of a coordinator that raises the epoch first (transactions version 2).
    bool has_bumped_epoch = false;
};

struct LeaderAppendInfo {
    AppendedBatch batch;        ///< of a duplicate: the offsets it got the first time
    bool is_duplicate = false;  ///< an idempotent producer's retry: nothing was written
    std::optional<std::int64_t> log_append_time;  ///< ms; on LogAppendTime topics only
};

struct FollowerAppend {
    ByteView records;  ///< whole batches, perhaps a torn last one, as fetched
    /// Set: stop at the first batch of a newer epoch than this one (KAFKA-18723).
    std::optional<types::LeaderEpoch> fetched_under;
};

struct FollowerAppendInfo {
    std::vector<AppendedBatch> batches;  ///< in log order; empty when nothing was written
};

struct FollowerAppendFailure {
    AppendError error = AppendError::kStorage;
    types::Offset first_offset;  ///< of the refused bytes, with kUnexpectedAppendOffset
    types::Offset last_offset;
};

struct LogRead {
    types::Offset start;
    /// Exclusive: log end for followers, high watermark or last stable offset for consumers.
    types::Offset upper_bound;
    std::int32_t max_bytes = 0;
    bool min_one_message = false;  ///< the first batch may be larger than max_bytes
    bool wants_aborted = false;    ///< read_committed: which transactions are to be skipped
};

/// An offset and where it is, for "how many bytes lie between": Kafka's LogOffsetMetadata.
struct OffsetPlace {
    types::Offset offset;
    types::Offset segment_base;
    std::uint32_t position = 0;  ///< in that segment's file

    friend bool operator==(const OffsetPlace&, const OffsetPlace&) = default;
};

struct LogReadInfo {
    SharedBytes records;  ///< may begin before `start` and end inside a batch
    OffsetPlace place;    ///< of the first batch returned; of the read's end when empty
    bool first_entry_incomplete = false;      ///< max_bytes ended inside the first batch
    std::vector<AbortedTransaction> aborted;  ///< those that may overlap `records`; maybe more
};

/// All that a lookup of one offset looked at, for those who draw it.
struct LogLookup {
    std::vector<types::Offset> bases;  ///< of the segments compared, in the order of the search
    types::Offset segment_base;        ///< the one chosen
    LookupSteps steps;

    friend bool operator==(const LogLookup&, const LogLookup&) = default;
};

/// Why a segment was deleted.
enum class DeletionReason : std::uint8_t {
    kLogStart,  ///< all of it lies below the log start
    kSize,      ///< retention.bytes
    kTime,      ///< retention.ms
};

/// The fact behind log.segment_deleted.
struct DeletedSegment {
    types::Offset base_offset;
    std::uint32_t size = 0;  ///< bytes
    DeletionReason reason = DeletionReason::kLogStart;

    friend bool operator==(const DeletedSegment&, const DeletedSegment&) = default;
};

/// The fact behind log.truncated.
struct TruncationFact {
    types::Offset from;  ///< log end before
    types::Offset to;    ///< log end after
    types::Offset high_watermark_before;

    friend bool operator==(const TruncationFact&, const TruncationFact&) = default;
};

/// Answer to ListOffsets for "earliest" and "latest".
struct OffsetAndEpoch {
    types::Offset offset;
    std::optional<types::LeaderEpoch> epoch;

    friend bool operator==(const OffsetAndEpoch&, const OffsetAndEpoch&) = default;
};

struct OpenedLog;

class Log {
  public:
    /// A log that is not open: only assignment and comparison are allowed.
    Log() = default;

    /// Opens the partition's directory, making it when absent. After an unclean stop every batch
    /// from the recovery point's segment on is checked, and the log ends before the first bad byte.
    /// Errors: kStorage (the disk refused, or the epoch checkpoint cannot be read).
    [[nodiscard]] static Result<OpenedLog, AppendError> open(DiskPort disk,
                                                             const LogOptions& options);

    // --- questions

    [[nodiscard]] const types::TopicPartition& partition() const { return identity_->partition; }

    [[nodiscard]] const std::string& directory() const { return identity_->directory; }

    [[nodiscard]] const LogConfig& config() const { return identity_->config; }

    [[nodiscard]] types::Offset log_start_offset() const { return log_start_; }

    [[nodiscard]] types::Offset log_end_offset() const { return log_end_; }

    [[nodiscard]] types::Offset high_watermark() const { return high_watermark_; }

    [[nodiscard]] types::Offset recovery_point() const { return recovery_point_; }

    [[nodiscard]] const EpochCache& epochs() const { return *epochs_; }

    [[nodiscard]] std::optional<types::LeaderEpoch> latest_epoch() const {
        return epochs_->latest_epoch();
    }

    [[nodiscard]] const ProducerStates& producers() const { return producers_; }

    /// Oldest first; the last one is the active segment.
    [[nodiscard]] std::vector<LogSegment> segments() const;

    /// Base of the oldest segment.
    [[nodiscard]] types::Offset first_base_offset() const { return segment_at(0).base_offset(); }

    [[nodiscard]] const LogSegment& active_segment() const { return active_; }

    [[nodiscard]] const ProducerSnapshots& snapshots() const { return snapshots_; }

    /// Where the oldest transaction starts that is not decided yet.
    [[nodiscard]] std::optional<types::Offset> first_unstable_offset() const;

    /// LSO: below it every transaction is decided. At most the high watermark.
    [[nodiscard]] types::Offset last_stable_offset() const;

    /// Bytes in all segments.
    [[nodiscard]] std::uint64_t size() const;

    /// The largest epoch not above `epoch` and where it ends in this log (the log end when it is
    /// the latest). Undefined: see EpochCache::end_offset_for.
    [[nodiscard]] EpochEndOffset end_offset_for_epoch(
        std::optional<types::LeaderEpoch> epoch) const;

    /// ListOffsets "earliest": the log start.
    [[nodiscard]] OffsetAndEpoch earliest_offset() const;

    /// ListOffsets "latest" for a replica: the log end.
    [[nodiscard]] OffsetAndEpoch latest_offset() const;

    // --- reading

    /// Segment and position of `offset`. Requires: log start <= offset <= log end. Errors:
    /// kCorruptRecord, kStorage.
    [[nodiscard]] Result<OffsetPlace, AppendError> place_of(DiskView disk,
                                                            types::Offset offset) const;

    /// Bytes from the batch that holds `start` on, up to the bound, never across a segment.
    /// Errors: kOffsetOutOfRange (start below the log start or above the log end),
    /// kCorruptMessage, kKafkaStorageError.
    [[nodiscard]] Result<LogReadInfo, types::ErrorCode> read(DiskView disk,
                                                             const LogRead& request) const;

    /// How `offset` is found. Costs nothing in virtual time. Errors: kCorruptRecord, kStorage.
    [[nodiscard]] Result<LogLookup, AppendError> explain_lookup(DiskView disk,
                                                                types::Offset offset) const;

    /// ListOffsets by time: the first record that is not older than `timestamp`. Errors:
    /// kCorruptRecord, kStorage.
    [[nodiscard]] Result<std::optional<TimedOffset>, AppendError> find_by_time(
        DiskView disk, std::int64_t timestamp) const;

    /// ListOffsets "max timestamp": the first record with the largest timestamp. Errors:
    /// kCorruptRecord, kStorage.
    [[nodiscard]] Result<std::optional<TimedOffset>, AppendError> find_newest_record(
        DiskView disk) const;

    /// Aborted transactions that lie in part between `from` and `below`, in order of their markers.
    [[nodiscard]] std::vector<AbortedTransaction> aborted_between(types::Offset from,
                                                                  types::Offset below) const;

    // --- appending

    /// Appends one batch at the log end under the leader's epoch. With origin kRaftLeader the
    /// offsets are in place already and must join on.
    /// Errors: those of validate_batch; kCorruptRecord, kInvalidRecord (not exactly one batch),
    /// kRecordTooLarge, kRecordBatchTooLarge, kOutOfOrderSequence, kInvalidProducerEpoch,
    /// kInvalidTxnState, kTransactionCoordinatorFenced, kUnexpectedAppendOffset (kRaftLeader),
    /// kStorage. An epoch entry or a roll may stay behind after an error, as in Kafka.
    [[nodiscard]] Result<LeaderAppendInfo, ValidationFailure> append_as_leader(
        DiskPort disk, const types::Rules& rules, const LeaderAppend& append);

    /// The batch of a transaction that is not open here waits until its coordinator was asked.
    /// Returns the guard to append it with; no guard when the transaction is open already.
    /// Errors: kInvalidProducerEpoch (the producer has been fenced).
    [[nodiscard]] Result<VerificationGuard, AppendError> start_verification(
        const VerificationRequest& request, std::int64_t now_ms);

    /// Appends fetched batches byte for byte. The high watermark is not touched.
    /// Errors: kCorruptRecord, kOffsetsOutOfOrder, kUnexpectedAppendOffset (first offset below the
    /// log end), kRecordBatchTooLarge, kStorage.
    [[nodiscard]] Result<FollowerAppendInfo, FollowerAppendFailure> append_as_follower(
        DiskPort disk, const FollowerAppend& append);

    /// A new leader's epoch begins at the log end. Writes the epoch checkpoint if that is news.
    /// Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> assign_epoch_start(DiskPort disk,
                                                                types::LeaderEpoch epoch);

    /// Makes everything below the log end durable: segment files, and their names when new.
    /// Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> flush(DiskPort disk);

    /// The same, and an empty active segment too (a clean stop). Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> flush_all(DiskPort disk);

    /// The log is put away: flushed, its active segment trimmed, its producers in a snapshot.
    /// Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> close(DiskPort disk);

    /// Closes the active segment and starts a new one at the log end. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> roll(DiskPort disk);

    // --- work that waits

    /// A closed segment is to be flushed.
    [[nodiscard]] bool has_pending_flush() const { return pending_flush_.has_value(); }

    /// Flushes what a roll left to do: the snapshot, then the closed segments. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> run_pending_flush(DiskPort disk);

    /// When the next deleted file is to be removed: monotonic clock in ms.
    [[nodiscard]] std::optional<std::int64_t> next_deletion_ms() const {
        return deletions_.next_due_ms();
    }

    /// Removes deleted files that are due. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> remove_deleted_files(DiskPort disk) {
        return deletions_.remove_due(disk);
    }

    // --- moving the marks

    /// Sets the high watermark, clamped into [log start, log end]; returns what it became. It may
    /// move back: whether that is allowed is the caller's rule.
    types::Offset set_high_watermark(types::Offset offset);

    /// Raises the log start (a follower follows its leader's). Says whether it rose.
    /// Errors: kOffsetOutOfRange (above the high watermark), kKafkaStorageError.
    [[nodiscard]] Result<bool, types::ErrorCode> raise_log_start(DiskPort disk,
                                                                 types::Offset offset);

    // --- cutting

    /// Removes every record at or after `offset`, and the whole batch that `offset` falls into.
    /// Nothing when the log ends at or before `offset`; even then epochs that start at or after the
    /// log end are forgotten. Errors: kStorage. Requires: offset >= 0.
    [[nodiscard]] Result<std::optional<TruncationFact>, AppendError> truncate_to(
        DiskPort disk, types::Offset offset);

    /// Removes everything and starts anew at `offset`. Errors: kStorage.
    [[nodiscard]] Result<TruncationFact, AppendError> truncate_fully_and_start_at(
        DiskPort disk, types::Offset offset);

    /// Would delete_old_segments delete any now?
    [[nodiscard]] bool has_deletable_segments(DiskView disk) const;

    /// Deletes old segments: those below the log start, and, if cleanup.policy says so, those above
    /// retention.bytes and older than retention.ms; oldest first, never above the high watermark.
    /// Their files go later. Errors: kStorage.
    [[nodiscard]] Result<std::vector<DeletedSegment>, AppendError> delete_old_segments(
        DiskPort disk);

    // --- segments that take the place of others

    /// A ".cleaned" segment takes the place of closed ones that it was made from. Those of them
    /// that are gone already stay gone. Requires: `fresh` is closed and synced; `old` ascends and
    /// holds its base. Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> replace_segments(DiskPort disk,
                                                              const LogSegment& fresh,
                                                              std::span<const types::Offset> old);

    /// Splits a closed segment whose offsets span more than 31 bits (segment_split.h).
    /// Errors: kCorruptRecord, kIndexFull, kInvalidOffset, kStorage.
    [[nodiscard]] std::optional<AppendError> split_segment(DiskPort disk, types::Offset base);

    /// Forgets idle producers (producer.id.expiration.ms). Returns how many.
    std::uint64_t remove_expired_producers(std::int64_t now_ms, std::int64_t expiration_ms) {
        return producers_.remove_expired(now_ms, expiration_ms);
    }

    /// New settings of the topic.
    void set_config(const LogConfig& config) { identity_.write().config = config; }

    /// Removes the partition's directory from the disk; the log is not to be used afterwards.
    /// Errors: kStorage.
    [[nodiscard]] std::optional<AppendError> destroy(DiskPort disk);

    friend bool operator==(const Log&, const Log&) = default;

  private:
    friend class LogLoader;

    struct Identity {
        types::TopicPartition partition;
        std::string directory;  // path
        LogConfig config;

        friend bool operator==(const Identity&, const Identity&) = default;
    };

    struct ProducerUpdates;

    [[nodiscard]] SegmentPlace place(types::Offset base) const {
        return {identity_->directory, base};
    }

    // log_append.cc
    [[nodiscard]] Result<Bytes, ValidationFailure> stamp(DiskPort disk,
                                                         const RecordBatchView& batch,
                                                         const LeaderAppend& append,
                                                         LeaderAppendInfo& info) const;
    [[nodiscard]] std::optional<AppendError> check_verified(const RecordBatchView& batch,
                                                            const LeaderAppend& append) const;
    [[nodiscard]] LeaderAppendInfo info_of_duplicate(const RememberedBatch& first,
                                                     LeaderAppendInfo info) const;
    [[nodiscard]] std::optional<AppendError> make_room(DiskPort disk,
                                                       const IncomingBatches& incoming);
    [[nodiscard]] std::optional<AppendError> write(DiskPort disk,
                                                   const IncomingBatches& incoming,
                                                   const ProducerUpdates& updates);
    [[nodiscard]] std::optional<AppendError> complete(DiskPort disk,
                                                      const CompletedTransaction& completed);
    // log_roll.cc
    [[nodiscard]] std::optional<AppendError> roll_at(DiskPort disk, types::Offset base_offset);
    [[nodiscard]] std::optional<AppendError> flush_below(DiskPort disk,
                                                         types::Offset offset,
                                                         types::Offset new_recovery_point);
    [[nodiscard]] std::optional<AppendError> flush_if_due(DiskPort disk);
    // log_truncate.cc
    [[nodiscard]] std::optional<AppendError> cut_segments(DiskPort disk, types::Offset offset);
    [[nodiscard]] std::optional<AppendError> restart_at(DiskPort disk, types::Offset offset);
    [[nodiscard]] std::optional<AppendError> rebuild_producers_to(DiskPort disk, types::Offset end);
    // log_retention.cc
    struct Retention;
    [[nodiscard]] std::optional<AppendError> delete_oldest(DiskPort disk,
                                                           std::size_t count,
                                                           DeletionReason reason,
                                                           std::vector<DeletedSegment>& out);
    [[nodiscard]] std::optional<AppendError> remove_segment(DiskPort disk, types::Offset base);
    // log_read.cc
    [[nodiscard]] Result<LogReadInfo, AppendError> read_segments(DiskView disk,
                                                                 const LogRead& request) const;
    [[nodiscard]] Result<std::uint32_t, AppendError> limit_in(DiskView disk,
                                                              const LogSegment& segment,
                                                              types::Offset bound) const;
    [[nodiscard]] std::optional<AppendError> collect_aborted(DiskView disk,
                                                             const LogRead& request,
                                                             const LogSegment& segment,
                                                             LogReadInfo& info) const;
    [[nodiscard]] std::vector<AbortedTransaction> aborted_from(std::size_t index,
                                                               types::Offset from,
                                                               types::Offset below) const;
    // log.cc
    [[nodiscard]] std::optional<AppendError> write_epochs(DiskPort disk) const;
    /// Number of the segment that holds `offset`: 0 for the oldest, closed_->size() for the active.
    [[nodiscard]] std::size_t index_of(types::Offset offset) const;

    [[nodiscard]] const LogSegment& segment_at(std::size_t index) const {
        return index < closed_->size() ? (*closed_)[index] : active_;
    }

    void check_state() const;

    Cow<Identity> identity_;
    Cow<std::vector<LogSegment>> closed_;  // ascending by base offset
    LogSegment active_;
    types::Offset log_start_;
    types::Offset log_end_;
    types::Offset high_watermark_;
    types::Offset recovery_point_;
    Cow<EpochCache> epochs_;
    ProducerStates producers_;
    ProducerSnapshots snapshots_;
    DeferredDeletion deletions_;
    std::optional<types::Offset> pending_flush_;  // up to here, since the last roll
};

struct OpenedLog {
    Log log;
    RecoveryFact fact;
};

}  // namespace klab::storage
