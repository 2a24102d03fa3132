// SPDX-License-Identifier: Apache-2.0
//
// Sequences of an idempotent producer by themselves: rows 50 and 55 of the client vectors, which
// need answers out of order, and the rules of draining, splitting and bumping.
// Kafka: TransactionManagerTest; KIP-360.
#include "model/client/idempotence.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace klab::client {
namespace {

using types::ErrorCode;

Idempotence with_id() {
    Idempotence idempotence(true);
    idempotence.set_id(types::ProducerId(1000), types::ProducerEpoch(0));
    return idempotence;
}

ProducerBatch batch_of(std::int32_t count, std::int32_t partition = 0) {
    ProducerBatch batch;
    batch.partition = partition;
    batch.records.resize(static_cast<std::size_t>(count));
    return batch;
}

ProducerBatch sent(Idempotence& idempotence, std::int32_t count, std::int32_t partition = 0) {
    ProducerBatch batch = batch_of(count, partition);
    EXPECT_TRUE(idempotence.may_drain(batch));
    idempotence.stamp(batch);
    return batch;
}

TEST(ProducerVectors, R50_AnEarlierAckDoesNotLowerTheSequence) {
    Idempotence idempotence = with_id();
    const ProducerBatch first = sent(idempotence, 1);
    const ProducerBatch second = sent(idempotence, 1);
    idempotence.on_acked(second, types::Offset(1));
    EXPECT_EQ(idempotence.last_acked_sequence(0), 1);
    idempotence.on_acked(first, types::Offset(0));
    EXPECT_EQ(idempotence.last_acked_sequence(0), 1);
}

TEST(ProducerVectors, R55_ADuplicateDoesNotLowerTheSequenceEither) {
    Idempotence idempotence = with_id();
    const ProducerBatch first = sent(idempotence, 1);
    const ProducerBatch second = sent(idempotence, 1);
    idempotence.on_acked(second, types::Offset(1000));
    idempotence.on_acked(first, std::nullopt);
    EXPECT_EQ(idempotence.last_acked_sequence(0), 1);
    EXPECT_EQ(idempotence.next_sequence(0), 2);
}

TEST(Idempotence, NothingIsDrainedWithoutAnId) {
    Idempotence idempotence(true);
    EXPECT_TRUE(idempotence.needs_id());
    EXPECT_FALSE(idempotence.may_drain(batch_of(1)));
    idempotence.set_id(types::ProducerId(1), types::ProducerEpoch(0));
    EXPECT_FALSE(idempotence.needs_id());
    EXPECT_TRUE(idempotence.may_drain(batch_of(1)));
}

TEST(Idempotence, SwitchedOffItStampsNothing) {
    Idempotence idempotence(false);
    ProducerBatch batch = batch_of(1);
    EXPECT_TRUE(idempotence.may_drain(batch));
    idempotence.stamp(batch);
    EXPECT_EQ(batch.stamp, std::nullopt);
    EXPECT_FALSE(idempotence.can_retry(batch, ErrorCode::kOutOfOrderSequenceNumber, {}));
    EXPECT_TRUE(idempotence.can_retry(batch, ErrorCode::kNotLeaderOrFollower, {}));
}

TEST(Idempotence, ABatchTakesAsManySequencesAsRecords) {
    Idempotence idempotence = with_id();
    EXPECT_EQ(sent(idempotence, 3).base_sequence(), 0);
    EXPECT_EQ(sent(idempotence, 2).base_sequence(), 3);
    EXPECT_EQ(sent(idempotence, 1, 1).base_sequence(), 0);
    EXPECT_EQ(idempotence.next_sequence(0), 5);
    EXPECT_EQ(idempotence.next_sequence(1), 1);
}

TEST(Idempotence, SequencesWrapToZero) {
    EXPECT_EQ(sequence_after(2147483647, 1), 0);
    EXPECT_EQ(sequence_after(2147483646, 1), 2147483647);
    EXPECT_EQ(sequence_after(2147483645, 5), 2);
}

TEST(Idempotence, ARepeatedBatchGoesOnlyAsTheFirstInFlight) {
    Idempotence idempotence = with_id();
    const ProducerBatch first = sent(idempotence, 1);
    const ProducerBatch second = sent(idempotence, 1);
    EXPECT_TRUE(idempotence.may_drain(first));
    EXPECT_FALSE(idempotence.may_drain(second));
    EXPECT_TRUE(idempotence.may_drain(batch_of(1)));
    idempotence.on_acked(first, types::Offset(0));
    EXPECT_TRUE(idempotence.may_drain(second));
}

TEST(Idempotence, AnUnresolvedPartitionTakesNoNewBatch) {
    Idempotence idempotence = with_id();
    const ProducerBatch first = sent(idempotence, 1);
    const ProducerBatch second = sent(idempotence, 1);
    idempotence.on_expired_in_retry(first);
    idempotence.on_failed(first, ErrorCode::kRequestTimedOut, false);
    EXPECT_FALSE(idempotence.may_drain(batch_of(1)));
    EXPECT_TRUE(idempotence.may_drain(batch_of(1, 1)));
    EXPECT_TRUE(idempotence.may_drain(second));
    idempotence.resolve_sequences();
    EXPECT_TRUE(idempotence.is_unresolved(0));
    idempotence.on_acked(second, types::Offset(1));
    idempotence.resolve_sequences();
    EXPECT_FALSE(idempotence.is_unresolved(0));
    EXPECT_TRUE(idempotence.bump_epoch_if_needed().empty());
    EXPECT_EQ(idempotence.epoch().value(), 0);
}

TEST(Idempotence, AGapFurtherBehindAnUnresolvedSequenceWaits) {
    // 1.9: only the batch right behind the unresolved one proves the gap.
    Idempotence idempotence = with_id();
    const ProducerBatch first = sent(idempotence, 1);
    static_cast<void>(sent(idempotence, 1));
    const ProducerBatch third = sent(idempotence, 1);
    idempotence.on_expired_in_retry(first);
    idempotence.on_failed(first, ErrorCode::kRequestTimedOut, false);
    EXPECT_TRUE(idempotence.can_retry(third, ErrorCode::kOutOfOrderSequenceNumber, {}));
    EXPECT_TRUE(idempotence.bump_epoch_if_needed().empty());
    EXPECT_EQ(idempotence.epoch().value(), 0);
}

TEST(Idempotence, ABumpRewritesWhatIsInFlight) {
    Idempotence idempotence = with_id();
    const ProducerBatch first = sent(idempotence, 2);
    static_cast<void>(sent(idempotence, 3));
    static_cast<void>(sent(idempotence, 1));
    idempotence.on_failed(first, ErrorCode::kInvalidRecord, true);
    const RewrittenSequences rewritten = idempotence.bump_epoch_if_needed();
    ASSERT_EQ(rewritten.size(), 1U);
    const types::ProducerId id(1000);
    const types::ProducerEpoch epoch(1);
    EXPECT_EQ(
        rewritten.at(0),
        (std::map<std::int32_t, storage::ProducerStamp>{{2, {id, epoch, 0}}, {5, {id, epoch, 3}}}));
    EXPECT_EQ(idempotence.next_sequence(0), 4);
    EXPECT_EQ(idempotence.last_acked_sequence(0), std::nullopt);
}

TEST(Idempotence, AFailureThatProvesNothingBumpsNothing) {
    // Retries used up, or expired: the broker may have it, so the sequence is not given again.
    Idempotence idempotence = with_id();
    const ProducerBatch batch = sent(idempotence, 1);
    idempotence.on_failed(batch, ErrorCode::kNotEnoughReplicas, false);
    EXPECT_TRUE(idempotence.bump_epoch_if_needed().empty());
    EXPECT_EQ(idempotence.epoch().value(), 0);
    EXPECT_EQ(idempotence.next_sequence(0), 1);
}

TEST(Idempotence, AnAnswerToARewrittenStampIsAPlainRetry) {
    Idempotence idempotence = with_id();
    ProducerBatch batch = sent(idempotence, 1);
    batch.rewritten = true;
    EXPECT_TRUE(idempotence.can_retry(batch, ErrorCode::kOutOfOrderSequenceNumber, {}));
    EXPECT_TRUE(idempotence.can_retry(batch, ErrorCode::kUnknownProducerId, types::Offset(5)));
    EXPECT_TRUE(idempotence.bump_epoch_if_needed().empty());
    EXPECT_EQ(idempotence.epoch().value(), 0);
}

TEST(Idempotence, SplitPartsShareTheSequencesOfTheWhole) {
    Idempotence idempotence = with_id();
    const ProducerBatch whole = sent(idempotence, 3);
    std::vector<ProducerBatch> parts = {batch_of(1), batch_of(1), batch_of(1)};
    idempotence.on_split(whole, parts);
    std::vector<std::int32_t> bases;
    for (const ProducerBatch& part : parts) {
        bases.push_back(*part.base_sequence());
    }
    EXPECT_EQ(bases, (std::vector<std::int32_t>{0, 1, 2}));
    EXPECT_EQ(idempotence.next_sequence(0), 3);
    EXPECT_TRUE(idempotence.may_drain(parts[0]));
    EXPECT_FALSE(idempotence.may_drain(parts[1]));
}

TEST(Idempotence, TheLastEpochAsksForANewId) {
    Idempotence idempotence(true);
    idempotence.set_id(types::ProducerId(7), types::ProducerEpoch(INT16_MAX));
    const ProducerBatch batch = sent(idempotence, 1);
    EXPECT_TRUE(idempotence.can_retry(batch, ErrorCode::kOutOfOrderSequenceNumber, {}));
    EXPECT_TRUE(idempotence.bump_epoch_if_needed().empty());
    EXPECT_TRUE(idempotence.needs_id());
    EXPECT_FALSE(idempotence.may_drain(batch));
    idempotence.set_id(types::ProducerId(8), types::ProducerEpoch(0));
    EXPECT_EQ(idempotence.next_sequence(0), 0);
}

TEST(Idempotence, BeforeKip360AGapIsTheEndOfTheBatchAndOfTheId) {
    Idempotence idempotence(true, false);
    idempotence.set_id(types::ProducerId(1000), types::ProducerEpoch(0));
    const ProducerBatch first = sent(idempotence, 1);
    idempotence.on_acked(first, types::Offset(0));
    const ProducerBatch next = sent(idempotence, 1);
    const ProducerBatch later = sent(idempotence, 1);
    EXPECT_TRUE(idempotence.can_retry(later, ErrorCode::kOutOfOrderSequenceNumber, std::nullopt))
        << "an earlier batch is on its way";
    EXPECT_FALSE(idempotence.can_retry(next, ErrorCode::kOutOfOrderSequenceNumber, std::nullopt));
    idempotence.on_failed(next, ErrorCode::kOutOfOrderSequenceNumber, true);
    EXPECT_TRUE(idempotence.needs_id());
    EXPECT_TRUE(idempotence.bump_epoch_if_needed().empty());
    idempotence.set_id(types::ProducerId(1001), types::ProducerEpoch(0));
    EXPECT_EQ(idempotence.next_sequence(0), 0);
}

}  // namespace
}  // namespace klab::client
