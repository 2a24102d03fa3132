// SPDX-License-Identifier: Apache-2.0
//
// See transaction_verification.h.
#include "model/storage/transaction_verification.h"

namespace klab::storage {

VerificationGuard TransactionVerification::start(const VerificationRequest& request,
                                                 std::int64_t now_ms) {
    VerificationEntry entry;
    if (const VerificationEntry* known = entries_.find(request.producer_id)) {
        entry = *known;
    } else {
        entry.guard = VerificationGuard{++last_guard_};
        entry.created_ms = now_ms;
        entry.lowest_sequence = request.sequence;
        entry.epoch = request.epoch;
        entry.supports_epoch_bump = request.supports_epoch_bump;
    }
    if (request.epoch == entry.epoch && request.sequence < entry.lowest_sequence) {
        entry.lowest_sequence = request.sequence;
    }
    if (request.epoch > entry.epoch) {
        entry.epoch = request.epoch;
        entry.lowest_sequence = request.sequence;
    }
    entries_.insert_or_assign(request.producer_id, entry);
    return entry.guard;
}

void TransactionVerification::remove_expired(std::int64_t now_ms, std::int64_t expiration_ms) {
    if (entries_.empty()) {
        return;
    }
    for (const types::ProducerId id : entries_.keys()) {
        if (now_ms - entries_.find(id)->created_ms >= expiration_ms) {
            entries_.erase(id);
        }
    }
}

}  // namespace klab::storage
