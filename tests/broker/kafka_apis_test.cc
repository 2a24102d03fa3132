// SPDX-License-Identifier: Apache-2.0
//
// A whole broker with a controller, seen by a client that the test plays: which api leads where,
// and what errors look like. Kafka: KafkaApis, ForwardingManager, BrokerServer (start-up order).
#include <gtest/gtest.h>

#include "model/protocol/app_call.h"
#include "model/protocol/delete_records.h"
#include "model/protocol/init_producer_id.h"
#include "model/protocol/list_offsets.h"
#include "model/protocol/metadata.h"
#include "model/protocol/offset_for_leader_epoch.h"
#include "model/protocol/produce.h"
#include "model/protocol/topic_admin.h"
#include "tests/broker/broker_rig.h"
#include "tests/storage/log_builder.h"

namespace klab::broker {
namespace {

using protocol::CreateTopicsRequest;
using protocol::CreateTopicsResponse;
using protocol::InitProducerIdRequest;
using protocol::InitProducerIdResponse;
using protocol::MetadataRequest;
using protocol::MetadataResponse;
using protocol::ProduceRequest;
using protocol::ProduceResponse;
using types::ErrorCode;

CreateTopicsRequest create(const std::string& name) {
    protocol::NewTopic topic;
    topic.name = name;
    topic.partitions = 1;
    topic.replication_factor = 1;
    CreateTopicsRequest request;
    request.topics.push_back(topic);
    return request;
}

/// RUNNING, with topic t.
BrokerRig running() {
    BrokerRig rig({.config = {}, .whole_broker = true, .whole_controller = true});
    rig.run(seconds(3));
    EXPECT_EQ(rig.broker().state(), BrokerState::kRunning);
    rig.send("c3", rig.connect("c3"), 1, create("t"));
    rig.run(seconds(1));
    EXPECT_EQ(rig.heard_of<CreateTopicsResponse>("c3").size(), 1U);
    return rig;
}

ProduceRequest produce(const std::string& topic, std::int16_t acks) {
    ProduceRequest request;
    request.acks = acks;
    request.partitions.push_back(
        {types::TopicPartition{topic, 0}, SharedBytes(storage::batch_of({"v"}))});
    return request;
}

/// Sends one request on a new connection and returns the answer, or nothing.
template <typename Response, typename Request>
std::optional<Response> ask(BrokerRig& rig, Request request, Duration wait = seconds(1)) {
    const std::size_t before = rig.heard("c1").size();
    rig.send("c1", rig.connect("c1"), 9, std::move(request));
    rig.run(wait);
    if (rig.heard("c1").size() != before + 1 || !rig.heard("c1").back().message.is<Response>()) {
        return std::nullopt;
    }
    EXPECT_EQ(rig.heard("c1").back().correlation, 9);
    return rig.heard("c1").back().message.as<Response>();
}

TEST(KafkaApis, ClientsWaitUntilTheFirstMetadataIsPublished) {
    // Before the broker is caught up it would answer from an image of its former life.
    BrokerRig rig({.config = {}, .whole_broker = true, .whole_controller = false});
    const sim::ConnectionId line = rig.connect("c1");
    rig.send("c1", line, 1, MetadataRequest{});
    rig.run(seconds(20));
    EXPECT_TRUE(rig.heard("c1").empty());
    EXPECT_EQ(rig.broker().state(), BrokerState::kStarting);
}

TEST(KafkaApis, MetadataComesFromTheBrokersOwnImage) {
    BrokerRig rig = running();
    const auto answer = ask<MetadataResponse>(rig, MetadataRequest{});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->brokers, (std::vector<types::BrokerId>{types::BrokerId(1)}));
    ASSERT_EQ(answer->topics.size(), 1U);
    EXPECT_EQ(answer->topics[0].name, "t");
    EXPECT_EQ(answer->topics[0].partitions[0].leader, types::BrokerId(1));
}

TEST(KafkaApis, ProduceIsAnsweredWithItsOffset) {
    BrokerRig rig = running();
    for (const std::int16_t acks : {std::int16_t{1}, std::int16_t{-1}}) {
        const auto answer = ask<ProduceResponse>(rig, produce("t", acks));
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->partitions[0].error, ErrorCode::kNone);
        EXPECT_EQ(answer->partitions[0].base_offset, types::Offset(acks == 1 ? 0 : 1));
    }
}

