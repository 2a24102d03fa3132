// SPDX-License-Identifier: Apache-2.0
//
// A producer against a broker that the test plays: acknowledgements, limits in flight, retries,
// splits, hints of a new leader, blocking sends, close. The numbered vectors are in
// sender_vectors_test.cc.
#include <gtest/gtest.h>

#include "model/protocol/init_producer_id.h"
#include "tests/client/client_rig.h"

namespace klab::client {
namespace {

using types::ErrorCode;
namespace events = types::events;

const protocol::ProduceRequest& oldest_produce(const ClientRig& rig, std::int32_t broker = 1) {
    return rig.oldest<protocol::ProduceRequest>(broker);
}

TEST(Producer, AcksNoneIsDoneWhenItIsSent) {
    ClientRig rig(producer_spec(sends(7), {{"acks", "0"}}));
    rig.start();
    rig.run(milliseconds(100));
    EXPECT_EQ(rig.outcomes(), "r0@- r1@- r2@- r3@- r4@- r5@- r6@-");
    EXPECT_EQ(oldest_produce(rig).acks, 0);
    // Nobody answers, so nothing is in flight and max.in.flight does not matter.
    EXPECT_EQ(rig.held(1), 7U);
    EXPECT_TRUE(rig.producer().is_done());
}

TEST(Producer, AcksOneAndAllWaitForTheAnswer) {
    for (const auto& [acks, wire] : {std::pair{"1", 1}, {"all", -1}}) {
        ClientRig rig(producer_spec(sends(1), {{"acks", acks}, {"request.timeout.ms", "4000"}}));
        rig.start();
        rig.run(milliseconds(20));
        EXPECT_EQ(oldest_produce(rig).acks, wire);
        EXPECT_EQ(oldest_produce(rig).timeout_ms, 4000);
        EXPECT_EQ(rig.outcomes(), "");
        rig.answer(1, {.base_offset = 7});
        EXPECT_EQ(rig.outcomes(), "r0@7");
    }
}

TEST(Producer, KeepsToMaxInFlight) {
    ClientRig rig(producer_spec(sends(8, milliseconds(1)),
                                {{"max.in.flight.requests.per.connection", "3"},
                                 {"enable.idempotence", "false"},
                                 {"batch.size", "1"}}));
    rig.start();
    rig.run(milliseconds(30));
    EXPECT_EQ(rig.held(1), 3U);
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.held(1), 3U);
    rig.answer(1, {.base_offset = 1});
    rig.answer(1, {.base_offset = 2});
    EXPECT_EQ(rig.held(1), 2U);  // the rest went into these: small records share a reserve
}

TEST(Producer, LingerGathersRecordsIntoOneBatch) {
    ClientRig rig(producer_spec(sends(4, milliseconds(4)), {{"linger.ms", "5"}}));
    rig.start();
    rig.run(milliseconds(30));
    // The first batch begins at 2 ms, when the topic is known, and is sent at 7 ms.
    EXPECT_EQ(rig.on_wire(1), "p0 r0-1 e0 s0, p0 r2-3 e0 s2");
}

TEST(Producer, RetriesWithinItsBudget) {
    ClientRig rig(producer_spec(sends(1), {{"acks", "1"}, {"retries", "2"}}));
    rig.start();
    rig.run(milliseconds(20));
    rig.answer(1, {.error = ErrorCode::kNotEnoughReplicas});
    rig.run(milliseconds(70));
    EXPECT_EQ(rig.on_wire(1), "");
    rig.run(milliseconds(15));  // 80 ms of backoff: 100 x 0.8
    EXPECT_EQ(rig.on_wire(1), "p0 r0");
    rig.answer(1, {.error = ErrorCode::kNotEnoughReplicasAfterAppend});
    rig.run(milliseconds(150));
    EXPECT_EQ(rig.on_wire(1), "");
    rig.run(milliseconds(15));  // 160 ms
    EXPECT_EQ(rig.on_wire(1), "p0 r0");
    EXPECT_EQ(rig.outcomes(), "");
    rig.answer(1, {.error = ErrorCode::kNotEnoughReplicas});
    EXPECT_EQ(rig.outcomes(), "r0:NOT_ENOUGH_REPLICAS");
    EXPECT_EQ(rig.events(events::kBatchRetried).size(), 2U);
}

TEST(Producer, AFatalErrorIsNotRetried) {
    for (const ErrorCode error : {ErrorCode::kInvalidRecord,
                                  ErrorCode::kRecordListTooLarge,
                                  ErrorCode::kTopicAuthorizationFailed,
                                  ErrorCode::kInvalidRequiredAcks}) {
        ClientRig rig(producer_spec(sends(1), {{"acks", "1"}}));
        rig.start();
        rig.run(milliseconds(20));
        rig.answer(1, {.error = error});
        rig.run(seconds(5));
        EXPECT_EQ(rig.outcomes(), fmt::format("r0:{}", types::name(error)));
        EXPECT_EQ(rig.held(1), 0U);
    }
}

TEST(Producer, AfterAFatalErrorTheIdempotentOneGoesOnUnderANewEpoch) {
    ClientRig rig(producer_spec(sends(2, milliseconds(50))));
    rig.start();
    rig.run(milliseconds(20));
    rig.answer(1, {.error = ErrorCode::kInvalidRecord});
    rig.run(milliseconds(50));
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e1 s0");
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.outcomes(), "r0:INVALID_RECORD r1@0");
}

