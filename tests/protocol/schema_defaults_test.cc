// SPDX-License-Identifier: Apache-2.0
//
// Defaults and fixed values of the message schemas. What Kafka writes as -1 is absent here. Kafka:
// clients/.../common/message/*.json.
#include <gtest/gtest.h>

#include "model/protocol/alter_partition.h"
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

using types::ErrorCode;

TEST(SchemaDefaults, AHeartbeatAnswerSaysFencedAndNotCaughtUp) {
    const BrokerHeartbeatResponse response;
    EXPECT_EQ(response.error, ErrorCode::kNone);
    EXPECT_FALSE(response.is_caught_up);
    EXPECT_TRUE(response.is_fenced);
    EXPECT_FALSE(response.should_shut_down);
    EXPECT_EQ(BrokerHeartbeatRequest{}.current_metadata_offset, std::nullopt);
    EXPECT_EQ(BrokerRegistrationRequest{}.previous_broker_epoch, std::nullopt);
    EXPECT_EQ(BrokerRegistrationResponse{}.broker_epoch, std::nullopt);
}

TEST(SchemaDefaults, AFetchIsAConsumersUntilItNamesAReplica) {
    const FetchRequest request;
    EXPECT_EQ(request.replica_id, std::nullopt);
    EXPECT_EQ(request.replica_epoch, std::nullopt);
    EXPECT_FALSE(request.read_committed);
    const FetchPartition partition;
    EXPECT_EQ(partition.current_leader_epoch, std::nullopt);
    EXPECT_EQ(partition.last_fetched_epoch, std::nullopt);
    EXPECT_EQ(partition.log_start_offset, std::nullopt);
    const FetchPartitionResult result;
    EXPECT_EQ(result.diverging_epoch, std::nullopt);
    EXPECT_EQ(result.last_stable_offset, std::nullopt);
    EXPECT_EQ(result.log_start_offset, std::nullopt);
    EXPECT_EQ(result.current_leader, std::nullopt);
    EXPECT_TRUE(result.records->empty());
}

TEST(SchemaDefaults, AnAppendThatFailedHasNoOffset) {
    const ProducePartitionResult result;
    EXPECT_EQ(result.error, ErrorCode::kNone);
    EXPECT_EQ(result.base_offset, std::nullopt);
    EXPECT_EQ(result.log_start_offset, std::nullopt);
    EXPECT_EQ(result.current_leader, std::nullopt);
    EXPECT_EQ(result.current_leader_epoch, std::nullopt);
}

TEST(SchemaDefaults, TimestampsOfListOffsets) {
    // ListOffsetsRequest.LATEST_TIMESTAMP and EARLIEST_TIMESTAMP.
    EXPECT_EQ(kLatestTimestamp, -1);
    EXPECT_EQ(kEarliestTimestamp, -2);
    EXPECT_EQ(ListOffsetsPartition{}.timestamp, kLatestTimestamp);
    EXPECT_EQ(ListOffsetsPartitionResult{}.offset, std::nullopt);
    EXPECT_EQ(ListOffsetsPartitionResult{}.leader_epoch, std::nullopt);
    EXPECT_EQ(OffsetForLeaderEpochResult{}.end_offset, std::nullopt);
}

TEST(SchemaDefaults, RecoveryStatesAndElectionTypes) {
    EXPECT_EQ(static_cast<int>(LeaderRecoveryState::kRecovered), 0);
    EXPECT_EQ(static_cast<int>(LeaderRecoveryState::kRecovering), 1);
    EXPECT_EQ(static_cast<int>(ElectionType::kPreferred), 0);
    EXPECT_EQ(static_cast<int>(ElectionType::kUnclean), 1);
    EXPECT_EQ(AlterPartitionItem{}.recovery, LeaderRecoveryState::kRecovered);
    EXPECT_EQ(IsrMember{}.epoch, std::nullopt);
}

TEST(SchemaDefaults, NoListOfTopicsMeansAllAndNoListOfPartitionsToo) {
    EXPECT_EQ(MetadataRequest{}.topics, std::nullopt);
    EXPECT_EQ(ElectLeadersRequest{}.partitions, std::nullopt);
}

TEST(SchemaDefaults, ANewTopicLeavesPartitionsAndReplicasToTheCluster) {
    const NewTopic topic;
    EXPECT_EQ(topic.partitions, std::nullopt);
    EXPECT_EQ(topic.replication_factor, std::nullopt);
    EXPECT_TRUE(topic.assignment.empty());
    EXPECT_EQ(ConfigEntry{}.value, std::nullopt) << "no value: the setting is removed";
}

TEST(SchemaDefaults, NoErrorUnlessSaid) {
    EXPECT_EQ(AlterPartitionResponse{}.error, ErrorCode::kNone);
    EXPECT_EQ(AlterPartitionResult{}.error, ErrorCode::kNone);
    EXPECT_EQ(BrokerRegistrationResponse{}.error, ErrorCode::kNone);
    EXPECT_EQ(FetchResponse{}.error, ErrorCode::kNone);
    EXPECT_EQ(FetchPartitionResult{}.error, ErrorCode::kNone);
    EXPECT_EQ(InitProducerIdResponse{}.error, ErrorCode::kNone);
    EXPECT_EQ(InitProducerIdResponse{}.producer_id, std::nullopt);
    EXPECT_EQ(AllocateProducerIdsResponse{}.error, ErrorCode::kNone);
    EXPECT_EQ(MetadataTopic{}.error, ErrorCode::kNone);
    EXPECT_EQ(MetadataPartition{}.error, ErrorCode::kNone);
    EXPECT_EQ(MetadataPartition{}.leader, std::nullopt);
    EXPECT_EQ(ElectLeadersResponse{}.error, ErrorCode::kNone);
    EXPECT_EQ(NamedResult{}.error, ErrorCode::kNone);
    EXPECT_EQ(DeleteRecordsPartitionResult{}.error, ErrorCode::kNone);
    EXPECT_EQ(DeleteRecordsPartitionResult{}.low_watermark, std::nullopt);
    EXPECT_EQ(DeleteRecordsPartition{}.offset, std::nullopt) << "-1: the high watermark";
}

}  // namespace
}  // namespace klab::protocol
