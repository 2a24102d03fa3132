// SPDX-License-Identifier: Apache-2.0
//
// See producer_state.h.
#include "model/storage/producer_state.h"

#include <algorithm>

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

bool ProducerAppend::is_next(const ProducerBatch& batch) const {
    if (!entry_.epoch_) {
        return true;  // unknown, perhaps expired: any sequence may come first (KIP-360)
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
    }
    return std::nullopt;
}

std::optional<AppendError> ProducerAppend::add_marker(const MarkerBatch& batch) {
    if (const auto fenced = check_epoch(batch.epoch)) {
        return fenced;
    }
    const std::int32_t coordinator_epoch = batch.marker.coordinator_epoch;
    const bool is_stale =
        entry_.coordinator_epoch_ && coordinator_epoch < *entry_.coordinator_epoch_;
    if (is_stale && origin_ != AppendOrigin::kReplication) {
        return AppendError::kTransactionCoordinatorFenced;
    }
    entry_.raise_epoch(batch.epoch);
    if (entry_.open_transaction_) {
        completed_ = CompletedTransaction{
            id_, *entry_.open_transaction_, batch.offset, batch.marker.type == ControlType::kAbort};
    }
    entry_.open_transaction_.reset();
    entry_.coordinator_epoch_ = coordinator_epoch;
    entry_.last_timestamp_ = batch.timestamp;
    return std::nullopt;
}

std::optional<AppendError> ProducerAppend::add(const RecordBatchView& batch) {
    const auto epoch = batch.producer_epoch();
    if (!epoch) {
        return AppendError::kInvalidRecord;
    }
    if (batch.is_control()) {
        const auto marker = parse_end_transaction_marker(batch);
        // An empty control batch is what compaction leaves of a marker: it changes nothing.
        return marker ? add_marker({*epoch, *marker, batch.base_offset(), batch.max_timestamp()})
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
    return ProducerAppend(id, entry == nullptr ? ProducerEntry{} : *entry, origin);
}

void ProducerStates::apply(const ProducerAppend& append) {
    map_.insert_or_assign(append.id(), append.entry());
}

void ProducerStates::replay(const RecordBatchView& batch) {
    const auto id = batch.producer_id();
    if (!id) {
        return;
    }
    ProducerAppend append = prepare(*id, AppendOrigin::kReplication);
    // What a leader took cannot be refused here; a batch that makes no sense changes nothing.
    if (!append.add(batch)) {
        apply(append);
    }
}

std::uint64_t ProducerStates::remove_expired(std::int64_t now_ms, std::int64_t expiration_ms) {
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
