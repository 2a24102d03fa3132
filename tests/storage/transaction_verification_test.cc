// SPDX-License-Identifier: Apache-2.0
//
// Verification of transactions and the epochs of their markers: rows P30, P31 and U50 of Kafka's
// own cases (ProducerStateManagerTest, UnifiedLogTest), and the rules of transactions version 2.
#include "model/storage/transaction_verification.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/storage/producer_driver.h"
#include "tests/storage/transaction_fixture.h"

namespace klab::storage {
namespace {

using types::ProducerEpoch;
using types::ProducerId;

VerificationRequest asked(std::int32_t sequence, std::int16_t epoch, bool bumps = false) {
    return {ProducerId(1), sequence, ProducerEpoch(epoch), bumps};
}

class VerificationRows : public ProducerDriver {
  protected:
    VerificationGuard start(std::int32_t sequence, std::int16_t epoch, bool bumps = false) {
        return states_.start_verification(asked(sequence, epoch, bumps), now_ms_);
    }

    [[nodiscard]] const VerificationEntry* waiting() const {
        return states_.verification().find(ProducerId(1));
    }
};

TEST_F(VerificationRows, P30_LowestSequenceOfTheNewestEpoch) {
    const VerificationGuard guard = start(1, 0);
    EXPECT_EQ(waiting()->lowest_sequence, 1);
    EXPECT_EQ(start(0, 0), guard) << "an entry is used again";
    EXPECT_EQ(waiting()->lowest_sequence, 0);
    EXPECT_EQ(start(2, 1), guard);
    EXPECT_EQ(waiting()->lowest_sequence, 2);
    EXPECT_EQ(waiting()->epoch, ProducerEpoch(1));
    EXPECT_EQ(start(0, 0), guard);
    EXPECT_EQ(waiting()->lowest_sequence, 2) << "an older epoch says nothing";
    EXPECT_EQ(waiting()->epoch, ProducerEpoch(1));
}

TEST_F(VerificationRows, P31_HigherSequenceThanTheOneThatWaits) {
    start(0, 0);
    const VerificationEntry before = *waiting();
    EXPECT_EQ(data(0, 4, true), AppendError::kOutOfOrderSequence);
    EXPECT_EQ(*waiting(), before);
}

TEST_F(VerificationRows, EntryExpires) {
    start(0, 0);
    now_ms_ += kExpirationMs / 2;
    states_.remove_expired(now_ms_, kExpirationMs);
    EXPECT_NE(waiting(), nullptr);
    now_ms_ += kExpirationMs / 2 + 1;
    states_.remove_expired(now_ms_, kExpirationMs);
    EXPECT_EQ(waiting(), nullptr);
}

TEST_F(VerificationRows, ProducerThatBumpsEpochsStartsAtZero) {
    // Without state any sequence is taken (KIP-360), but such a producer has lost something.
    start(5, 0, true);
    EXPECT_EQ(data(0, 5, true), AppendError::kOutOfOrderSequence);
    start(0, 0, true);
    EXPECT_EQ(data(0, 0, true), std::nullopt);
}

/// A marker of a coordinator that raises the epoch before it writes one.
std::optional<AppendError> bumped_marker(ProducerStates& states,
                                         std::int16_t epoch,
                                         std::int64_t offset) {
    ProducerAppend append = states.prepare(ProducerId(1), AppendOrigin::kCoordinator);
    const auto refusal = append.add_marker(
        {ProducerEpoch(epoch), {ControlType::kCommit, 0}, types::Offset(offset), 0, true});
    if (!refusal) {
        states.apply(append);
        if (append.completed()) {
            states.complete(*append.completed());
        }
    }
    return refusal;
}

TEST_F(VerificationRows, MarkerOfABumpedEpochLiesAboveTheData) {
    ASSERT_EQ(data(0, 0, true, 1, 5), std::nullopt);
    EXPECT_EQ(bumped_marker(states_, 5, 1), AppendError::kInvalidProducerEpoch)
        << "that one belongs to the transaction before";
    EXPECT_EQ(undecided(), 0);
    EXPECT_EQ(bumped_marker(states_, 6, 1), std::nullopt);
    EXPECT_EQ(undecided(), -1);
    EXPECT_EQ(bumped_marker(states_, 6, 2), std::nullopt) << "a repetition";
    EXPECT_EQ(bumped_marker(states_, 5, 3), AppendError::kInvalidProducerEpoch);
}

TEST_F(VerificationRows, LastEpochOfAllEndsItsOwnTransaction) {
    constexpr std::int16_t kLast = std::numeric_limits<std::int16_t>::max();
    ASSERT_EQ(data(0, 0, true, 1, kLast), std::nullopt);
    EXPECT_EQ(bumped_marker(states_, kLast, 1), std::nullopt);
    EXPECT_EQ(undecided(), -1);
}

class VerifiedLog : public TransactionTest {
  protected:
    VerifiedLog() { options_.config.verifies_transactions = true; }

