// SPDX-License-Identifier: Apache-2.0
//
// Which fetches of the metadata log are refused, and how.
#include <gtest/gtest.h>

#include "model/raft/quorum_node.h"

namespace klab::raft {
namespace {

using types::ErrorCode;

protocol::FetchRequest fetch_at(std::int64_t offset) {
    protocol::FetchPartition partition;
    partition.topic_id = kMetadataTopicId;
    partition.fetch_offset = types::Offset(offset);
    protocol::FetchRequest request;
    request.partitions.push_back(partition);
    return request;
}

ErrorCode check(const protocol::FetchRequest& request, bool is_leader = true) {
    return check_metadata_fetch(request, types::QuorumEpoch(5), is_leader);
}

TEST(MetadataFetch, AcceptsTheMetadataPartitionOnly) {
    EXPECT_EQ(check(fetch_at(0)), ErrorCode::kNone);
    auto request = fetch_at(0);
    request.partitions[0].topic_id = {1, 1};
    EXPECT_EQ(check(request), ErrorCode::kInvalidRequest);
    request = fetch_at(0);
    request.partitions[0].partition = 1;
    EXPECT_EQ(check(request), ErrorCode::kInvalidRequest);
    request = fetch_at(0);
    request.partitions.push_back(request.partitions[0]);
    EXPECT_EQ(check(request), ErrorCode::kInvalidRequest);
    request.partitions.clear();
    EXPECT_EQ(check(request), ErrorCode::kInvalidRequest);
}

TEST(MetadataFetch, RefusesImpossibleNumbers) {
    EXPECT_EQ(check(fetch_at(-1)), ErrorCode::kInvalidRequest);
    auto request = fetch_at(0);
    request.max_wait_ms = -1;
    EXPECT_EQ(check(request), ErrorCode::kInvalidRequest);
    request = fetch_at(0);
    request.partitions[0].current_leader_epoch = types::LeaderEpoch(5);
    request.partitions[0].last_fetched_epoch = types::LeaderEpoch(6);
    EXPECT_EQ(check(request), ErrorCode::kInvalidRequest);
}

TEST(MetadataFetch, FencesByTheEpochOfTheQuorum) {
    auto request = fetch_at(3);
    request.partitions[0].current_leader_epoch = types::LeaderEpoch(4);
    EXPECT_EQ(check(request), ErrorCode::kFencedLeaderEpoch);
    request.partitions[0].current_leader_epoch = types::LeaderEpoch(6);
    EXPECT_EQ(check(request), ErrorCode::kUnknownLeaderEpoch);
    request.partitions[0].current_leader_epoch = types::LeaderEpoch(5);
    EXPECT_EQ(check(request), ErrorCode::kNone);
    EXPECT_EQ(check(request, false), ErrorCode::kNotLeaderOrFollower);
}

}  // namespace
}  // namespace klab::raft
