// SPDX-License-Identifier: Apache-2.0
//
// Rows 43 to 60 and 63 of the client vectors, row by row, with a whole producer against a broker
// that the test plays. Row 57 is about transactions (docs/fidelity.md). Row 50 and the second half
// of row 55 need answers out of order, which one connection cannot give: idempotence_test.cc.
// Kafka: SenderTest.
#include <string>

#include <gtest/gtest.h>

#include "model/protocol/init_producer_id.h"
#include "tests/client/client_rig.h"

namespace klab::client {
namespace {

using types::ErrorCode;

types::SettingMap plain(types::SettingMap config = {}) {
    config.emplace("enable.idempotence", "false");
    return config;
}

TEST(ProducerVectors, R43_ADisconnectIsRetried) {
    ClientRig rig(producer_spec(sends(1), plain({{"retries", "1"}})));
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.on_wire(1), "p0 r0");
    rig.restart(1);
    EXPECT_EQ(rig.on_wire(1), "");
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(1), "p0 r0");
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.outcomes(), "r0@0");
    EXPECT_TRUE(rig.producer().is_done());
}

TEST(ProducerVectors, R44_TwoDisconnectsAreOneTooMany) {
    ClientRig rig(producer_spec(sends(1), plain({{"retries", "1"}})));
    rig.start();
    rig.run(milliseconds(20));
    rig.restart(1);
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(1), "p0 r0");
    EXPECT_EQ(rig.outcomes(), "");
    rig.restart(1);
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(1), "");
    EXPECT_EQ(rig.outcomes(), "r0:NETWORK_EXCEPTION");
}

TEST(ProducerVectors, R45_OneInFlightKeepsTheSecondRecordBack) {
    ClientRig rig(producer_spec(
        sends(2), plain({{"max.in.flight.requests.per.connection", "1"}, {"retries", "1"}})));
    rig.start();
    rig.run(milliseconds(50));
    EXPECT_EQ(rig.on_wire(1), "p0 r0");
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.on_wire(1), "p0 r1");
    rig.answer(1, {.base_offset = 1});
    EXPECT_EQ(rig.outcomes(), "r0@0 r1@1");
}

TEST(ProducerVectors, R46_TwoIdempotentBatchesInFlight) {
    ClientRig rig(producer_spec(sends(2)));
    rig.start();
    rig.run(milliseconds(50));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0, p0 r1 e0 s1");
    EXPECT_EQ(rig.producer().idempotence().next_sequence(0), 2);
    EXPECT_EQ(rig.producer().idempotence().last_acked_sequence(0), std::nullopt);
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.producer().idempotence().last_acked_sequence(0), 0);
    rig.answer(1, {.base_offset = 1});
    EXPECT_EQ(rig.producer().idempotence().last_acked_sequence(0), 1);
    EXPECT_EQ(rig.outcomes(), "r0@0 r1@1");
}

TEST(ProducerVectors, R47_RetriesGoInOrderOneAtATime) {
    ClientRig rig(producer_spec(sends(4, milliseconds(20))));
    rig.start();
    rig.run(milliseconds(46));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0, p0 r1 e0 s1, p0 r2 e0 s2");
    rig.answer(1, {.error = ErrorCode::kLeaderNotAvailable});
    rig.answer(1, {.error = ErrorCode::kOutOfOrderSequenceNumber});
    rig.answer(1, {.error = ErrorCode::kOutOfOrderSequenceNumber});
    rig.run(milliseconds(20));
    // The fourth record is there by now and waits behind them, without a sequence.
    EXPECT_EQ(rig.on_wire(1), "");
    EXPECT_EQ(rig.producer().accumulator().queued(0), 4U);
    EXPECT_EQ(rig.producer().idempotence().next_sequence(0), 3);
    rig.run(milliseconds(100));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0");
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e0 s1");
    EXPECT_EQ(rig.producer().idempotence().next_sequence(0), 3);
    rig.answer(1, {.base_offset = 1});
    EXPECT_EQ(rig.on_wire(1), "p0 r2 e0 s2, p0 r3 e0 s3");
    rig.answer(1, {.base_offset = 2});
    rig.answer(1, {.base_offset = 3});
    EXPECT_EQ(rig.outcomes(), "r0@0 r1@1 r2@2 r3@3");
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 0);
}

