// SPDX-License-Identifier: Apache-2.0
//
// ProducerStates: what a log remembers of each idempotent or transactional producer, so that a
// retry is not stored twice, a gap is refused and a fenced producer stays out; and which
// transactions are open, so that read_committed consumers wait. After a restart or a truncation it
// is rebuilt from a snapshot file (producer_snapshots.h) and the batches behind it
// (producer_rebuild.h).
//
// Owns: the entries (volatile: a function of the log's batches, but for expiry).
// Called by: log.cc, log_append.cc, segment_recovery.cc, producer_rebuild.cc.
// Kafka: ProducerStateManager, ProducerStateEntry, ProducerAppendInfo. KIP-98, KIP-360, KIP-890.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/storage/append_error.h"
#include "model/storage/control_record.h"
#include "model/storage/log_config.h"
#include "model/storage/producer_snapshot.h"
#include "model/storage/record_batch.h"
#include "model/storage/transaction_verification.h"
#include "sim/base/cow_map.h"
#include "sim/base/result.h"

namespace klab::storage {

/// How many batches of a producer are remembered: as many as it may have in flight.
inline constexpr std::size_t kBatchesRemembered = 5;

/// A batch of a producer that is in the log.
struct RememberedBatch {
    std::int32_t last_sequence = 0;
    types::Offset last_offset;
    std::int32_t offset_delta = 0;  ///< last minus first offset; also last minus first sequence
    std::int64_t timestamp = 0;     ///< ms, the batch's maximum

    [[nodiscard]] std::int32_t first_sequence() const {
        return decrement_sequence(last_sequence, offset_delta);
    }

    [[nodiscard]] types::Offset first_offset() const { return last_offset - offset_delta; }

    friend bool operator==(const RememberedBatch&, const RememberedBatch&) = default;
};

/// All that is known of one producer.
class ProducerEntry {
  public:
    /// Nothing until its first batch or marker.
    [[nodiscard]] std::optional<types::ProducerEpoch> epoch() const { return epoch_; }

    /// Oldest first, at most five.
    [[nodiscard]] std::span<const RememberedBatch> batches() const {
        return {batches_.data(), count_};
    }

    [[nodiscard]] std::optional<std::int32_t> first_sequence() const;
    [[nodiscard]] std::optional<std::int32_t> last_sequence() const;
    [[nodiscard]] std::optional<types::Offset> last_offset() const;

    /// As a snapshot keeps it: of the batches only the last one.
    [[nodiscard]] ProducerSnapshotEntry to_snapshot(types::ProducerId id) const;
    [[nodiscard]] static ProducerEntry from_snapshot(const ProducerSnapshotEntry& snapshot);

    /// ms, of its latest batch or marker.
    [[nodiscard]] std::int64_t last_timestamp() const { return last_timestamp_; }

    [[nodiscard]] std::optional<std::int32_t> coordinator_epoch() const {
        return coordinator_epoch_;
    }

    /// First offset of the transaction that is open here.
    [[nodiscard]] std::optional<types::Offset> open_transaction() const {
        return open_transaction_;
    }

    /// The remembered batch with exactly this epoch and these sequences: the batch is a retry.
    [[nodiscard]] std::optional<RememberedBatch> find_duplicate(types::ProducerEpoch epoch,
                                                                std::int32_t first_sequence,
                                                                std::int32_t last_sequence) const;

    friend bool operator==(const ProducerEntry&, const ProducerEntry&) = default;

  private:
    friend class ProducerAppend;
    void raise_epoch(types::ProducerEpoch epoch);
    void remember(const RememberedBatch& batch);

    std::optional<types::ProducerEpoch> epoch_;
    std::array<RememberedBatch, kBatchesRemembered> batches_{};
    std::uint8_t count_ = 0;
    std::int64_t last_timestamp_ = kNoTimestamp;
    std::optional<std::int32_t> coordinator_epoch_;
    std::optional<types::Offset> open_transaction_;
};

/// A transaction that a marker has just ended.
struct CompletedTransaction {
    types::ProducerId producer_id;
    types::Offset first_offset;
    types::Offset marker_offset;
    bool is_aborted = false;

