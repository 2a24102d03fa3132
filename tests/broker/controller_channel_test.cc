// SPDX-License-Identifier: Apache-2.0
//
// One channel to the controller: one request in flight, tried again until a controller answers or
// its time is over. Kafka: NodeToControllerRequestThread.
#include <gtest/gtest.h>

#include "model/protocol/alter_partition.h"
#include "model/protocol/broker_lifecycle.h"
#include "model/protocol/init_producer_id.h"
#include "model/protocol/topic_admin.h"
#include "tests/broker/broker_rig.h"

namespace klab::broker {
namespace {

using protocol::AlterPartitionResponse;
using protocol::BrokerHeartbeatRequest;
using protocol::BrokerHeartbeatResponse;
using types::ErrorCode;

/// A rig whose channel gives one attempt `attempt` and a request `whole`.
BrokerRig rig_with(Duration attempt, std::optional<Duration> whole) {
    BrokerRig rig;
    rig.with_parts([&](Parts& parts, sim::Context&) {
        parts.channel = ControllerChannel(
            {kForwardingPurpose, parts.lanes.controller_channel(), attempt, whole});
    });
    return rig;
}

/// Request number n; its metadata offset is n, so that the far end shows which one came.
void submit(BrokerRig& rig, std::int64_t n) {
    rig.with_parts([n](Parts& parts, sim::Context& ctx) {
        BrokerHeartbeatRequest request;
        request.current_metadata_offset = types::Offset(n);
        parts.channel.submit(ctx, sim::make_message(request), n);
    });
}

std::vector<std::int64_t> arrived(const BrokerRig& rig) {
    std::vector<std::int64_t> found;
    for (const BrokerHeartbeatRequest& one : rig.heard_of<BrokerHeartbeatRequest>("k1")) {
        found.push_back(one.current_metadata_offset->value());
    }
    return found;
}

/// Tokens of ended requests, negative without a response.
std::vector<std::int64_t> ended(const BrokerRig& rig) {
    std::vector<std::int64_t> found;
    for (const auto& [at, outcome] : rig.parts().outcomes) {
        found.push_back(outcome.response ? outcome.token : -outcome.token);
    }
    return found;
}

/// Milliseconds from `since` to each outcome.
std::vector<std::int64_t> end_times(const BrokerRig& rig, std::int64_t since) {
    std::vector<std::int64_t> found;
    for (const auto& [at, outcome] : rig.parts().outcomes) {
        found.push_back((at - Time{}).ns / 1'000'000 - since);
    }
    return found;
}

using Numbers = std::vector<std::int64_t>;

TEST(ControllerChannel, ConnectsWhenThereIsSomethingToSay) {
    BrokerRig rig = rig_with(seconds(30), std::nullopt);
    rig.run(seconds(1));
    EXPECT_TRUE(rig.node("k1").puppet.opened.empty());
    submit(rig, 1);
    rig.run(milliseconds(10));
    EXPECT_EQ(rig.node("k1").puppet.opened.size(), 1U);
    EXPECT_EQ(arrived(rig), (Numbers{1}));
}

TEST(ControllerChannel, HasOneRequestInFlightAndKeepsTheirOrder) {
    BrokerRig rig = rig_with(seconds(30), std::nullopt);
    for (std::int64_t n = 1; n <= 3; ++n) {
        submit(rig, n);
    }
    rig.run(seconds(1));
    EXPECT_EQ(arrived(rig), (Numbers{1}));
    EXPECT_EQ(rig.parts().channel.pending(), 3U);
    for (std::int64_t n = 1; n <= 3; ++n) {
        rig.reply("k1", BrokerHeartbeatResponse{});
        rig.run(milliseconds(10));
    }
    EXPECT_EQ(arrived(rig), (Numbers{1, 2, 3}));
    EXPECT_EQ(ended(rig), (Numbers{1, 2, 3}));
    EXPECT_EQ(rig.node("k1").puppet.opened.size(), 1U) << "one connection for all";
}

TEST(ControllerChannel, SendsTheSameRequestAgainAfterADisconnect) {
    // A disconnect is no outcome: the request goes back to the head of the queue.
    BrokerRig rig = rig_with(seconds(30), std::nullopt);
    submit(rig, 1);
    submit(rig, 2);
    rig.run(milliseconds(10));
    rig.crash("k1");
    rig.run(seconds(1));
    EXPECT_TRUE(rig.parts().outcomes.empty());
    rig.boot("k1");
    rig.run(milliseconds(200));
    EXPECT_EQ(arrived(rig), (Numbers{1}));
    rig.reply("k1", BrokerHeartbeatResponse{});
    rig.run(milliseconds(10));
    EXPECT_EQ(arrived(rig), (Numbers{1, 2}));
    EXPECT_EQ(ended(rig), (Numbers{1}));
}

TEST(ControllerChannel, LooksForAControllerEvery100Milliseconds) {
    // Nobody listens: each attempt is refused after a round trip of 2 ms.
    BrokerRig rig = rig_with(seconds(30), std::nullopt);
    rig.crash("k1");
    submit(rig, 1);
    rig.run(seconds(1));
    std::int64_t refused = 0;
    for (const sim::Event& event : rig.events(sim::events::kConnectionClosed)) {
        refused += event.node == rig.id_of("b1") ? 1 : 0;
    }
    EXPECT_EQ(refused, 10);
}

TEST(ControllerChannel, TriesForEverWithoutARetryTime) {
    // AlterPartition has no deadline.
    BrokerRig rig = rig_with(seconds(1), std::nullopt);
    rig.crash("k1");
    submit(rig, 1);
    rig.run(seconds(3600));
    EXPECT_TRUE(rig.parts().outcomes.empty());
    rig.boot("k1");
    rig.run(milliseconds(200));
    EXPECT_EQ(arrived(rig), (Numbers{1}));
}

TEST(ControllerChannel, NotControllerIsHandledBelowItsUser) {
    BrokerRig rig = rig_with(seconds(30), std::nullopt);
    submit(rig, 1);
    rig.run(milliseconds(10));
    rig.reply("k1", BrokerHeartbeatResponse{.error = ErrorCode::kNotController});
    rig.run(milliseconds(200));
    EXPECT_TRUE(rig.parts().outcomes.empty());
    EXPECT_EQ(arrived(rig), (Numbers{1, 1}));
    EXPECT_EQ(rig.node("k1").puppet.ended.size(), 1U) << "the connection to it is closed";
    EXPECT_EQ(rig.node("k1").puppet.opened.size(), 2U);
    rig.reply("k1", BrokerHeartbeatResponse{});
    rig.run(milliseconds(10));
    EXPECT_EQ(ended(rig), (Numbers{1}));
}

TEST(ControllerChannel, NotControllerOfAnyKindOfAnswerIsTriedAgain) {
    const std::vector<sim::MessageRef> refusals = {
        sim::make_message(
            protocol::BrokerRegistrationResponse{ErrorCode::kNotController, std::nullopt}),
        sim::make_message(BrokerHeartbeatResponse{.error = ErrorCode::kNotController}),
        sim::make_message(AlterPartitionResponse{ErrorCode::kNotController, {}}),
        sim::make_message(protocol::AllocateProducerIdsResponse{ErrorCode::kNotController, {}, 0}),
        sim::make_message(protocol::CreateTopicsResponse{{{"t", ErrorCode::kNotController, ""}}}),
        sim::make_message(protocol::DeleteTopicsResponse{{{"t", ErrorCode::kNotController, ""}}}),
        sim::make_message(protocol::AlterConfigsResponse{{"t", ErrorCode::kNotController, ""}}),
        sim::make_message(protocol::ElectLeadersResponse{ErrorCode::kNotController, {}}),
        sim::make_message(protocol::ElectLeadersResponse{ErrorCode::kNone,
                                                         {{"t-0", ErrorCode::kNotController, ""}}}),
    };
    for (const sim::MessageRef& refusal : refusals) {
        BrokerRig rig = rig_with(seconds(30), std::nullopt);
        submit(rig, 1);
        rig.run(milliseconds(10));
        rig.say(
            "k1", rig.heard("k1").back().connection, rig.heard("k1").back().correlation, refusal);
        rig.run(milliseconds(200));
        EXPECT_TRUE(rig.parts().outcomes.empty()) << types::api_name(refusal.api());
        EXPECT_EQ(arrived(rig), (Numbers{1, 1})) << types::api_name(refusal.api());
    }
}

TEST(ControllerChannel, OnePartitionAheadOfTheControllerHoldsUpTheWholeRequest) {
    // errorCounts() of an AlterPartition response counts partitions as well.
    BrokerRig rig = rig_with(seconds(30), std::nullopt);
    submit(rig, 1);
    rig.run(milliseconds(10));
    AlterPartitionResponse mixed;
    mixed.partitions.resize(2);
    mixed.partitions[1].error = ErrorCode::kNotController;
    rig.reply("k1", mixed);
    rig.run(milliseconds(200));
    EXPECT_TRUE(rig.parts().outcomes.empty());
    mixed.partitions[1].error = ErrorCode::kInvalidUpdateVersion;
    rig.reply("k1", mixed);
    rig.run(milliseconds(10));
    EXPECT_EQ(ended(rig), (Numbers{1})) << "any other error is its user's business";
}

TEST(ControllerChannel, GivesUpASilentControllerAfterOneAttemptsTime) {
    // The connection is closed and the request sent again on a new one.
    BrokerRig rig = rig_with(seconds(2), std::nullopt);
    submit(rig, 1);
    rig.run(milliseconds(5'000));
    EXPECT_EQ(arrived(rig), (Numbers{1, 1, 1}));
    const std::vector<std::int64_t> at = rig.times_of<BrokerHeartbeatRequest>("k1");
    // 2 s of waiting, 100 ms until the next look, 3 ms to connect and send.
    EXPECT_EQ(at[1] - at[0], 2'102);
    EXPECT_EQ(rig.node("k1").puppet.ended.size(), 2U);
}

TEST(ControllerChannel, ALateAnswerToAnAbandonedAttemptIsNotTaken) {
    BrokerRig rig = rig_with(seconds(2), std::nullopt);
    submit(rig, 1);
    rig.run(milliseconds(10));
    const Heard first = rig.heard("k1").front();
    rig.run(milliseconds(2'300));
    ASSERT_EQ(arrived(rig), (Numbers{1, 1}));
    rig.say(
        "k1", first.connection, first.correlation, sim::make_message(BrokerHeartbeatResponse{}));
    rig.run(milliseconds(10));
    EXPECT_TRUE(rig.parts().outcomes.empty());
    // Nor is an answer on the new connection that names the old attempt.
    rig.say("k1",
            rig.heard("k1").back().connection,
            first.correlation,
            sim::make_message(BrokerHeartbeatResponse{}));
    rig.run(milliseconds(10));
    EXPECT_TRUE(rig.parts().outcomes.empty());
}

TEST(ControllerChannel, ARequestIsGivenUpWhenItsTimeIsOver) {
    BrokerRig rig = rig_with(seconds(1), seconds(3));
    rig.crash("k1");
    const std::int64_t begun = rig.now_ms();
    submit(rig, 7);
    rig.run(seconds(10));
    ASSERT_EQ(ended(rig), (Numbers{-7}));
    EXPECT_GE(end_times(rig, begun).front(), 3'000);
    EXPECT_LE(end_times(rig, begun).front(), 3'110);
    EXPECT_EQ(rig.parts().channel.pending(), 0U);
}

TEST(ControllerChannel, ASilentControllerUsesUpTheTimeToo) {
    BrokerRig rig = rig_with(milliseconds(4'500), milliseconds(4'500));
    const std::int64_t begun = rig.now_ms();
    submit(rig, 1);
    rig.run(seconds(20));
    ASSERT_EQ(ended(rig), (Numbers{-1}));
    EXPECT_EQ(end_times(rig, begun).front(), 4'502);  // counted from when it was sent
    EXPECT_EQ(arrived(rig), (Numbers{1})) << "not sent again";
}

TEST(ControllerChannel, AllRequestsWhoseTimeIsOverEndTogether) {
    // generateRequests walks the queue: a request does not get more time for waiting behind
    // another.
    BrokerRig rig = rig_with(seconds(30), seconds(3));
    rig.world().kernel().power_off(rig.id_of("k1"), {}, nullptr);
    const std::int64_t begun = rig.now_ms();
    for (std::int64_t n = 1; n <= 4; ++n) {
        submit(rig, n);
    }
    rig.run(seconds(60));
    EXPECT_EQ(ended(rig), (Numbers{-1, -2, -3, -4}));
    const std::vector<std::int64_t> at = end_times(rig, begun);
    ASSERT_EQ(at.size(), 4U);
    EXPECT_LE(at.back() - at.front(), 1);
}

TEST(ControllerChannel, ARequestWhoseTimeIsOverIsNotSentAnyMore) {
    // It waited behind one that the controller was slow to answer.
    BrokerRig rig = rig_with(seconds(30), seconds(3));
    submit(rig, 1);
    submit(rig, 2);
    rig.run(seconds(4));
    submit(rig, 3);
    rig.reply("k1", BrokerHeartbeatResponse{});
    rig.run(milliseconds(10));
    EXPECT_EQ(ended(rig), (Numbers{1, -2}));
    EXPECT_EQ(arrived(rig), (Numbers{1, 3}));
}

}  // namespace
}  // namespace klab::broker
