// SPDX-License-Identifier: Apache-2.0
//
// Which number and direction each message has, and that no two share them: the kernel tells types
// of messages apart by this pair alone. Kafka: ApiKeys.
#include <set>
#include <utility>

#include <gtest/gtest.h>

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

template <typename Request, typename Response>
void expect_pair(std::uint16_t key, std::string_view name) {
    EXPECT_EQ(Request::kApi, key) << name;
    EXPECT_EQ(Response::kApi, key) << name;
    EXPECT_FALSE(Request::kReply) << name;
    EXPECT_TRUE(Response::kReply) << name;
    EXPECT_EQ(types::api_name(key), name);
    EXPECT_EQ(types::find_api(name), static_cast<types::ApiKey>(key));
    const sim::MessageRef request = sim::make_message(Request{});
    const sim::MessageRef response = sim::make_message(Response{});
    EXPECT_TRUE(request.is<Request>()) << name;
    EXPECT_FALSE(request.is<Response>()) << name;
    EXPECT_TRUE(response.is<Response>()) << name;
    EXPECT_FALSE(request == response) << name;
    EXPECT_EQ(request, sim::make_message(Request{})) << name;
}

TEST(ProtocolNames, AreKafkasApiKeys) {
    expect_pair<ProduceRequest, ProduceResponse>(0, "Produce");
    expect_pair<FetchRequest, FetchResponse>(1, "Fetch");
    expect_pair<ListOffsetsRequest, ListOffsetsResponse>(2, "ListOffsets");
    expect_pair<MetadataRequest, MetadataResponse>(3, "Metadata");
    expect_pair<CreateTopicsRequest, CreateTopicsResponse>(19, "CreateTopics");
    expect_pair<DeleteTopicsRequest, DeleteTopicsResponse>(20, "DeleteTopics");
    expect_pair<DeleteRecordsRequest, DeleteRecordsResponse>(21, "DeleteRecords");
    expect_pair<InitProducerIdRequest, InitProducerIdResponse>(22, "InitProducerId");
    expect_pair<OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse>(23,
                                                                           "OffsetForLeaderEpoch");
    expect_pair<ElectLeadersRequest, ElectLeadersResponse>(43, "ElectLeaders");
    expect_pair<AlterConfigsRequest, AlterConfigsResponse>(44, "IncrementalAlterConfigs");
    expect_pair<AlterPartitionRequest, AlterPartitionResponse>(56, "AlterPartition");
    expect_pair<BrokerRegistrationRequest, BrokerRegistrationResponse>(62, "BrokerRegistration");
    expect_pair<BrokerHeartbeatRequest, BrokerHeartbeatResponse>(63, "BrokerHeartbeat");
    expect_pair<AllocateProducerIdsRequest, AllocateProducerIdsResponse>(67, "AllocateProducerIds");
}

TEST(ProtocolNames, CallsFromOutsideHaveNumbersThatKafkaDoesNotUse) {
    for (const std::uint16_t api : {StartClient::kApi, StopNode::kApi, AdminCall::kApi}) {
        EXPECT_GE(api, 1000U);
        EXPECT_NE(types::api_name(api), "?");
    }
    EXPECT_EQ((std::set<std::uint16_t>{StartClient::kApi, StopNode::kApi, AdminCall::kApi}).size(),
              3U);
}

TEST(ProtocolNames, MessagesCompareByContent) {
    // Two worlds are equal only if what is under way in them is.
    ProduceRequest one;
    one.partitions.push_back({{"t", 0}, SharedBytes(Bytes{1, 2, 3})});
    ProduceRequest other = one;
    EXPECT_EQ(sim::make_message(one), sim::make_message(other));
    other.partitions[0].records = SharedBytes(Bytes{1, 2, 4});
    EXPECT_FALSE(sim::make_message(one) == sim::make_message(other));
    AdminCall call{sim::make_message(one)};
    EXPECT_EQ(call, AdminCall{sim::make_message(one)});
    EXPECT_FALSE(call == AdminCall{sim::make_message(other)});
}

}  // namespace
}  // namespace klab::protocol