TEST(KafkaApis, ProduceToAnUnknownTopicIsAnErrorOfThePartition) {
    BrokerRig rig = running();
    const auto answer = ask<ProduceResponse>(rig, produce("nope", 1));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->partitions[0].error, ErrorCode::kUnknownTopicOrPartition);
}

TEST(KafkaApis, OtherAcksAreRefused) {
    BrokerRig rig = running();
    const auto answer = ask<ProduceResponse>(rig, produce("t", 2));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->partitions[0].error, ErrorCode::kInvalidRequiredAcks);
}

TEST(KafkaApis, WithAcks0NothingIsAnsweredAndTheConnectionGoesOn) {
    BrokerRig rig = running();
    const sim::ConnectionId line = rig.connect("c1");
    rig.send("c1", line, 1, produce("t", 0));
    rig.send("c1", line, 2, produce("t", 0));
    rig.send("c1", line, 3, produce("t", 1));
    rig.run(seconds(1));
    ASSERT_EQ(rig.heard("c1").size(), 1U);
    EXPECT_EQ(rig.heard("c1")[0].correlation, 3);
    EXPECT_EQ(rig.heard_of<ProduceResponse>("c1")[0].partitions[0].base_offset, types::Offset(2));
    EXPECT_TRUE(rig.node("c1").puppet.ended.empty());
}

TEST(KafkaApis, WithAcks0AnErrorClosesTheConnection) {
    BrokerRig rig = running();
    const sim::ConnectionId line = rig.connect("c1");
    rig.send("c1", line, 1, produce("nope", 0));
    rig.send("c1", line, 2, produce("t", 1));
    rig.run(seconds(1));
    EXPECT_TRUE(rig.heard("c1").empty());
    ASSERT_EQ(rig.node("c1").puppet.ended.size(), 1U);
    EXPECT_EQ(rig.node("c1").puppet.ended[0].second, line);
}

TEST(KafkaApis, WhatIsNoApiOfABrokerClosesTheConnection) {
    // SocketServer's parser refuses an api that the listener does not have.
    BrokerRig rig = running();
    const std::vector<sim::MessageRef> foreign = {
        sim::make_message(protocol::AlterPartitionRequest{}),
        sim::make_message(protocol::BrokerRegistrationRequest{}),
        sim::make_message(protocol::BrokerHeartbeatRequest{}),
        sim::make_message(protocol::AllocateProducerIdsRequest{}),
    };
    for (const sim::MessageRef& request : foreign) {
        const sim::ConnectionId line = rig.connect("c1");
        rig.say("c1", line, 1, request);
        rig.run(milliseconds(100));
        ASSERT_FALSE(rig.node("c1").puppet.ended.empty()) << types::api_name(request.api());
        EXPECT_EQ(rig.node("c1").puppet.ended.back().second, line)
            << types::api_name(request.api());
    }
    EXPECT_TRUE(rig.heard("c1").empty());
}

TEST(KafkaApis, TheFirstProducerIdComesWithTheSecondTry) {
    // COORDINATOR_LOAD_IN_PROGRESS while the broker has no block; the client tries again.
    BrokerRig rig = running();
    const auto first = ask<InitProducerIdResponse>(rig, InitProducerIdRequest{});
    ASSERT_TRUE(first);
    EXPECT_EQ(first->error, ErrorCode::kCoordinatorLoadInProgress);
    EXPECT_EQ(first->producer_id, std::nullopt);
    for (std::int64_t id = 0; id < 3; ++id) {
        const auto next = ask<InitProducerIdResponse>(rig, InitProducerIdRequest{});
        ASSERT_TRUE(next);
        EXPECT_EQ(next->error, ErrorCode::kNone);
        EXPECT_EQ(next->producer_id, types::ProducerId(id));
        EXPECT_EQ(next->producer_epoch, types::ProducerEpoch(0));
    }
}

