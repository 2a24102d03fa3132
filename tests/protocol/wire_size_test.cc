// SPDX-License-Identifier: Apache-2.0
//
// Sizes on the wire: close to what Kafka's flexible encoding takes, and growing with what varies.
// The expected sizes are counted field by field from the schemas: compact lengths of one byte, one
// byte of tagged fields for each struct.
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/protocol/alter_partition.h"
#include "model/protocol/app_call.h"
#include "model/protocol/broker_lifecycle.h"
#include "model/protocol/delete_records.h"
#include "model/protocol/fetch.h"
#include "model/protocol/init_producer_id.h"
#include "model/protocol/list_offsets.h"
#include "model/protocol/metadata.h"
#include "model/protocol/offset_for_leader_epoch.h"
#include "model/protocol/produce.h"
#include "model/protocol/topic_admin.h"

namespace klab::protocol {
namespace {

constexpr std::int64_t kTag = 1;      // no tagged fields
constexpr std::int64_t kCompact = 1;  // length of a short string or array
constexpr std::int64_t kUuid = 16;
constexpr std::int64_t kShort = 2;
constexpr std::int64_t kInt = 4;
constexpr std::int64_t kLong = 8;
/// Frame, api key, version, correlation, client id of eight letters, tagged fields.
constexpr std::int64_t kRequestHead = kInt + kShort + kShort + kInt + (kShort + 8) + kTag;
/// Frame, correlation, tagged fields, throttle time.
constexpr std::int64_t kResponseHead = kInt + kInt + kTag + kInt;

/// A message with one partition of topic "t" differs by a few bytes only.
template <typename Message>
void expect_close(const Message& message, std::int64_t kafka, std::string_view name) {
    const auto bytes = static_cast<std::int64_t>(message.wire_bytes());
    EXPECT_LE(std::abs(bytes - kafka), 12) << name << ": " << bytes << ", in Kafka " << kafka;
    EXPECT_EQ(sim::make_message(message).bytes(), message.wire_bytes());
}

const types::TopicPartition kPartition{"t", 0};

TEST(WireSize, ProduceIsCloseToKafkas) {
    ProduceRequest request;
    request.partitions.push_back({kPartition, SharedBytes(Bytes(1'000))});
    expect_close(request,
                 kRequestHead + 1 + kShort + kInt + kCompact +
                     (kCompact + 1 + kCompact + (kInt + 2 + 1'000 + kTag) + kTag) + kTag,
                 "ProduceRequest v12");
    ProduceResponse response;
    response.partitions.emplace_back();
    expect_close(
        response,
        kResponseHead + kCompact +
            (kCompact + 1 + kCompact + (kInt + kShort + 3 * kLong + kCompact + 1 + kTag) + kTag) +
            kTag,
        "ProduceResponse v12");
}

TEST(WireSize, FetchIsCloseToKafkas) {
    FetchRequest request;
    request.replica_id = types::BrokerId(1);
    request.partitions.emplace_back();
    const std::int64_t replica_state = 2 + kInt + kLong + kTag;
    expect_close(request,
                 kRequestHead + 3 * kInt + 1 + 2 * kInt + kCompact +
                     (kUuid + kCompact + (4 * kInt + 2 * kLong + kTag) + kTag) + kCompact +
                     kCompact + kTag + replica_state,
                 "FetchRequest v16");
    FetchResponse response;
    response.partitions.emplace_back();
    response.partitions[0].records = SharedBytes(Bytes(5'000));
    expect_close(response,
                 kResponseHead + kShort + kInt + kCompact +
                     (kUuid + kCompact +
                      (kInt + kShort + 3 * kLong + kCompact + kInt + 2 + 5'000 + kTag) + kTag) +
                     kTag,
                 "FetchResponse v16");
}

TEST(WireSize, AlterPartitionIsCloseToKafkas) {
    AlterPartitionRequest request;
    request.partitions.emplace_back();
    request.partitions[0].new_isr.resize(3);
    expect_close(request,
                 kRequestHead + kInt + kLong + kCompact +
                     (kUuid + kCompact +
                      (2 * kInt + kCompact + 3 * (kInt + kLong + kTag) + 1 + kInt + kTag) + kTag) +
                     kTag,
                 "AlterPartitionRequest v3");
    AlterPartitionResponse response;
    response.partitions.emplace_back();
    response.partitions[0].isr.resize(3);
    expect_close(response,
                 kResponseHead + kShort + kCompact +
                     (kUuid + kCompact +
                      (kInt + kShort + 2 * kInt + kCompact + 3 * kInt + 1 + kInt + kTag) + kTag) +
                     kTag,
                 "AlterPartitionResponse v3");
}

TEST(WireSize, HeartbeatsAndProducerIdsAreCloseToKafkas) {
    expect_close(BrokerHeartbeatRequest{},
                 kRequestHead + kInt + 2 * kLong + 2 + kTag,
                 "BrokerHeartbeatRequest v1");
    expect_close(
        BrokerHeartbeatResponse{}, kResponseHead + kShort + 3 + kTag, "BrokerHeartbeatResponse v1");
    expect_close(InitProducerIdRequest{},
                 kRequestHead + 1 + kInt + kLong + kShort + kTag,
                 "InitProducerIdRequest v5");
    expect_close(InitProducerIdResponse{},
                 kResponseHead + kShort + kLong + kShort + kTag,
                 "InitProducerIdResponse v5");
    expect_close(AllocateProducerIdsRequest{},
                 kRequestHead + kInt + kLong + kTag,
                 "AllocateProducerIdsRequest v0");
    expect_close(AllocateProducerIdsResponse{},
                 kResponseHead + kShort + kLong + kInt + kTag,
                 "AllocateProducerIdsResponse v0");
}

TEST(WireSize, OffsetsAreCloseToKafkas) {
    ListOffsetsRequest list;
    list.partitions.push_back({kPartition, std::nullopt, kLatestTimestamp});
    expect_close(list,
                 kRequestHead + kInt + 1 + kCompact +
                     (kCompact + 1 + kCompact + (2 * kInt + kLong + kTag) + kTag) + kInt + kTag,
                 "ListOffsetsRequest v10");
    ListOffsetsResponse listed;
    listed.partitions.emplace_back();
    expect_close(listed,
                 kResponseHead + kCompact +
                     (kCompact + 1 + kCompact + (2 * kInt + kShort + 2 * kLong + kTag) + kTag) +
                     kTag,
                 "ListOffsetsResponse v10");
    OffsetForLeaderEpochRequest ask;
    ask.partitions.push_back({kPartition, std::nullopt, types::LeaderEpoch(1)});
    expect_close(ask,
                 kRequestHead + kInt + kCompact +
                     (kCompact + 1 + kCompact + (3 * kInt + kTag) + kTag) + kTag,
                 "OffsetForLeaderEpochRequest v4");
    OffsetForLeaderEpochResponse told;
    told.partitions.emplace_back();
    expect_close(told,
                 kResponseHead + kCompact +
                     (kCompact + 1 + kCompact + (kShort + 2 * kInt + kLong + kTag) + kTag) + kTag,
                 "OffsetForLeaderEpochResponse v4");
}

TEST(WireSize, CallsFromOutsideDoNotTravel) {
    EXPECT_EQ(StartClient{}.wire_bytes(), 0U);
    EXPECT_EQ(StopNode{}.wire_bytes(), 0U);
    ProduceRequest request;
    request.partitions.push_back({kPartition, SharedBytes(Bytes(1'000))});
    EXPECT_EQ(AdminCall{sim::make_message(request)}.wire_bytes(), 0U);
}

RC_GTEST_PROP(WireSize, RecordsCountByteByByte, (std::uint16_t bytes, std::uint16_t more)) {
    const auto produced = [](std::size_t size) {
        ProduceRequest request;
        request.partitions.push_back({kPartition, SharedBytes(Bytes(size))});
        return request.wire_bytes();
    };
    const auto fetched = [](std::size_t size) {
        FetchResponse response;
        response.partitions.emplace_back();
        response.partitions[0].records = SharedBytes(Bytes(size));
        return response.wire_bytes();
    };
    const std::size_t small = bytes;
    const std::size_t large = small + more;
    RC_ASSERT(produced(large) - produced(small) == more);
    RC_ASSERT(fetched(large) - fetched(small) == more);
}

RC_GTEST_PROP(WireSize, NamesAndTextsCountByteByByte, (const std::string& text)) {
    const auto grows_by = [&](auto with, auto without) {
        return with.wire_bytes() - without.wire_bytes() == text.size();
    };
    ProduceRequest produce;
    produce.partitions.push_back({{"", 0}, SharedBytes()});
    ProduceRequest named = produce;
    named.partitions[0].partition.topic = text;
    RC_ASSERT(grows_by(named, produce));
    RC_ASSERT(grows_by(MetadataRequest{{{text}}}, MetadataRequest{{{""}}}));
    RC_ASSERT(grows_by(DeleteTopicsRequest{{text}}, DeleteTopicsRequest{{""}}));
    NewTopic topic;
    topic.config.push_back({"", std::nullopt});
    NewTopic longer = topic;
    longer.name = text;
    RC_ASSERT(grows_by(CreateTopicsRequest{{longer}}, CreateTopicsRequest{{topic}}));
    longer = topic;
    longer.config[0].value = text;
    RC_ASSERT(grows_by(CreateTopicsRequest{{longer}}, CreateTopicsRequest{{topic}}));
    const NamedResult empty;
    RC_ASSERT(grows_by(AlterConfigsResponse{{text, {}, ""}}, AlterConfigsResponse{empty}));
    RC_ASSERT(grows_by(CreateTopicsResponse{{{"", {}, text}}}, CreateTopicsResponse{{empty}}));
    BrokerRegistrationRequest registration;
    BrokerRegistrationRequest racked = registration;
    racked.rack = text;
    RC_ASSERT(grows_by(racked, registration));
}

TEST(WireSize, EveryElementOfAListTakesRoom) {
    const auto grows = [](const auto& less, const auto& more) {
        return more.wire_bytes() > less.wire_bytes();
    };
    FetchRequest fetch;
    FetchRequest fetch_more = fetch;
    fetch_more.partitions.emplace_back();
    EXPECT_TRUE(grows(fetch, fetch_more));
    MetadataResponse metadata;
    MetadataResponse more = metadata;
    more.brokers.emplace_back();
    EXPECT_TRUE(grows(metadata, more));
    MetadataResponse topics = more;
    topics.topics.emplace_back();
    EXPECT_TRUE(grows(more, topics));
    MetadataResponse partitions = topics;
    partitions.topics[0].partitions.emplace_back();
    EXPECT_TRUE(grows(topics, partitions));
    MetadataResponse replicas = partitions;
    replicas.topics[0].partitions[0].replicas.emplace_back();
    replicas.topics[0].partitions[0].isr.emplace_back();
    EXPECT_EQ(replicas.wire_bytes() - partitions.wire_bytes(), 8U);
    ElectLeadersRequest all;
    ElectLeadersRequest some;
    some.partitions.emplace();
    some.partitions->push_back(kPartition);
    EXPECT_TRUE(grows(all, some));
    DeleteRecordsRequest deletion;
    DeleteRecordsRequest two = deletion;
    two.partitions.push_back({kPartition, std::nullopt});
    EXPECT_TRUE(grows(deletion, two));
    DeleteRecordsResponse answered;
    answered.partitions.push_back({kPartition, types::ErrorCode::kNone, types::Offset(3)});
    EXPECT_TRUE(grows(DeleteRecordsResponse{}, answered));
    BrokerRegistrationRequest registration;
    BrokerRegistrationRequest directories = registration;
    directories.log_dirs.resize(2);
    EXPECT_EQ(directories.wire_bytes() - registration.wire_bytes(), 32U);
    NewTopic placed;
    placed.assignment = {{types::BrokerId(1), types::BrokerId(2)}};
    EXPECT_TRUE(grows(CreateTopicsRequest{{NewTopic{}}}, CreateTopicsRequest{{placed}}));
}

}  // namespace
}  // namespace klab::protocol
