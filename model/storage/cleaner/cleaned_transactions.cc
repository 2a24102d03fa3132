// SPDX-License-Identifier: Apache-2.0
//
// See cleaned_transactions.h.
#include "model/storage/cleaner/cleaned_transactions.h"

#include "model/storage/control_record.h"
#include "model/storage/record.h"

namespace klab::storage::cleaner {

void CleanedTransactions::add_aborted(std::span<const AbortedTransaction> aborted) {
    for (const AbortedTransaction& transaction : aborted) {
        expected_.emplace(transaction.first_offset, transaction);
    }
}

Result<bool, BatchError> CleanedTransactions::on_batch(const RecordBatchView& batch) {
    begin_up_to(batch.last_offset());
    return batch.is_control() ? on_control(batch) : Result<bool, BatchError>(on_data(batch));
}

void CleanedTransactions::begin_up_to(types::Offset offset) {
    while (!expected_.empty() && expected_.begin()->first <= offset) {
        const AbortedTransaction& transaction = expected_.begin()->second;
        open_aborts_.try_emplace(transaction.producer_id, OpenAbort{transaction});
        expected_.erase(expected_.begin());
    }
}

bool CleanedTransactions::on_data(const RecordBatchView& batch) {
    const auto producer = batch.producer_id();
    if (!batch.is_transactional() || !producer) {
        return false;
    }
    const auto open = open_aborts_.find(*producer);
    if (open != open_aborts_.end()) {
        open->second.was_data_seen = true;
        return true;
    }
    open_commits_.insert(*producer);
    return false;
}

Result<bool, BatchError> CleanedTransactions::on_control(const RecordBatchView& batch) {
    RecordIterator records(batch);
    const auto record = records.next();
    if (!record) {
        if (records.error()) {
            return Error{*records.error()};
        }
        return true;
    }
    const auto parsed = record->key ? parse_control_type(*record->key) : std::nullopt;
    if (!parsed) {
        return Error{BatchError::kMalformedRecord};
    }
    const ControlType type = *parsed;
    const auto producer = batch.producer_id();
    if (producer && type == ControlType::kAbort) {
        return on_abort_marker(*producer);
    }
    if (producer && type == ControlType::kCommit) {
        return open_commits_.erase(*producer) == 0;
    }
    return false;
}

bool CleanedTransactions::on_abort_marker(types::ProducerId producer) {
    const auto open = open_aborts_.extract(producer);
    if (open.empty() || !open.mapped().was_data_seen) {
        return true;
    }
    kept_.push_back(open.mapped().transaction);
    return false;
}

}  // namespace klab::storage::cleaner
