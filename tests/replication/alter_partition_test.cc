// SPDX-License-Identifier: Apache-2.0
//
// The queue of ISR proposals, and what a leader makes of an answer.
#include <gtest/gtest.h>

#include "model/replication/alter_partition_manager.h"
#include "model/replication/alter_partition_outcome.h"
#include "model/replication/fetcher_manager.h"
#include "model/replication/partition_metadata.h"
#include "model/storage/byte_io.h"
#include "sim/base/assert.h"

namespace klab::replication {
namespace {

using protocol::AlterPartitionResponse;
using protocol::AlterPartitionResult;
using types::ErrorCode;

constexpr types::Uuid kTopic{7, 9};
const types::BrokerId kSelf{1};
const types::BrokerEpoch kEpoch{101};

protocol::AlterPartitionItem item(std::int32_t partition) {
    protocol::AlterPartitionItem result;
    result.topic_id = kTopic;
    result.partition = partition;
    return result;
}

AlterPartitionResult result(std::int32_t partition, ErrorCode error = ErrorCode::kNone) {
    AlterPartitionResult answer;
    answer.topic_id = kTopic;
    answer.partition = partition;
    answer.error = error;
    return answer;
}

TEST(AlterPartitionManager, SendsEverythingQueuedInOneRequest) {
    AlterPartitionManager manager;
    EXPECT_FALSE(manager.next_request(kSelf, kEpoch));
    ASSERT_TRUE(manager.submit(item(1), 5));
    ASSERT_TRUE(manager.submit(item(0), 3));
    const auto request = manager.next_request(kSelf, kEpoch);
    ASSERT_TRUE(request);
    ASSERT_EQ(request->partitions.size(), 2U);
    EXPECT_EQ(request->partitions[0].partition, 0);
    EXPECT_EQ(request->broker_epoch, kEpoch);
    EXPECT_FALSE(manager.next_request(kSelf, kEpoch)) << "one request in flight";
}

TEST(AlterPartitionManager, TP24_TakesOneProposalAPartition) {
    AlterPartitionManager manager;
    ASSERT_TRUE(manager.submit(item(0), 1));
    EXPECT_FALSE(manager.submit(item(0), 2));
    ASSERT_TRUE(manager.next_request(kSelf, kEpoch));
    EXPECT_FALSE(manager.submit(item(0), 2)) << "sent, but not answered";
    EXPECT_EQ(manager.on_response({.partitions = {result(0)}}).at(0).number, 1U);
    EXPECT_TRUE(manager.submit(item(0), 2));
}

TEST(AlterPartitionManager, SendsAgainWhatTheAnswerLeftOut) {
    AlterPartitionManager manager;
    ASSERT_TRUE(manager.submit(item(0), 1));
    ASSERT_TRUE(manager.submit(item(1), 1));
    ASSERT_TRUE(manager.next_request(kSelf, kEpoch));
    EXPECT_EQ(manager.on_response({.partitions = {result(0)}}).size(), 1U);
    const auto again = manager.next_request(kSelf, kEpoch);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->partitions.size(), 1U);
    EXPECT_EQ(again->partitions[0].partition, 1);
}

TEST(AlterPartitionManager, WaitsForItsTimerAfterAFailure) {
    AlterPartitionManager manager;
    ASSERT_TRUE(manager.submit(item(0), 1));
    ASSERT_TRUE(manager.next_request(kSelf, kEpoch));
    manager.on_failure();
    EXPECT_FALSE(manager.next_request(kSelf, kEpoch));
    manager.on_retry_timer();
    EXPECT_TRUE(manager.next_request(kSelf, kEpoch));
}

TEST(AlterPartitionManager, IgnoresAnswersForWhatItDidNotSend) {
    AlterPartitionManager manager;
    ASSERT_TRUE(manager.submit(item(0), 1));
    ASSERT_TRUE(manager.next_request(kSelf, kEpoch));
    ASSERT_TRUE(manager.submit(item(1), 1));
    EXPECT_TRUE(manager.on_response({.partitions = {result(1)}}).empty());
    EXPECT_EQ(manager.queued(), 2U);
}

TEST(AlterPartitionOutcome, FollowsTheTable) {
    const LeaderEpochs own{types::LeaderEpoch(5), types::PartitionEpoch(3)};
    const auto step =
        [&](ErrorCode error, std::int32_t leader_epoch, std::int32_t partition_epoch) {
            AlterPartitionResult answer = result(0, error);
            answer.leader_epoch = types::LeaderEpoch(leader_epoch);
            answer.partition_epoch = types::PartitionEpoch(partition_epoch);
            return decide_alter_partition_step(answer, own);
        };
    using enum AlterPartitionStep;
    EXPECT_EQ(step(ErrorCode::kNone, 5, 4), kCommit);
    EXPECT_EQ(step(ErrorCode::kNone, 5, 3), kCommit);
    EXPECT_EQ(step(ErrorCode::kNone, 5, 2), kWaitForMetadata);
    EXPECT_EQ(step(ErrorCode::kNone, 6, 4), kWaitForMetadata);
    EXPECT_EQ(step(ErrorCode::kNone, 4, 4), kWaitForMetadata);
    for (const ErrorCode error :
         {ErrorCode::kOperationNotAttempted, ErrorCode::kIneligibleReplica}) {
        EXPECT_EQ(step(error, 5, 3), kRevert);
    }
    for (const ErrorCode error : {ErrorCode::kUnknownTopicOrPartition,
                                  ErrorCode::kUnknownTopicId,
                                  ErrorCode::kFencedLeaderEpoch,
                                  ErrorCode::kInvalidUpdateVersion,
                                  ErrorCode::kInvalidRequest,
                                  ErrorCode::kNewLeaderElected}) {
        EXPECT_EQ(step(error, 5, 3), kWaitForMetadata);
    }
    for (const ErrorCode error : {ErrorCode::kUnknownServerError, ErrorCode::kNetworkException}) {
        EXPECT_EQ(step(error, 5, 3), kRetry);
    }
}

TEST(FetcherNumber, SpreadsPartitionsAsKafkaDoes) {
    // abs(31 * "t".hashCode() + partition) mod n; "t".hashCode() is 116.
    EXPECT_EQ(fetcher_number("t", 0, 1), 0);
    EXPECT_EQ(fetcher_number("t", 0, 4), (31 * 116) % 4);
    EXPECT_EQ(fetcher_number("t", 1, 4), (31 * 116 + 1) % 4);
    // A hash that is negative as a 32-bit number: "orders-payments".hashCode() * 31 wraps around.
    for (const std::int32_t partition : {0, 1, 2, 3}) {
        const std::int32_t number = fetcher_number("orders-payments-eu-west", partition, 3);
        EXPECT_GE(number, 0);
        EXPECT_LT(number, 3);
    }
}

TEST(PartitionMetadataFile, NamesTheTopicById) {
    const types::Uuid id{0x0123456789ABCDEF, 0xFEDCBA9876543210};
    const Bytes bytes = encode_partition_metadata(id);
    EXPECT_EQ(parse_partition_metadata(ByteView(bytes)), id);
    Bytes damaged = bytes;
    damaged[damaged.size() - 3] = '!';
    EXPECT_EQ(parse_partition_metadata(ByteView(damaged)), std::nullopt);
    EXPECT_EQ(parse_partition_metadata(ByteView(bytes).first(5)), std::nullopt);
    EXPECT_EQ(parse_partition_metadata({}), std::nullopt);
}

TEST(PartitionMetadataFile, IsReadAsKafkaReadsIt) {
    // PartitionMetadataReadBuffer: what stands behind the ": " of the first two lines.
    const auto read = [](std::string_view text) {
        return parse_partition_metadata(storage::view_of(text));
    };
    const types::Uuid id{0, 1};
    EXPECT_EQ(storage::text_of(encode_partition_metadata(id)),
              "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ");
    EXPECT_EQ(read("version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ\n"), id);
    EXPECT_EQ(read("v:  7\r\nx: AAAAAAAAAAAAAAAAAAAAAQ\r\nmore"), id);
    EXPECT_EQ(read("version: -1\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ"), std::nullopt);
    EXPECT_EQ(read("version:0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ"), std::nullopt);
    EXPECT_EQ(read("version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA"), std::nullopt) << "zero";
}

}  // namespace
}  // namespace klab::replication