    friend bool operator==(const CompletedTransaction&, const CompletedTransaction&) = default;
};

/// What the header of a data batch says about its producer.
struct ProducerBatch {
    types::ProducerEpoch epoch;
    std::int32_t first_sequence = 0;
    std::int32_t last_sequence = 0;
    types::Offset first_offset;
    types::Offset last_offset;
    std::int64_t timestamp = 0;  ///< ms, the batch's maximum
    bool is_transactional = false;
};

/// Where and by whom a transaction marker is written.
struct MarkerBatch {
    types::ProducerEpoch epoch;
    EndTransactionMarker marker;
    types::Offset offset;
    std::int64_t timestamp = 0;  ///< ms
    /// Its coordinator raises the producer's epoch before it writes the marker (transactions
    /// version 2); the log does not tell, so followers and recovery leave it false.
    bool has_bumped_epoch = false;
};

/// One append's changes to one producer: checked and collected here, applied to ProducerStates only
/// once the bytes are in the log. A failed call changes nothing.
class ProducerAppend {
  public:
    ProducerAppend(types::ProducerId id,
                   const ProducerEntry& before,
                   AppendOrigin origin,
                   std::optional<VerificationEntry> verification = std::nullopt)
        : id_(id), entry_(before), origin_(origin), verification_(verification) {}

    /// A producer that is not known may only begin at sequence 0 (before KIP-360).
    void refuse_unknown_in_the_middle() { unknown_begins_at_0_ = true; }

    /// Errors: kInvalidProducerEpoch (CLIENT, COORDINATOR), kOutOfOrderSequence (CLIENT),
    /// kInvalidTxnState.
    [[nodiscard]] std::optional<AppendError> add_batch(const ProducerBatch& batch);

    /// Errors: kInvalidProducerEpoch, kTransactionCoordinatorFenced (not for REPLICATION).
    [[nodiscard]] std::optional<AppendError> add_marker(const MarkerBatch& marker);

    /// Either of the two, read from the batch. Requires: it has a producer id.
    /// Errors: as above, and kInvalidRecord when the header has no epoch.
    [[nodiscard]] std::optional<AppendError> add(const RecordBatchView& batch,
                                                 bool has_bumped_epoch = false);

    [[nodiscard]] types::ProducerId id() const { return id_; }

    [[nodiscard]] const ProducerEntry& entry() const { return entry_; }

    /// The transaction that the batch added last has ended, if it did.
    [[nodiscard]] const std::optional<CompletedTransaction>& completed() const {
        return completed_;
    }

    /// First offsets of the transactions that the batches of this append opened.
    [[nodiscard]] std::span<const types::Offset> started() const { return started_; }

  private:
    [[nodiscard]] std::optional<AppendError> check_epoch(types::ProducerEpoch epoch) const;
    [[nodiscard]] std::optional<AppendError> check_marker_epoch(const MarkerBatch& batch) const;
    [[nodiscard]] bool is_next(const ProducerBatch& batch) const;

    types::ProducerId id_;
    ProducerEntry entry_;
    AppendOrigin origin_;
    std::optional<VerificationEntry> verification_;
    bool unknown_begins_at_0_ = false;
    std::optional<CompletedTransaction> completed_;
    std::vector<types::Offset> started_;
};

class ProducerStates {
  public:
    [[nodiscard]] const ProducerEntry* find(types::ProducerId id) const { return map_.find(id); }

    [[nodiscard]] std::uint64_t size() const { return map_.size(); }

    [[nodiscard]] bool empty() const { return map_.empty(); }

    /// The remembered batch that `batch` repeats. Nothing for batches without a sequence.
    [[nodiscard]] std::optional<RememberedBatch> find_duplicate(const RecordBatchView& batch) const;

    [[nodiscard]] ProducerAppend prepare(types::ProducerId id, AppendOrigin origin) const;

    void apply(const ProducerAppend& append);