TEST(KafkaApis, ProducerIdsGoOnInTheNextBlockWithoutAGap) {
    // The second block is fetched with the 901st id of the first.
    BrokerRig rig = running();
    const sim::ConnectionId line = rig.connect("c1");
    for (int i = 0; i < 1'010; ++i) {
        rig.send("c1", line, i, InitProducerIdRequest{});
        rig.run(milliseconds(20));
    }
    const auto answers = rig.heard_of<InitProducerIdResponse>("c1");
    ASSERT_EQ(answers.size(), 1'010U);
    for (std::size_t i = 1; i < answers.size(); ++i) {
        ASSERT_EQ(answers[i].producer_id, types::ProducerId(static_cast<std::int64_t>(i) - 1));
    }
}

TEST(KafkaApis, AfterARestartABrokerHasANewBlock) {
    // Ids of a lost block are never used.
    BrokerRig rig = running();
    static_cast<void>(ask<InitProducerIdResponse>(rig, InitProducerIdRequest{}));
    ASSERT_EQ(ask<InitProducerIdResponse>(rig, InitProducerIdRequest{})->producer_id,
              types::ProducerId(0));
    rig.crash("b1");
    rig.boot("b1");
    rig.run(seconds(20));
    ASSERT_EQ(rig.broker().state(), BrokerState::kRunning);
    static_cast<void>(ask<InitProducerIdResponse>(rig, InitProducerIdRequest{}));
    EXPECT_EQ(ask<InitProducerIdResponse>(rig, InitProducerIdRequest{})->producer_id,
              types::ProducerId(1'000));
}

TEST(KafkaApis, AdministrationIsForwardedToTheController) {
    BrokerRig rig = running();
    const auto made = ask<CreateTopicsResponse>(rig, create("u"));
    ASSERT_TRUE(made);
    EXPECT_EQ(made->topics[0].error, ErrorCode::kNone);
    const auto again = ask<CreateTopicsResponse>(rig, create("u"));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->topics[0].error, ErrorCode::kTopicAlreadyExists);
    const auto elected = ask<protocol::ElectLeadersResponse>(rig, protocol::ElectLeadersRequest{});
    ASSERT_TRUE(elected);
    const auto configured = ask<protocol::AlterConfigsResponse>(
        rig,
        protocol::AlterConfigsRequest{{protocol::ConfigTarget::Kind::kTopic, "u"},
                                      {{"min.insync.replicas", "1"}}});
    ASSERT_TRUE(configured);
    EXPECT_EQ(configured->result.error, ErrorCode::kNone);
    const auto gone =
        ask<protocol::DeleteTopicsResponse>(rig, protocol::DeleteTopicsRequest{{"u"}});
    ASSERT_TRUE(gone);
    EXPECT_EQ(gone->topics[0].error, ErrorCode::kNone);
}

TEST(KafkaApis, AForwardedRequestWaitsForAController) {
    // Also while the new controller process says NOT_CONTROLLER: the client never sees it.
    BrokerRig rig = running();
    rig.crash("k1");
    const sim::ConnectionId line = rig.connect("c1");
    rig.send("c1", line, 1, create("late"));
    rig.run(seconds(20));
    EXPECT_TRUE(rig.heard("c1").empty());
    rig.boot("k1");
    rig.run(seconds(2));
    const auto answers = rig.heard_of<CreateTopicsResponse>("c1");
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0].topics[0].error, ErrorCode::kNone);
}

TEST(KafkaApis, AForwardedRequestTimesOutAfterAMinute) {
    // BrokerServer gives the "forwarding" channel 60 s; the error is told for each name.
    BrokerRig rig = running();
    rig.crash("k1");
    const sim::ConnectionId line = rig.connect("c1");
    const sim::ConnectionId other = rig.connect("c2");
    const std::int64_t sent = rig.now_ms();
    CreateTopicsRequest both = create("x");
    both.topics.push_back(create("y").topics.front());
    rig.send("c1", line, 1, both);
    rig.send("c2", other, 1, protocol::DeleteTopicsRequest{{"t"}});
    rig.run(seconds(59));
    EXPECT_TRUE(rig.heard("c1").empty());
    rig.run(seconds(3));
    const auto answers = rig.heard_of<CreateTopicsResponse>("c1");
    ASSERT_EQ(answers.size(), 1U);
    ASSERT_EQ(answers[0].topics.size(), 2U);
    EXPECT_EQ(answers[0].topics[0], (protocol::NamedResult{"x", ErrorCode::kRequestTimedOut, ""}));
    EXPECT_EQ(answers[0].topics[1].name, "y");
    EXPECT_GE(rig.times_of<CreateTopicsResponse>("c1")[0], sent + 60'000);
    EXPECT_EQ(rig.heard_of<protocol::DeleteTopicsResponse>("c2").size(), 1U);
}

TEST(KafkaApis, AForwardedRequestDoesNotHoldUpOtherConnections) {
    BrokerRig rig = running();
    rig.crash("k1");
    const sim::ConnectionId line = rig.connect("c2");
    rig.send("c2", line, 1, create("late"));
    rig.send("c2", line, 2, MetadataRequest{});
    rig.run(milliseconds(100));
    EXPECT_TRUE(ask<MetadataResponse>(rig, MetadataRequest{}).has_value());
    EXPECT_TRUE(rig.heard("c2").empty()) << "one request at a time on its own connection";
}

TEST(KafkaApis, OffsetsAndEpochsAreTold) {
    BrokerRig rig = running();
    ASSERT_TRUE(ask<ProduceResponse>(rig, produce("t", 1)));
    protocol::ListOffsetsRequest list;
    list.partitions.push_back(
        {types::TopicPartition{"t", 0}, std::nullopt, protocol::kLatestTimestamp});
    const auto listed = ask<protocol::ListOffsetsResponse>(rig, list);
    ASSERT_TRUE(listed);
    EXPECT_EQ(listed->partitions[0].offset, types::Offset(1));
    protocol::OffsetForLeaderEpochRequest ends;
    ends.partitions.push_back({types::TopicPartition{"t", 0}, std::nullopt, types::LeaderEpoch(0)});
    const auto end = ask<protocol::OffsetForLeaderEpochResponse>(rig, ends);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->partitions[0].end_offset, types::Offset(1));
}