TEST(Producer, ExhaustedRetriesBumpNothing) {
    // 1.9: the broker may have appended it; its sequence is not given again.
    ClientRig rig(producer_spec(sends(2, milliseconds(50)), {{"retries", "1"}}));
    rig.start();
    rig.run(milliseconds(20));
    rig.restart(1);
    rig.run(milliseconds(100));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0, p0 r1 e0 s1");
    rig.restart(1);
    rig.run(milliseconds(10));
    EXPECT_EQ(rig.outcomes(), "r0:NETWORK_EXCEPTION");
    EXPECT_EQ(rig.producer().idempotence().epoch().value(), 0);
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e0 s1");
}

/// Three records of some 200 bytes in one batch.
types::ClientSpec one_large_batch(types::SettingMap config) {
    types::SendPlan plan = sends(3, {});
    plan.value_bytes = 200;
    config.emplace("linger.ms", "5");
    return producer_spec(plan, std::move(config));
}

TEST(Producer, SplitsABatchThatIsTooLarge) {
    // First into parts of batch.size, which is still all of it, then into halves (KAFKA-8350).
    types::Rules rules = types::rules_of(types::kDefaultVersion);
    rules.producer_split_shrinks = true;
    ClientRig rig(one_large_batch({}), 1, 1, rules);
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.on_wire(1), "p0 r0-2 e0 s0");
    rig.answer(1, {.error = ErrorCode::kMessageTooLarge});
    EXPECT_EQ(rig.on_wire(1), "p0 r0-2 e0 s0");
    rig.answer(1, {.error = ErrorCode::kMessageTooLarge});
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0");
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e0 s1");
    rig.answer(1, {.error = ErrorCode::kMessageTooLarge});
    EXPECT_EQ(rig.outcomes(), "r0@0 r1:MESSAGE_TOO_LARGE");
    EXPECT_EQ(rig.on_wire(1), "p0 r2 e1 s0");
}

TEST(Producer, SendsABatchThatSplittingDoesNotShrinkUntilItsTimeIsOver) {
    // Before KAFKA-8350, and so in every version of the table.
    ClientRig rig(
        one_large_batch({{"delivery.timeout.ms", "1000"}, {"request.timeout.ms", "900"}}));
    rig.start();
    rig.run(milliseconds(20));
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(rig.on_wire(1), "p0 r0-2 e0 s0");
        rig.answer(1, {.error = ErrorCode::kMessageTooLarge});
    }
    EXPECT_EQ(rig.outcomes(), "");
    rig.run(milliseconds(1000));
    EXPECT_EQ(rig.outcomes(), "r0:REQUEST_TIMED_OUT r1:REQUEST_TIMED_OUT r2:REQUEST_TIMED_OUT");
}

TEST(Producer, GoesToAHintedLeaderAtOnce) {
    ClientRig rig(producer_spec(sends(1)), 2);
    rig.start();
    rig.run(milliseconds(20));
    rig.hold_metadata(true);
    rig.answer(1, {.error = ErrorCode::kNotLeaderOrFollower, .hint = RigLeader{2, 1}});
    rig.run(milliseconds(3));
    EXPECT_EQ(rig.on_wire(2), "p0 r0 e0 s0");
}

TEST(Producer, WithoutAHintMetadataShowTheLeader) {
    ClientRig rig(producer_spec(sends(1)), 2);
    rig.start();
    rig.run(milliseconds(200));
    rig.set_leaders({{2, 1}});
    rig.answer(1, {.error = ErrorCode::kNotLeaderOrFollower});
    rig.run(milliseconds(5));
    // A newer leader epoch is known: no backoff.
    EXPECT_EQ(rig.on_wire(2), "p0 r0 e0 s0");
}

TEST(Producer, AStaleHintChangesNothing) {
    ClientRig rig(producer_spec(sends(1)), 2);
    rig.set_leaders({{1, 5}});
    rig.start();
    rig.run(milliseconds(200));
    rig.hold_metadata(true);
    rig.answer(1, {.error = ErrorCode::kNotLeaderOrFollower, .hint = RigLeader{2, 4}});
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(2), "");
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0");
}

