// SPDX-License-Identifier: Apache-2.0
//
// TransactionVerification: which transactions a leader is asking their coordinator about. The first
// batch of a transaction is written only if the coordinator says that the transaction is open and
// that this partition is part of it: else a batch that was late could start a transaction that
// nobody ends, and read_committed consumers would wait for ever.
//
//     produce request, no open transaction here   start()   -> a guard goes with the question
//     coordinator says yes, the batch is appended           -> the guard must still be the same
//     a batch or marker of that producer was appended end() -> guards from before are void
//
// The guard keeps a yes that is too late apart from one for the next transaction (ABA).
//
// Owns: the entries (volatile).
// Called by: producer_state.cc, log_append.cc.
// Kafka: ProducerStateManager.maybeCreateVerificationStateEntry, VerificationStateEntry,
// VerificationGuard. KIP-890.
#pragma once

#include <cstdint>

#include "model/types/kafka_ids.h"
#include "sim/base/cow_map.h"

namespace klab::storage {

/// What an append shows to prove that its transaction was verified. Kafka compares objects, here
/// they have numbers; 0 is no guard.
struct VerificationGuard {
    std::uint64_t number = 0;

    /// Does it prove anything, and the same as `other`?
    [[nodiscard]] bool proves(const VerificationGuard& other) const {
        return number != 0 && number == other.number;
    }

    friend bool operator==(const VerificationGuard&, const VerificationGuard&) = default;
};

/// A verification that is going on.
struct VerificationEntry {
    VerificationGuard guard;
    std::int64_t created_ms = 0;
    /// Of the batches that wait: a higher one must not be written before it, or it could only be
    /// refused for ever after.
    std::int32_t lowest_sequence = 0;
    types::ProducerEpoch epoch;
    /// The producer gets a new epoch with each transaction (transactions version 2).
    bool supports_epoch_bump = false;

    friend bool operator==(const VerificationEntry&, const VerificationEntry&) = default;
};

/// Whose batch waits for its verification.
struct VerificationRequest {
    types::ProducerId producer_id;
    std::int32_t sequence = 0;
    types::ProducerEpoch epoch;
    bool supports_epoch_bump = false;
};

class TransactionVerification {
  public:
    [[nodiscard]] const VerificationEntry* find(types::ProducerId id) const {
        return entries_.find(id);
    }

    /// The guard of the producer's entry, which is made if it is not there; notes sequence and
    /// epoch in it.
    VerificationGuard start(const VerificationRequest& request, std::int64_t now_ms);

    /// Forgets the producer's entry.
    void end(types::ProducerId id) { entries_.erase(id); }

    /// Forgets entries that were made `expiration_ms` ago or earlier.
    void remove_expired(std::int64_t now_ms, std::int64_t expiration_ms);

    friend bool operator==(const TransactionVerification&,
                           const TransactionVerification&) = default;

  private:
    CowMap<types::ProducerId, VerificationEntry> entries_;
    std::uint64_t last_guard_ = 0;
};

}  // namespace klab::storage