TEST(KafkaApis, StopMovesLeadershipWritesTheMarkerAndExits) {
    // The only broker of the cluster: it may stop although its partition has nobody else.
    BrokerRig rig = running();
    rig.world().kernel().call(rig.id_of("b1"), sim::make_message(protocol::StopNode{}));
    rig.run(seconds(10));
    EXPECT_EQ(rig.world().kernel().slot(rig.id_of("b1")).status, sim::NodeStatus::kDown);
    EXPECT_EQ(
        rig.texts(types::events::kBrokerStateChanged, 1),
        (std::vector<std::string>{
            "STARTING", "RECOVERY", "RUNNING", "PENDING_CONTROLLED_SHUTDOWN", "SHUTTING_DOWN"}));
    EXPECT_EQ(rig.events(sim::events::kNodeExited).size(), 1U);
    EXPECT_TRUE(
        rig.world().kernel().slot(rig.id_of("b1")).disk.exists("/data/.kafka_cleanshutdown"));
}

TEST(KafkaApis, DeleteRecordsRaisesTheLogStart) {
    BrokerRig rig = running();
    ASSERT_TRUE(ask<ProduceResponse>(rig, produce("t", -1)));
    ASSERT_TRUE(ask<ProduceResponse>(rig, produce("t", -1)));
    protocol::DeleteRecordsRequest request;
    request.partitions.push_back({types::TopicPartition{"t", 0}, types::Offset(1)});
    request.partitions.push_back({types::TopicPartition{"u", 0}, std::nullopt});
    const auto response = ask<protocol::DeleteRecordsResponse>(rig, request);
    ASSERT_TRUE(response);
    EXPECT_EQ(response->partitions.at(0).error, ErrorCode::kNone);
    EXPECT_EQ(response->partitions.at(0).low_watermark, types::Offset(1));
    EXPECT_EQ(response->partitions.at(1).error, ErrorCode::kUnknownTopicOrPartition);
}

TEST(KafkaApis, AStopBeforeTheLogsAreLoadedLeavesNoMarker) {
    // KAFKA-15375: nobody has looked at the logs, so nobody may say that they are clean. Without a
    // controller no metadata come, and logs are loaded with the first of them.
    for (const bool needs_load : {true, false}) {
        BrokerRig::Options options{.config = {}, .whole_broker = true, .whole_controller = false};
        options.rules.shutdown_marker_needs_load = needs_load;
        BrokerRig rig(options);
        rig.run(seconds(3));
        EXPECT_EQ(rig.broker().state(), BrokerState::kStarting);
        rig.world().kernel().call(rig.id_of("b1"), sim::make_message(protocol::StopNode{}));
        rig.run(seconds(1));
        EXPECT_EQ(rig.events(sim::events::kNodeExited).size(), 1U);
        const sim::Disk& disk = rig.world().kernel().slot(rig.id_of("b1")).disk;
        EXPECT_EQ(disk.exists("/data/.kafka_cleanshutdown"), !needs_load);
        EXPECT_FALSE(disk.exists("/data/replication-offset-checkpoint"))
            << "high watermarks are not forgotten";
    }
}

}  // namespace
}  // namespace klab::broker