    /// Takes over a batch that is in the log already (recovery). No checks, but a batch that makes
    /// no sense changes nothing. The transaction that it ended is still to be completed.
    std::optional<CompletedTransaction> replay(const RecordBatchView& batch);

    /// The entry of a snapshot file.
    void load(const ProducerSnapshotEntry& snapshot);

    /// All entries as a snapshot file has them, in order of id.
    [[nodiscard]] std::vector<ProducerSnapshotEntry> to_snapshot() const;

    // --- transactions

    /// A transaction is over: its records are decided once the high watermark has passed the
    /// marker. A transaction that is not open here (its start was deleted) changes nothing.
    void complete(const CompletedTransaction& completed);

    /// Up to where everything is decided when this transaction has ended: the first offset of the
    /// oldest open transaction of another producer, else the offset behind the marker.
    [[nodiscard]] types::Offset last_stable_offset(const CompletedTransaction& completed) const;

    /// Transactions whose marker lies below the high watermark are decided for good.
    void on_high_watermark(types::Offset high_watermark);

    /// Where the oldest transaction starts that is open, or whose marker is not replicated yet.
    [[nodiscard]] std::optional<types::Offset> first_unstable_offset() const;

    /// Where the oldest open transaction starts.
    [[nodiscard]] std::optional<types::Offset> first_undecided_offset() const;

    /// Has the oldest open transaction been idle for longer than any transaction may be (five
    /// minutes more than the limit)? Kafka: ProducerStateManager.hasLateTransaction.
    [[nodiscard]] bool has_late_transaction(std::int64_t now_ms,
                                            std::int64_t transaction_timeout_max_ms) const;

    // --- verification of transactions (transaction_verification.h)

    [[nodiscard]] const TransactionVerification& verification() const { return verification_; }

    VerificationGuard start_verification(const VerificationRequest& request, std::int64_t now_ms) {
        return verification_.start(request, now_ms);
    }

    /// A transactional batch, perhaps a marker, was taken: what was asked before it is void.
    void end_verification(const RecordBatchView& batch);

    /// Has this producer a transaction open here, under this epoch?
    [[nodiscard]] bool has_ongoing_transaction(types::ProducerId id,
                                               types::ProducerEpoch epoch) const;

    // --- how far the log is told here

    /// Behind the last record that these states know of.
    [[nodiscard]] types::Offset map_end_offset() const { return map_end_; }

    void set_map_end_offset(types::Offset offset) { map_end_ = offset; }

    /// The log start rose to `log_start`: what ended below it is decided, and nothing below it is
    /// to be told here any more. Producers stay known.
    void on_log_start(types::Offset log_start);

    /// Before KAFKA-7190 a producer is known as long as one of its records is: forgets those whose
    /// last record lies below `log_start`.
    void forget_below(types::Offset log_start);

    /// No producer is known and no marker waits for the high watermark.
    [[nodiscard]] bool is_idle() const { return map_.empty() && unreplicated_.empty(); }

    /// Forgets producers without an open transaction and without a batch for `expiration_ms`, and
    /// verifications that have gone on for so long. Returns how many producers.
    std::uint64_t remove_expired(std::int64_t now_ms, std::int64_t expiration_ms);

    /// Forgets everything, transactions too.
    void clear() {
        map_.clear();
        ongoing_.clear();
        unreplicated_.clear();
    }

    /// Calls f(id, entry) in order of id.
    template <typename F>
    void for_each(F&& f) const {
        map_.for_each(f);
    }

    friend bool operator==(const ProducerStates&, const ProducerStates&) = default;

  private:
    /// A transaction that is over, but whose marker the high watermark has not passed.
    struct Unreplicated {
        types::ProducerId producer_id;
        types::Offset marker_offset;

        friend bool operator==(const Unreplicated&, const Unreplicated&) = default;
    };

    CowMap<types::ProducerId, ProducerEntry> map_;
    CowMap<types::Offset, types::ProducerId> ongoing_;  // by first offset
    CowMap<types::Offset, Unreplicated> unreplicated_;  // by first offset
    TransactionVerification verification_;
    types::Offset map_end_;
};

}  // namespace klab::storage