TEST(Producer, ATimedOutRequestTakesTheYoungerOnesWithIt) {
    ClientRig rig(producer_spec(sends(2, milliseconds(300)),
                                {{"request.timeout.ms", "500"}, {"delivery.timeout.ms", "9000"}}));
    rig.start();
    rig.run(milliseconds(490));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0, p0 r1 e0 s1");
    rig.run(milliseconds(30));
    const std::vector<sim::Event> retried = rig.events(events::kBatchRetried);
    ASSERT_EQ(retried.size(), 2U);
    for (const sim::Event& event : retried) {
        EXPECT_EQ(event.fields[3], types::to_wire(ErrorCode::kRequestTimedOut));
    }
    rig.run(milliseconds(100));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0");
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e0 s1");
}

TEST(Producer, SendBlocksUntilTheTopicIsKnown) {
    ClientRig rig(producer_spec(sends(2), {{"max.block.ms", "1000"}}));
    rig.forget_topic();
    rig.start();
    rig.run(milliseconds(990));
    EXPECT_EQ(rig.outcomes(), "");
    rig.run(milliseconds(30));
    EXPECT_EQ(rig.outcomes(), "r0:REQUEST_TIMED_OUT");
    rig.set_leaders({{1, 0}});
    rig.run(milliseconds(980));
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e0 s0");
}

TEST(Producer, SendBlocksUntilThereIsMemory) {
    // Two batches fill the pool; the third record waits for one of them.
    ClientRig rig(producer_spec(
        sends(3), {{"batch.size", "1000"}, {"buffer.memory", "2000"}, {"max.block.ms", "300"}}));
    rig.start();
    rig.run(milliseconds(100));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0, p0 r1 e0 s1");
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e0 s1, p0 r2 e0 s2");
}

TEST(Producer, SendGivesUpWaitingForMemory) {
    ClientRig rig(producer_spec(
        sends(3), {{"batch.size", "1000"}, {"buffer.memory", "2000"}, {"max.block.ms", "300"}}));
    rig.start();
    rig.run(milliseconds(315));
    EXPECT_EQ(rig.outcomes(), "");
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.outcomes(), "r2:REQUEST_TIMED_OUT");
}

TEST(Producer, ComparesTheUpperBoundOfARecordWithItsLimit) {
    // 61 + 21 + 1 + 2 + 1 + value: a value of 914 makes 1000 bytes, although 985 would be written.
    for (const auto& [bytes, fits] : {std::pair{914, true}, {915, false}}) {
        types::SendPlan plan = sends(1);
        plan.value_bytes = bytes;
        ClientRig rig(producer_spec(plan, {{"max.request.size", "1000"}}));
        rig.start();
        rig.run(milliseconds(20));
        EXPECT_EQ(rig.outcomes(), fits ? "" : "r0:MESSAGE_TOO_LARGE");
        EXPECT_EQ(rig.on_wire(1), fits ? "p0 r0 e0 s0" : "");
    }
}

TEST(Producer, AsksForItsIdUntilItGetsOne) {
    ClientRig rig(producer_spec(sends(1)));
    rig.hold_producer_id(true);
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.on_wire(1), "");
    protocol::InitProducerIdResponse loading;
    loading.error = ErrorCode::kCoordinatorLoadInProgress;
    rig.reply<protocol::InitProducerIdRequest>(1, sim::make_message(loading));
    rig.run(milliseconds(50));
    EXPECT_EQ(rig.held(1), 0U);
    rig.run(milliseconds(50));
    EXPECT_EQ(rig.count_held<protocol::InitProducerIdRequest>(1), 1U);
    rig.hold_producer_id(false);
    rig.restart(1);
    rig.run(milliseconds(200));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0");
}

TEST(Producer, CloseSendsWhatLingersAndWaitsForIt) {
    ClientRig rig(producer_spec(sends(2, milliseconds(500)), {{"linger.ms", "1000"}}));
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.on_wire(1), "");
    rig.stop_client();
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0");
    EXPECT_TRUE(rig.events(events::kClientStopped).empty());
    rig.answer(1, {.base_offset = 0});
    EXPECT_EQ(rig.outcomes(), "r0@0");
    EXPECT_EQ(rig.events(events::kClientStopped).size(), 1U);
    rig.run(seconds(1));
    EXPECT_EQ(rig.events(events::kRecordSent).size(), 1U);
}

TEST(Producer, WithoutIdempotenceARetryMayOvertake) {
    // 1.8: the classical reorder, which max.in.flight 1 or idempotence prevents.
    ClientRig rig(producer_spec(sends(2), {{"enable.idempotence", "false"}}));
    rig.start();
    rig.run(milliseconds(30));
    EXPECT_EQ(rig.on_wire(1), "p0 r0, p0 r1");
    rig.answer(1, {.error = ErrorCode::kNotEnoughReplicas});
    rig.answer(1, {.base_offset = 0});
    rig.run(milliseconds(100));
    rig.answer(1, {.base_offset = 1});
    EXPECT_EQ(rig.outcomes(), "r1@0 r0@1");
}

}  // namespace
}  // namespace klab::client
