// SPDX-License-Identifier: Apache-2.0
//
// See partition_leader_lookup.h.
#include "model/client/partition_leader_lookup.h"

#include <algorithm>

namespace klab::client {

using types::ErrorCode;

namespace {

bool is_transient_topic_error(ErrorCode error) {
    return error == ErrorCode::kLeaderNotAvailable || error == ErrorCode::kBrokerNotAvailable;
}

bool is_transient_partition_error(ErrorCode error) {
    return is_transient_topic_error(error) || error == ErrorCode::kNotLeaderOrFollower ||
           error == ErrorCode::kReplicaNotAvailable || error == ErrorCode::kKafkaStorageError ||
           error == ErrorCode::kUnknownTopicOrPartition;
}

}  // namespace

LeaderLookup find_leader(const protocol::MetadataResponse& metadata,
                         const types::TopicPartition& partition) {
    const auto topic =
        std::ranges::find(metadata.topics, partition.topic, &protocol::MetadataTopic::name);
    if (topic == metadata.topics.end()) {
        return {};
    }
    if (topic->error != ErrorCode::kNone) {
        return {std::nullopt,
                is_transient_topic_error(topic->error) ? ErrorCode::kNone : topic->error};
    }
    const auto found = std::ranges::find(
        topic->partitions, partition.partition, &protocol::MetadataPartition::partition);
    if (found == topic->partitions.end()) {
        return {};
    }
    if (found->error != ErrorCode::kNone) {
        return {std::nullopt,
                is_transient_partition_error(found->error) ? ErrorCode::kNone : found->error};
    }
    return {found->leader, ErrorCode::kNone};
}

LeaderCallStep step_after(ErrorCode error) {
    if (types::needs_metadata_refresh(error)) {
        return LeaderCallStep::kLookUpAgain;
    }
    return types::is_retriable(error) ? LeaderCallStep::kSendAgain : LeaderCallStep::kDone;
}

}  // namespace klab::client
