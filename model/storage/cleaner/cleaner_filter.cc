// SPDX-License-Identifier: Apache-2.0
//
// See cleaner_filter.h.
#include "model/storage/cleaner/cleaner_filter.h"

namespace klab::storage::cleaner {

namespace {

bool has_passed(const std::optional<std::int64_t>& horizon, std::int64_t now_ms) {
    return horizon && *horizon <= now_ms;
}

}  // namespace

Result<BatchVerdict, BatchError> CleanerFilter::judge(const RecordBatchView& batch) {
    const auto discardable = transactions_->on_batch(batch);
    if (!discardable) {
        return Error{discardable.error()};
    }
    // Readers that have seen the start of the transaction get time to see its end (KIP-534).
    discards_records_ = *discardable && (!batch.is_control() || has_passed(batch.delete_horizon(),
                                                                           judgement_.time.now_ms));
    BatchVerdict verdict;
    verdict.is_marker_of_empty_transaction = *discardable && batch.is_control();
    if (is_last_of_its_producer(batch) || batch.next_offset() == judgement_.upper_bound) {
        verdict.retention = BatchRetention::kRetainEmpty;
    } else if (discards_records_) {
        verdict.retention = BatchRetention::kDelete;
    }
    return verdict;
}

bool CleanerFilter::is_last_of_its_producer(const RecordBatchView& batch) const {
    const auto id = batch.producer_id();
    const auto last = id ? judgement_.producers.find(*id) : judgement_.producers.end();
    if (last == judgement_.producers.end()) {
        return false;
    }
    if (const auto& offset = last->second.data_offset) {
        return batch.last_offset() == *offset;
    }
    // A marker came after the last data and raised the epoch: without it an old producer, fenced
    // by it, could write again.
    return batch.is_control() && batch.producer_epoch() == last->second.epoch;
}

bool CleanerFilter::retains(const RecordBatchView& batch, const RecordView& record) {
    if (discards_records_) {
        return false;
    }
    // Without this rule a plain record whose key has the bytes of a marker's key supersedes the
    // marker, and the transaction looks open for ever (KAFKA-14055).
    if (batch.is_control() && judgement_.rules.cleaner_spares_markers) {
        return true;
    }
    return is_current(batch, record);
}

bool CleanerFilter::is_current(const RecordBatchView& batch, const RecordView& record) {
    const auto latest = judgement_.map.latest_offset();
    if (!latest || record.offset > *latest) {
        return true;
    }
    if (!record.key) {
        ++invalid_records_;
        return false;
    }
    const auto newest = judgement_.map.find(*record.key);
    if (newest && record.offset < *newest) {
        return false;
    }
    if (newest && judgement_.rules.mutated(types::Mutant::kCleanerDropsLatest)) {
        return false;
    }
    return record.value || !has_passed(batch.delete_horizon(), judgement_.time.now_ms);
}

}  // namespace klab::storage::cleaner