TEST(ProducerVectors, R48_TheSecondTakesThePlaceOfAFirstThatFailed) {
    ClientRig rig(producer_spec(sends(2)));
    rig.start();
    rig.run(milliseconds(50));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0, p0 r1 e0 s1");
    rig.answer(1, {.error = ErrorCode::kMessageTooLarge});
    EXPECT_EQ(rig.outcomes(), "r0:MESSAGE_TOO_LARGE");
    EXPECT_EQ(rig.producer().idempotence().last_acked_sequence(0), std::nullopt);
    rig.answer(1, {.error = ErrorCode::kOutOfOrderSequenceNumber});
    EXPECT_EQ(rig.outcomes(), "r0:MESSAGE_TOO_LARGE");
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e1 s0");
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.outcomes(), "r0:MESSAGE_TOO_LARGE r1@0");
    EXPECT_EQ(rig.producer().idempotence().last_acked_sequence(0), 0);
}

TEST(ProducerVectors, R49_AGapAtTheNextBatchBumpsTheEpoch) {
    ClientRig rig(producer_spec(sends(1)));
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0");
    rig.answer(1, {.error = ErrorCode::kOutOfOrderSequenceNumber});
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 1);
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e1 s0");
    EXPECT_EQ(rig.producer().idempotence().next_sequence(0), 1);
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.outcomes(), "r0@0");
}

TEST(ProducerVectors, R49_ASecondGapBumpsItAgain) {
    // The batch was sent with its new stamp, so the answer speaks of that one.
    ClientRig rig(producer_spec(sends(1)));
    rig.start();
    rig.run(milliseconds(20));
    rig.answer(1, {.error = ErrorCode::kOutOfOrderSequenceNumber});
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e1 s0");
    rig.answer(1, {.error = ErrorCode::kOutOfOrderSequenceNumber});
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 2);
    rig.run(milliseconds(400));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e2 s0");
}

TEST(ProducerVectors, R51_ABatchThatExpiresUnsentLeavesNoTrace) {
    ClientRig rig(
        producer_spec(sends(1), {{"delivery.timeout.ms", "1500"}, {"request.timeout.ms", "1500"}}));
    rig.set_leaders({{std::nullopt, 0}});
    rig.start();
    rig.run(milliseconds(1490));
    EXPECT_EQ(rig.outcomes(), "");
    rig.run(milliseconds(30));
    EXPECT_EQ(rig.outcomes(), "r0:REQUEST_TIMED_OUT");
    EXPECT_FALSE(rig.producer().idempotence().is_unresolved(0));
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 0);
    EXPECT_EQ(rig.producer().idempotence().next_sequence(0), 0);
}

types::SettingMap impatient() {
    return {{"delivery.timeout.ms", "1500"},
            {"request.timeout.ms", "1500"},
            {"retry.backoff.ms", "500"}};
}

/// Batch 0 got a retriable error at 1,150 ms and expired at 1,500 ms while waiting for its retry;
/// batch 1, if it was there by then, is in flight.
ClientRig after_expiry_in_retry(Duration every = milliseconds(600)) {
    ClientRig rig(producer_spec(sends(2, every), impatient()));
    rig.start();
    rig.run(milliseconds(1150));
    rig.answer(1, {.error = ErrorCode::kNotEnoughReplicas});
    rig.run(milliseconds(370));
    return rig;
}

TEST(ProducerVectors, R52_ALaterSuccessResolvesAnExpiredSequence) {
    ClientRig rig = after_expiry_in_retry();
    EXPECT_EQ(rig.outcomes(), "r0:REQUEST_TIMED_OUT");
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e0 s1");
    EXPECT_TRUE(rig.producer().idempotence().is_unresolved(0));
    rig.answer(1, {.base_offset = 1});
    EXPECT_FALSE(rig.producer().idempotence().is_unresolved(0));
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 0);
    EXPECT_EQ(rig.outcomes(), "r0:REQUEST_TIMED_OUT r1@1");
}

TEST(ProducerVectors, R53_AGapRightBehindAnExpiredSequenceBumpsTheEpoch) {
    ClientRig rig = after_expiry_in_retry();
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e0 s1");
    rig.answer(1, {.error = ErrorCode::kOutOfOrderSequenceNumber});
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 1);
    EXPECT_FALSE(rig.producer().idempotence().is_unresolved(0));
    rig.run(milliseconds(450));
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e1 s0");
}

