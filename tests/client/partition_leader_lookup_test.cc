// SPDX-License-Identifier: Apache-2.0
//
// Where a request to a partition's leader goes, and what its answer leads to. Kafka:
// PartitionLeaderStrategyTest, DeleteRecordsHandlerTest.
#include "model/client/partition_leader_lookup.h"

#include <gtest/gtest.h>

namespace klab::client {
namespace {

using types::ErrorCode;

const types::TopicPartition kPartition{"t", 1};

protocol::MetadataResponse metadata_of(ErrorCode topic_error,
                                       ErrorCode partition_error,
                                       std::optional<types::BrokerId> leader) {
    protocol::MetadataTopic topic;
    topic.name = "t";
    topic.error = topic_error;
    for (const std::int32_t index : {0, 1}) {
        protocol::MetadataPartition partition;
        partition.partition = index;
        partition.error = index == 1 ? partition_error : ErrorCode::kNone;
        partition.leader = index == 1 ? leader : types::BrokerId(9);
        topic.partitions.push_back(partition);
    }
    protocol::MetadataResponse response;
    response.topics.push_back(topic);
    return response;
}

TEST(PartitionLeaderLookup, FindsTheLeaderOfItsPartition) {
    EXPECT_EQ(find_leader(metadata_of(ErrorCode::kNone, ErrorCode::kNone, types::BrokerId(3)),
                          kPartition),
              (LeaderLookup{types::BrokerId(3), ErrorCode::kNone}));
}

TEST(PartitionLeaderLookup, AnUnknownTopicIsAnErrorAndAnUnknownPartitionIsNot) {
    const LeaderLookup again{};
    EXPECT_EQ(find_leader(metadata_of(ErrorCode::kUnknownTopicOrPartition, ErrorCode::kNone, {}),
                          kPartition),
              (LeaderLookup{std::nullopt, ErrorCode::kUnknownTopicOrPartition}));
    EXPECT_EQ(find_leader(metadata_of(ErrorCode::kNone, ErrorCode::kUnknownTopicOrPartition, {}),
                          kPartition),
              again);
    EXPECT_EQ(find_leader(metadata_of(ErrorCode::kNone, ErrorCode::kNone, {}), {"t", 7}), again);
    EXPECT_EQ(find_leader({}, kPartition), again);
}

TEST(PartitionLeaderLookup, WithoutALeaderItAsksAgain) {
    const LeaderLookup again{};
    for (const ErrorCode error : {ErrorCode::kLeaderNotAvailable,
                                  ErrorCode::kBrokerNotAvailable,
                                  ErrorCode::kReplicaNotAvailable,
                                  ErrorCode::kNotLeaderOrFollower,
                                  ErrorCode::kKafkaStorageError}) {
        EXPECT_EQ(find_leader(metadata_of(ErrorCode::kNone, error, {}), kPartition), again);
    }
    EXPECT_EQ(
        find_leader(metadata_of(ErrorCode::kLeaderNotAvailable, ErrorCode::kNone, {}), kPartition),
        again);
    EXPECT_EQ(find_leader(metadata_of(ErrorCode::kNone, ErrorCode::kNone, {}), kPartition), again);
    EXPECT_EQ(find_leader(metadata_of(ErrorCode::kNone, ErrorCode::kInvalidTopicException, {}),
                          kPartition)
                  .error,
              ErrorCode::kInvalidTopicException);
}

TEST(PartitionLeaderLookup, AnAnswerDecidesWhatIsNext) {
    EXPECT_EQ(step_after(ErrorCode::kNone), LeaderCallStep::kDone);
    EXPECT_EQ(step_after(ErrorCode::kPolicyViolation), LeaderCallStep::kDone);
    EXPECT_EQ(step_after(ErrorCode::kOffsetOutOfRange), LeaderCallStep::kDone);
    EXPECT_EQ(step_after(ErrorCode::kNotLeaderOrFollower), LeaderCallStep::kLookUpAgain);
    EXPECT_EQ(step_after(ErrorCode::kUnknownTopicOrPartition), LeaderCallStep::kLookUpAgain);
    EXPECT_EQ(step_after(ErrorCode::kRequestTimedOut), LeaderCallStep::kSendAgain);
}

}  // namespace
}  // namespace klab::client
