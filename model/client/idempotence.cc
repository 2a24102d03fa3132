// SPDX-License-Identifier: Apache-2.0
//
// Idempotence: sequences given, acknowledged, rewritten.
#include "model/client/idempotence.h"

#include <algorithm>

namespace klab::client {

using types::ErrorCode;

void Idempotence::set_id(types::ProducerId id, types::ProducerEpoch epoch) {
    id_ = id;
    epoch_ = epoch;
    for (auto& [partition, entry] : partitions_) {
        entry = Entry{};
        entry.epoch = epoch;
    }
}

bool Idempotence::may_drain(const ProducerBatch& batch) const {
    if (!enabled_) {
        return true;
    }
    if (!id_) {
        return false;
    }
    const auto found = partitions_.find(batch.partition);
    if (!batch.stamp) {
        const bool stale_in_flight = found != partitions_.end() && found->second.epoch != epoch_ &&
                                     !found->second.in_flight.empty();
        return !stale_in_flight && !unresolved_.contains(batch.partition);
    }
    // A retry: in order, one at a time.
    return found == partitions_.end() || found->second.in_flight.empty() ||
           found->second.in_flight.begin()->base == batch.base_sequence();
}

void Idempotence::stamp(ProducerBatch& batch) {
    if (!enabled_ || batch.stamp) {
        return;
    }
    Entry& entry = partitions_[batch.partition];
    if (entry.epoch != epoch_ && entry.in_flight.empty()) {
        // The partition takes over the bumped epoch once its old batches are through.
        entry = Entry{};
        entry.epoch = epoch_;
    }
    batch.stamp = storage::ProducerStamp{*id_, entry.epoch, entry.next_sequence};
    entry.in_flight.insert({entry.next_sequence, batch.count()});
    entry.next_sequence = sequence_after(entry.next_sequence, batch.count());
}

void Idempotence::forget(const ProducerBatch& batch) {
    if (const auto base = batch.base_sequence()) {
        partitions_[batch.partition].in_flight.erase({*base, batch.count()});
    }
}

void Idempotence::on_acked(const ProducerBatch& batch, std::optional<types::Offset> base_offset) {
    if (!enabled_ || !batch.base_sequence()) {
        return;
    }
    forget(batch);
    on_late_ack(batch, base_offset);
}

void Idempotence::on_late_ack(const ProducerBatch& batch,
                              std::optional<types::Offset> base_offset) {
    if (!enabled_ || !batch.base_sequence()) {
        return;
    }
    Entry& entry = partitions_[batch.partition];
    const std::int32_t last = sequence_after(*batch.base_sequence(), batch.count() - 1);
    if (!entry.last_acked || last > *entry.last_acked) {
        entry.last_acked = last;
    }
    if (base_offset) {
        const types::Offset last_offset = *base_offset + (batch.count() - 1);
        if (!entry.last_acked_offset || last_offset > *entry.last_acked_offset) {
            entry.last_acked_offset = last_offset;
        }
    }
}

void Idempotence::request_bump(std::int32_t partition) {
    bump_required_ = true;
    rewrite_.insert(partition);
}

bool Idempotence::can_retry(const ProducerBatch& batch,
                            ErrorCode error,
                            std::optional<types::Offset> log_start) {
    if (!enabled_ || !batch.base_sequence()) {
        return types::is_retriable(error);
    }
    const Entry& entry = partitions_[batch.partition];
    if (error == ErrorCode::kUnknownProducerId) {
        if (!log_start || batch.rewritten) {
            return true;
        }
        // Retention took the broker's state (KAFKA-5793), or it never was there: begin anew.
        request_bump(batch.partition);
        return true;
    }
    if (error == ErrorCode::kOutOfOrderSequenceNumber) {
        const std::int32_t expected = entry.last_acked ? sequence_after(*entry.last_acked, 1) : 0;
        const bool is_next = *batch.base_sequence() == expected;
        const auto unresolved = unresolved_.find(batch.partition);
        if (unresolved == unresolved_.end() && (batch.rewritten || !is_next)) {
            return true;  // sent under another stamp, or an earlier batch is on its way
        }
        if (!bumps_epoch_) {
            return false;  // no retriable error
        }
        if (unresolved == unresolved_.end() || unresolved->second == *batch.base_sequence()) {
            request_bump(batch.partition);
        }
        return true;
    }
    return types::is_retriable(error);
}

void Idempotence::on_failed(const ProducerBatch& batch, ErrorCode error, bool definite) {
    if (!enabled_) {
        return;
    }
    forget(batch);
    if (!batch.base_sequence()) {
        return;
    }
    if (error == ErrorCode::kOutOfOrderSequenceNumber && !bumps_epoch_) {
        id_.reset();  // TransactionManager.resetProducerId
    } else if (error == ErrorCode::kOutOfOrderSequenceNumber) {
        request_bump(batch.partition);
    } else if (error == ErrorCode::kUnknownProducerId) {
        Entry& entry = partitions_[batch.partition];
        entry.next_sequence = 0;
        entry.last_acked.reset();
    } else if (definite) {
        // The log has a gap where this batch should be: the ones behind it must move up.
        request_bump(batch.partition);
    }
}

void Idempotence::on_expired_in_retry(const ProducerBatch& batch) {
    if (!enabled_ || !batch.base_sequence()) {
        return;
    }
    const std::int32_t after = sequence_after(*batch.base_sequence(), batch.count());
    auto [it, inserted] = unresolved_.emplace(batch.partition, after);
    if (!inserted) {
        it->second = std::max(it->second, after);
    }
}

void Idempotence::on_split(const ProducerBatch& batch, std::vector<ProducerBatch>& parts) {
    if (!enabled_ || !batch.base_sequence()) {
        return;
    }
    forget(batch);
    Entry& entry = partitions_[batch.partition];
    std::int32_t sequence = *batch.base_sequence();
    for (ProducerBatch& part : parts) {
        part.stamp = batch.stamp;
        part.stamp->base_sequence = sequence;
        entry.in_flight.insert({sequence, part.count()});
        sequence = sequence_after(sequence, part.count());
    }
}

void Idempotence::resolve_sequences() {
    for (auto it = unresolved_.begin(); it != unresolved_.end();) {
        const Entry& entry = partitions_[it->first];
        if (!entry.in_flight.empty()) {
            ++it;
            continue;
        }
        const std::int32_t expected = entry.last_acked ? sequence_after(*entry.last_acked, 1) : 0;
        if (entry.next_sequence != expected) {
            request_bump(it->first);
        }
        it = unresolved_.erase(it);
    }
}

RewrittenSequences Idempotence::bump_epoch_if_needed() {
    RewrittenSequences rewritten;
    if (!bump_required_ || !id_) {
        return rewritten;
    }
    bump_required_ = false;
    if (epoch_.value() == INT16_MAX) {
        id_.reset();  // a new id is fetched; stamps are given again with it
        rewrite_.clear();
        return rewritten;
    }
    epoch_ = epoch_.next();
    for (const std::int32_t partition : rewrite_) {
        Entry& entry = partitions_[partition];
        std::set<InFlight> moved;
        std::int32_t sequence = 0;
        for (const InFlight& batch : entry.in_flight) {
            rewritten[partition][batch.base] = storage::ProducerStamp{*id_, epoch_, sequence};
            moved.insert({sequence, batch.count});
            sequence = sequence_after(sequence, batch.count);
        }
        entry = Entry{};
        entry.epoch = epoch_;
        entry.in_flight = std::move(moved);
        entry.next_sequence = sequence;
        unresolved_.erase(partition);
    }
    rewrite_.clear();
    return rewritten;
}

std::int32_t Idempotence::next_sequence(std::int32_t partition) const {
    const auto found = partitions_.find(partition);
    return found == partitions_.end() ? 0 : found->second.next_sequence;
}

std::optional<std::int32_t> Idempotence::last_acked_sequence(std::int32_t partition) const {
    const auto found = partitions_.find(partition);
    return found == partitions_.end() ? std::nullopt : found->second.last_acked;
}

}  // namespace klab::client