TEST(ProducerVectors, R54_WhenAllExpiredInRetryTheEpochIsBumped) {
    ClientRig rig = after_expiry_in_retry(milliseconds(1600));
    EXPECT_EQ(rig.outcomes(), "r0:REQUEST_TIMED_OUT");
    EXPECT_TRUE(rig.producer().idempotence().is_unresolved(0));
    rig.run(milliseconds(100));  // the next loop comes with the next record
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 1);
    EXPECT_FALSE(rig.producer().idempotence().is_unresolved(0));
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e1 s0");
}

TEST(ProducerVectors, R54_AlsoWhenItExpiresInFlightOnItsSecondAttempt) {
    // Sender.sendProducerData marks every expired batch that is in retry, on the wire or not:
    // nobody knows whether the second attempt was appended, so nothing new may follow it blindly.
    ClientRig rig(producer_spec(sends(2, milliseconds(1450)), impatient()));
    rig.start();
    rig.run(milliseconds(20));
    rig.answer(1, {.error = ErrorCode::kNotEnoughReplicas});
    rig.run(milliseconds(700));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0");
    rig.run(milliseconds(790));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0, p0 r1 e0 s1");
    EXPECT_EQ(rig.outcomes(), "r0:REQUEST_TIMED_OUT");
    EXPECT_TRUE(rig.producer().idempotence().is_unresolved(0));
}

TEST(ProducerVectors, R55_ADuplicateCountsAsSuccess) {
    ClientRig rig(producer_spec(sends(1)));
    rig.start();
    rig.run(milliseconds(20));
    rig.answer(1, {.error = ErrorCode::kDuplicateSequenceNumber});
    EXPECT_EQ(rig.outcomes(), "r0@-");
    EXPECT_EQ(rig.producer().idempotence().last_acked_sequence(0), 0);
}

/// Two batches of two records: with batch.size 1 the reserve of a small record is room for another.
ClientRig two_batches_of_two() {
    ClientRig rig(producer_spec(sends(4, {}), {{"batch.size", "1"}}));
    rig.start();
    rig.run(milliseconds(20));
    return rig;
}

TEST(ProducerVectors, R56_AnUnknownProducerWhoseRecordsAreGoneBumpsTheEpoch) {
    ClientRig rig = two_batches_of_two();
    EXPECT_EQ(rig.on_wire(1), "p0 r0-1 e0 s0, p0 r2-3 e0 s2");
    rig.answer(1, {.base_offset = 999});
    rig.answer(1, {.error = ErrorCode::kUnknownProducerId, .log_start_offset = 1010});
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 1);
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(1), "p0 r2-3 e1 s0");
    EXPECT_EQ(rig.producer().idempotence().next_sequence(0), 2);
    rig.answer(1, {.base_offset = 1010});
    EXPECT_EQ(rig.outcomes(), "r0@999 r1@1000 r2@1010 r3@1011");
}

TEST(ProducerVectors, R58_AnUnknownProducerWithoutLogStartIsAPlainRetry) {
    ClientRig rig = two_batches_of_two();
    rig.answer(1, {.base_offset = 999});
    rig.answer(1, {.error = ErrorCode::kUnknownProducerId});
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(1), "p0 r2-3 e0 s2");
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 0);
}

/// The first record is in the accumulator from the start and leaves at 200 ms, with its producer
/// id: it expires in flight 200 ms before its request times out.
void start_late(ClientRig& rig) {
    rig.hold_producer_id(true);
    rig.start();
    rig.run(milliseconds(200));
    protocol::InitProducerIdResponse id;
    id.producer_id = types::ProducerId(1000);
    const std::int32_t asked = rig.count_held<protocol::InitProducerIdRequest>(1) > 0 ? 1 : 2;
    rig.reply<protocol::InitProducerIdRequest>(asked, sim::make_message(id));
}

