// SPDX-License-Identifier: Apache-2.0
//
// See data_plane.h.
#include "model/replication/data_plane.h"

namespace klab::replication {

std::optional<PartitionKey> DataPlane::key_of(const types::TopicPartition& name) const {
    const types::Uuid* topic = around.image.topic_ids.find(name.topic);
    if (topic == nullptr) {
        return std::nullopt;
    }
    return PartitionKey{*topic, name.partition};
}

types::ErrorCode DataPlane::error_of_absent(const std::optional<PartitionKey>& key) const {
    if (key && directories.offline_partitions.contains(*key)) {
        return types::ErrorCode::kKafkaStorageError;
    }
    const bool exists = key && around.image.partition(*key) != nullptr;
    return exists ? types::ErrorCode::kNotLeaderOrFollower
                  : types::ErrorCode::kUnknownTopicOrPartition;
}

}  // namespace klab::replication