    /// Appends a batch of a transaction and shows the guard.
    std::optional<AppendError> append(const Bytes& batch, VerificationGuard guard) {
        LeaderAppend request{batch, types::LeaderEpoch(0)};
        request.guard = guard;
        const auto done = log_.append_as_leader(port(), rules_, request);
        return done ? std::nullopt : std::optional(done.error().error);
    }

    VerificationGuard start(std::int32_t sequence, std::int16_t epoch, bool bumps = false) {
        const auto guard = log_.start_verification(asked(sequence, epoch, bumps), now_ms_);
        EXPECT_TRUE(guard.ok());
        return *guard;
    }

    [[nodiscard]] bool is_waiting() const {
        return log_.producers().verification().find(ProducerId(1)) != nullptr;
    }
};

constexpr std::optional<AppendError> kTaken = std::nullopt;

TEST_F(VerifiedLog, U50_FirstBatchNeedsTheGuard) {
    open();
    const Bytes first = transactional_batch_of(1, 0, 0, 2);
    EXPECT_EQ(append(first, {}), AppendError::kInvalidTxnState);
    const VerificationGuard guard = start(0, 0);
    EXPECT_NE(guard, VerificationGuard{});
    EXPECT_EQ(append(first, {}), AppendError::kInvalidTxnState);
    EXPECT_EQ(append(first, VerificationGuard{guard.number + 1}), AppendError::kInvalidTxnState);
    EXPECT_EQ(append(first, guard), kTaken);
    EXPECT_FALSE(is_waiting()) << "once the transaction is open nobody needs to ask";
    EXPECT_EQ(start(2, 0), VerificationGuard{});
    EXPECT_EQ(append(transactional_batch_of(1, 0, 2, 1), {}), kTaken);
}

TEST_F(VerifiedLog, U50_MarkerMakesTheGuardVoid) {
    // The answer of the coordinator comes after the transaction was aborted.
    open();
    const VerificationGuard guard = start(0, 0);
    ASSERT_TRUE(lead_marker(marker_of(ControlType::kAbort, 1, 0)).ok());
    EXPECT_FALSE(is_waiting());
    EXPECT_EQ(append(transactional_batch_of(1, 0, 0, 1), guard), AppendError::kInvalidTxnState);
    const VerificationGuard next = start(0, 0);
    EXPECT_NE(next, guard);
    EXPECT_EQ(append(transactional_batch_of(1, 0, 0, 1), guard), AppendError::kInvalidTxnState);
    EXPECT_EQ(append(transactional_batch_of(1, 0, 0, 1), next), kTaken);
}

TEST_F(VerifiedLog, U50_MarkerOfTheTransactionBeforeLeavesTheGuard) {
    // Transactions version 2: the next transaction, under the next epoch, has started already.
    open();
    const VerificationGuard guard = start(0, 1, true);
    LeaderAppend late{{}, types::LeaderEpoch(0), AppendOrigin::kCoordinator};
    const Bytes marker = marker_of(ControlType::kCommit, 1, 1);
    late.records = marker;
    late.has_bumped_epoch = true;
    ASSERT_TRUE(log_.append_as_leader(port(), rules_, late).ok());
    EXPECT_TRUE(is_waiting());
    EXPECT_EQ(append(transactional_batch_of(1, 1, 0, 1), guard), kTaken);
}

TEST_F(VerifiedLog, U50_FencedProducerIsToldSo) {
    open();
    ASSERT_TRUE(lead_marker(marker_of(ControlType::kAbort, 1, 5)).ok());
    EXPECT_EQ(log_.start_verification(asked(0, 4), now_ms_).error(),
              AppendError::kInvalidProducerEpoch);
    EXPECT_EQ(append(transactional_batch_of(1, 4, 0, 1), {}), AppendError::kInvalidProducerEpoch);
}

TEST_F(VerifiedLog, U50_PlainRecordsAndFollowersNeedNoGuard) {
    open();
    ASSERT_TRUE(lead(idempotent_batch_of(2, 0, 0, {"a"})).ok());
    plain(1);
    ASSERT_TRUE(follow(placed(transactional_batch_of(1, 0, 0, 1), 2, 0)).ok());
    EXPECT_EQ(end(), 3);
}

}  // namespace
}  // namespace klab::storage