TEST(ProducerVectors, R59_ALateAnswerToAnExpiredBatchChangesNoOutcome) {
    ClientRig rig(producer_spec(sends(1), impatient()));
    start_late(rig);
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0");
    rig.run(milliseconds(1350));
    EXPECT_EQ(rig.outcomes(), "r0:REQUEST_TIMED_OUT");
    EXPECT_FALSE(rig.producer().idempotence().is_unresolved(0));
    EXPECT_EQ(rig.producer().idempotence().last_acked_sequence(0), std::nullopt);
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.outcomes(), "r0:REQUEST_TIMED_OUT");
    EXPECT_TRUE(rig.producer().is_done());
    // Sender.completeBatch tells the sequences all the same: the next batch is the next one.
    EXPECT_EQ(rig.producer().idempotence().last_acked_sequence(0), 0);
}

/// Strict order; the first batch expired in flight at broker 1, the second record waits for the new
/// leader, broker 2.
ClientRig expired_while_muted() {
    types::SettingMap config = impatient();
    config["max.in.flight.requests.per.connection"] = "1";
    config["metadata.max.age.ms"] = "300";
    ClientRig rig(producer_spec(sends(2, milliseconds(1000)), config), 2);
    start_late(rig);
    rig.set_leaders({{2, 1}});
    rig.run(milliseconds(1350));
    return rig;
}

TEST(ProducerVectors, R60_ThePartitionStaysMutedUntilTheAnswer) {
    ClientRig rig = expired_while_muted();
    EXPECT_EQ(rig.outcomes(), "r0:REQUEST_TIMED_OUT");
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0");
    EXPECT_EQ(rig.on_wire(2), "");
    EXPECT_EQ(rig.producer().accumulator().queued(0), 1U);
    EXPECT_TRUE(rig.producer().accumulator().is_muted(0));
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.on_wire(2), "p0 r1 e0 s1");
}

TEST(ProducerVectors, R60_OrUntilTheDisconnect) {
    ClientRig rig = expired_while_muted();
    EXPECT_EQ(rig.on_wire(2), "");
    rig.crash(1);
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.on_wire(2), "p0 r1 e0 s1");
    EXPECT_EQ(rig.outcomes(), "r0:REQUEST_TIMED_OUT");
}

TEST(ProducerVectors, R63_ABumpLeavesHealthyPartitionsAlone) {
    // Partition 0 is led by broker 1, partition 1 by broker 2; records go there in turn.
    types::SendPlan plan;
    plan.count = 6;
    plan.every = milliseconds(20);
    plan.keys = {key_for(0, 2), key_for(1, 2)};
    ClientRig rig(producer_spec(plan), 2, 2);
    rig.start();
    rig.run(milliseconds(30));
    rig.answer(1, {.base_offset = 0});
    rig.answer(2, {.base_offset = 0});
    rig.run(milliseconds(36));
    EXPECT_EQ(rig.on_wire(1), "p0 r2 e0 s1");
    EXPECT_EQ(rig.on_wire(2), "p1 r3 e0 s1");
    rig.answer(1, {.error = ErrorCode::kOutOfOrderSequenceNumber});
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 1);
    rig.run(milliseconds(100));
    // Partition 0 begins anew under epoch 1; partition 1 sends nothing new while the old is out.
    EXPECT_EQ(rig.on_wire(1), "p0 r2 e1 s0, p0 r4 e1 s1");
    EXPECT_EQ(rig.on_wire(2), "p1 r3 e0 s1");
    EXPECT_EQ(rig.producer().idempotence().last_acked_sequence(1), 0);
    rig.answer(2, {.base_offset = 1});
    EXPECT_EQ(rig.on_wire(2), "p1 r5 e1 s0");
}

TEST(ProducerVectors, R63_APartitionWithAnOldEpochMayHaveAGapOfItsOwn) {
    // Both partitions lost data. The second one hears of it when the epoch is bumped already, and
    // asks for a bump too (TransactionManager.canRetry compares sequences, not epochs).
    types::SendPlan plan;
    plan.count = 2;
    plan.keys = {key_for(0, 2), key_for(1, 2)};
    ClientRig rig(producer_spec(plan), 2, 2);
    rig.start();
    rig.run(milliseconds(20));
    rig.answer(1, {.error = ErrorCode::kOutOfOrderSequenceNumber});
    rig.answer(2, {.error = ErrorCode::kOutOfOrderSequenceNumber});
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 2);
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e1 s0");
    EXPECT_EQ(rig.on_wire(2), "p1 r1 e2 s0");
}

}  // namespace
}  // namespace klab::client
