// SPDX-License-Identifier: Apache-2.0
//
// See producer_state.h.
#include "model/storage/producer_state.h"

#include <algorithm>
#include <limits>

namespace klab::storage {

std::optional<std::int32_t> ProducerEntry::first_sequence() const {
    return count_ == 0 ? std::nullopt : std::optional(batches_[0].first_sequence());
}

std::optional<std::int32_t> ProducerEntry::last_sequence() const {
    return count_ == 0 ? std::nullopt : std::optional(batches_[count_ - 1U].last_sequence);
}

std::optional<types::Offset> ProducerEntry::last_offset() const {
    return count_ == 0 ? std::nullopt : std::optional(batches_[count_ - 1U].last_offset);
}

ProducerSnapshotEntry ProducerEntry::to_snapshot(types::ProducerId id) const {
    ProducerSnapshotEntry out;
    out.producer_id = id;
    out.epoch = epoch_.value_or(types::ProducerEpoch(-1));
    if (count_ > 0) {
        const RememberedBatch& last = batches_[count_ - 1U];
        out.last_sequence = last.last_sequence;
        out.last_offset = last.last_offset.value();
        out.offset_delta = last.offset_delta;
    }
    out.timestamp = last_timestamp_;
    out.coordinator_epoch = coordinator_epoch_.value_or(-1);
    out.open_transaction = open_transaction_;
    return out;
}

ProducerEntry ProducerEntry::from_snapshot(const ProducerSnapshotEntry& snapshot) {
    ProducerEntry entry;
    if (snapshot.epoch.value() >= 0) {
        entry.epoch_ = snapshot.epoch;
    }
    if (snapshot.last_offset >= 0) {
        entry.remember({snapshot.last_sequence,
                        types::Offset(snapshot.last_offset),
                        snapshot.offset_delta,
                        snapshot.timestamp});
    }
    entry.last_timestamp_ = snapshot.timestamp;
    if (snapshot.coordinator_epoch >= 0) {
        entry.coordinator_epoch_ = snapshot.coordinator_epoch;
    }
    if (snapshot.open_transaction && snapshot.open_transaction->value() >= 0) {
        entry.open_transaction_ = snapshot.open_transaction;
    }
    return entry;
}

std::optional<RememberedBatch> ProducerEntry::find_duplicate(types::ProducerEpoch epoch,
                                                             std::int32_t first_sequence,
                                                             std::int32_t last_sequence) const {
    if (epoch != epoch_) {
        return std::nullopt;
    }
    for (const RememberedBatch& batch : batches()) {
        if (batch.first_sequence() == first_sequence && batch.last_sequence == last_sequence) {
            return batch;
        }
    }
    return std::nullopt;
}

void ProducerEntry::raise_epoch(types::ProducerEpoch epoch) {
    if (epoch_ != epoch) {
        epoch_ = epoch;
        count_ = 0;
        batches_ = {};
    }
}

void ProducerEntry::remember(const RememberedBatch& batch) {
    if (count_ == kBatchesRemembered) {
        std::move(batches_.begin() + 1, batches_.end(), batches_.begin());
        --count_;
    }
    batches_[count_] = batch;
    ++count_;
}

std::optional<AppendError> ProducerAppend::check_epoch(types::ProducerEpoch epoch) const {
    // A follower and a recovering log take what the leader took (KIP-98): no fencing there.
    const bool checks = origin_ == AppendOrigin::kClient || origin_ == AppendOrigin::kCoordinator;
    return checks && entry_.epoch_ && epoch < *entry_.epoch_
               ? std::optional(AppendError::kInvalidProducerEpoch)
               : std::nullopt;
}

/// KIP-1228: a coordinator that raises the epoch with each transaction writes markers above the
/// epoch of the data. One at the same epoch is a repetition (KAFKA-19999), or the epoch is at its
/// end.
std::optional<AppendError> ProducerAppend::check_marker_epoch(const MarkerBatch& batch) const {
    constexpr types::ProducerEpoch kLastEpoch{std::numeric_limits<std::int16_t>::max()};
    const bool is_same = entry_.epoch_ == batch.epoch;
    const bool is_allowed = !entry_.open_transaction_ || batch.epoch == kLastEpoch;
    if (batch.has_bumped_epoch && origin_ != AppendOrigin::kReplication && is_same && !is_allowed) {
        return AppendError::kInvalidProducerEpoch;
    }
    return check_epoch(batch.epoch);
}

bool ProducerAppend::is_next(const ProducerBatch& batch) const {
    if (verification_) {
        // A producer that starts each epoch at 0 and is not known here has lost what was before.
        if (verification_->supports_epoch_bump && entry_.batches().empty() &&
            batch.first_sequence != 0) {
            return false;
        }
        if (batch.first_sequence > verification_->lowest_sequence) {
            return false;
        }
    }
    if (!entry_.epoch_) {
        // Unknown, perhaps expired: any sequence may come first (KIP-360).
        return !unknown_begins_at_0_ || batch.first_sequence == 0;
    }
    if (batch.epoch != *entry_.epoch_) {
        return batch.first_sequence == 0;
    }
    const auto last = entry_.last_sequence();
    if (!last) {
        return batch.first_sequence == 0;  // only a marker so far
    }
    return batch.first_sequence == increment_sequence(*last, 1);
}

std::optional<AppendError> ProducerAppend::add_batch(const ProducerBatch& batch) {
    if (const auto fenced = check_epoch(batch.epoch)) {
        return fenced;
    }
    if (origin_ == AppendOrigin::kClient && !is_next(batch)) {
        return AppendError::kOutOfOrderSequence;
    }
    if (entry_.open_transaction_ && !batch.is_transactional) {
        return AppendError::kInvalidTxnState;
    }
    entry_.raise_epoch(batch.epoch);
    entry_.remember({batch.last_sequence,
                     batch.last_offset,
                     static_cast<std::int32_t>(batch.last_offset - batch.first_offset),
                     batch.timestamp});
    entry_.last_timestamp_ = batch.timestamp;
    if (!entry_.open_transaction_ && batch.is_transactional) {
        entry_.open_transaction_ = batch.first_offset;
        started_.push_back(batch.first_offset);
    }
    return std::nullopt;
}

std::optional<AppendError> ProducerAppend::add_marker(const MarkerBatch& batch) {
    if (const auto fenced = check_marker_epoch(batch)) {
        return fenced;
    }
    const std::int32_t coordinator_epoch = batch.marker.coordinator_epoch;
    const bool is_stale =
        entry_.coordinator_epoch_ && coordinator_epoch < *entry_.coordinator_epoch_;
    if (is_stale && origin_ != AppendOrigin::kReplication) {
        return AppendError::kTransactionCoordinatorFenced;
    }
    entry_.raise_epoch(batch.epoch);
    completed_.reset();
    if (entry_.open_transaction_) {
        completed_ = CompletedTransaction{
            id_, *entry_.open_transaction_, batch.offset, batch.marker.type == ControlType::kAbort};
    }
    entry_.open_transaction_.reset();
    entry_.coordinator_epoch_ = coordinator_epoch;
    entry_.last_timestamp_ = batch.timestamp;
    return std::nullopt;
}

std::optional<AppendError> ProducerAppend::add(const RecordBatchView& batch,
                                               bool has_bumped_epoch) {
    completed_.reset();
    const auto epoch = batch.producer_epoch();
    if (!epoch) {
        return AppendError::kInvalidRecord;
    }
    if (batch.is_control()) {
        const auto marker = parse_end_transaction_marker(batch);
        // An empty control batch is what compaction leaves of a marker: it changes nothing.
        return marker ? add_marker({*epoch,
                                    *marker,
                                    batch.base_offset(),
                                    batch.max_timestamp(),
                                    has_bumped_epoch})
                      : std::nullopt;
    }
    const auto first = batch.base_sequence();
    if (!first) {
        return AppendError::kInvalidRecord;
    }
    return add_batch({*epoch,
                      *first,
                      *batch.last_sequence(),
                      batch.base_offset(),
                      batch.last_offset(),
                      batch.max_timestamp(),
                      batch.is_transactional()});
}

std::optional<RememberedBatch> ProducerStates::find_duplicate(const RecordBatchView& batch) const {
    const auto id = batch.producer_id();
    const auto epoch = batch.producer_epoch();
    const auto first = batch.base_sequence();
    if (!id || !epoch || !first) {
        return std::nullopt;
    }
    const ProducerEntry* entry = map_.find(*id);
    return entry == nullptr ? std::nullopt
                            : entry->find_duplicate(*epoch, *first, *batch.last_sequence());
}

ProducerAppend ProducerStates::prepare(types::ProducerId id, AppendOrigin origin) const {
    const ProducerEntry* entry = map_.find(id);
    const VerificationEntry* verification = verification_.find(id);
    return ProducerAppend(id,
                          entry == nullptr ? ProducerEntry{} : *entry,
                          origin,
                          verification == nullptr ? std::nullopt : std::optional(*verification));
}

void ProducerStates::apply(const ProducerAppend& append) {
    map_.insert_or_assign(append.id(), append.entry());
    for (const types::Offset first : append.started()) {
        ongoing_.insert_or_assign(first, append.id());
    }
}

void ProducerStates::end_verification(const RecordBatchView& batch) {
    const auto id = batch.producer_id();
    if (!id || !batch.is_transactional()) {
        return;
    }
    // A marker at the epoch of the entry ended the transaction before: the next one is under way.
    const VerificationEntry* entry = verification_.find(*id);
    const bool is_next_one_started = entry != nullptr && entry->supports_epoch_bump &&
                                     batch.is_control() && batch.producer_epoch() == entry->epoch;
    if (!is_next_one_started) {
        verification_.end(*id);
    }
}

bool ProducerStates::has_ongoing_transaction(types::ProducerId id,
                                             types::ProducerEpoch epoch) const {
    const ProducerEntry* entry = map_.find(id);
    return entry != nullptr && entry->open_transaction() && entry->epoch() == epoch;
}

std::optional<CompletedTransaction> ProducerStates::replay(const RecordBatchView& batch) {
    std::optional<CompletedTransaction> completed;
    if (const auto id = batch.producer_id()) {
        ProducerAppend append = prepare(*id, AppendOrigin::kReplication);
        // What a leader took cannot be refused here.
        if (!append.add(batch)) {
            apply(append);
            completed = append.completed();
        }
    }
    map_end_ = batch.next_offset();
    return completed;
}

void ProducerStates::load(const ProducerSnapshotEntry& snapshot) {
    const ProducerEntry entry = ProducerEntry::from_snapshot(snapshot);
    map_.insert_or_assign(snapshot.producer_id, entry);
    if (const auto first = entry.open_transaction()) {
        ongoing_.insert_or_assign(*first, snapshot.producer_id);
    }
}

std::vector<ProducerSnapshotEntry> ProducerStates::to_snapshot() const {
    std::vector<ProducerSnapshotEntry> entries;
    map_.for_each([&](types::ProducerId id, const ProducerEntry& entry) {
        entries.push_back(entry.to_snapshot(id));
    });
    return entries;
}

void ProducerStates::complete(const CompletedTransaction& completed) {
    if (ongoing_.erase(completed.first_offset)) {
        unreplicated_.insert_or_assign(completed.first_offset,
                                       {completed.producer_id, completed.marker_offset});
    }
}

types::Offset ProducerStates::last_stable_offset(const CompletedTransaction& completed) const {
    for (const types::Offset first : ongoing_.keys()) {
        if (*ongoing_.find(first) != completed.producer_id) {
            return first;
        }
    }
    return completed.marker_offset.next();
}

void ProducerStates::on_high_watermark(types::Offset high_watermark) {
    if (unreplicated_.empty()) {
        return;
    }
    for (const types::Offset first : unreplicated_.keys()) {
        if (unreplicated_.find(first)->marker_offset < high_watermark) {
            unreplicated_.erase(first);
        }
    }
}

void ProducerStates::on_log_start(types::Offset log_start) {
    on_high_watermark(log_start);
    map_end_ = std::max(map_end_, log_start);
}

void ProducerStates::forget_below(types::Offset log_start) {
    for (const types::ProducerId id : map_.keys()) {
        const ProducerEntry& entry = *map_.find(id);
        const auto last = entry.last_offset();
        if (!entry.open_transaction() && (!last || *last < log_start)) {
            map_.erase(id);
        }
    }
}

std::optional<types::Offset> ProducerStates::first_unstable_offset() const {
    std::optional<types::Offset> first = first_undecided_offset();
    if (const auto* unreplicated = unreplicated_.first()) {
        first = first ? std::min(*first, unreplicated->first) : unreplicated->first;
    }
    return first;
}

std::optional<types::Offset> ProducerStates::first_undecided_offset() const {
    const auto* first = ongoing_.first();
    return first == nullptr ? std::nullopt : std::optional(first->first);
}

bool ProducerStates::has_late_transaction(std::int64_t now_ms,
                                          std::int64_t transaction_timeout_max_ms) const {
    constexpr std::int64_t kBufferMs = 5LL * 60 * 1000;
    const auto* first = ongoing_.first();
    const ProducerEntry* owner = first == nullptr ? nullptr : map_.find(first->second);
    return owner != nullptr && owner->last_timestamp() > 0 &&
           now_ms - owner->last_timestamp() > transaction_timeout_max_ms + kBufferMs;
}

std::uint64_t ProducerStates::remove_expired(std::int64_t now_ms, std::int64_t expiration_ms) {
    verification_.remove_expired(now_ms, expiration_ms);
    std::uint64_t removed = 0;
    for (const types::ProducerId id : map_.keys()) {
        const ProducerEntry& entry = *map_.find(id);
        if (!entry.open_transaction() && now_ms - entry.last_timestamp() >= expiration_ms) {
            map_.erase(id);
            ++removed;
        }
    }
    return removed;
}

}  // namespace klab::storage
