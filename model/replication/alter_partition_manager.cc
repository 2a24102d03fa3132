// SPDX-License-Identifier: Apache-2.0
//
// See alter_partition_manager.h.
#include "model/replication/alter_partition_manager.h"

#include <algorithm>
#include <utility>

#include "sim/base/assert.h"

namespace klab::replication {

bool AlterPartitionManager::submit(protocol::AlterPartitionItem item, std::uint64_t number) {
    const PartitionKey key{item.topic_id, item.partition};
    if (queue_.contains(key)) {
        return false;
    }
    queue_.insert_or_assign(key, Queued{std::move(item), number});
    return true;
}

std::optional<protocol::AlterPartitionRequest> AlterPartitionManager::next_request(
    types::BrokerId broker, types::BrokerEpoch broker_epoch) {
    if (is_in_flight() || waiting_ || queue_.empty()) {
        return std::nullopt;
    }
    protocol::AlterPartitionRequest request;
    request.broker_id = broker;
    request.broker_epoch = broker_epoch;
    request.partitions.reserve(queue_.size());
    in_flight_.reserve(queue_.size());
    queue_.for_each([&](const PartitionKey& key, const Queued& queued) {
        request.partitions.push_back(queued.item);
        in_flight_.push_back(key);
    });
    return request;
}

std::vector<AlterPartitionManager::Answered> AlterPartitionManager::on_response(
    const protocol::AlterPartitionResponse& response) {
    KLAB_ASSERT(is_in_flight(), "an answer without a request");
    KLAB_ASSERT(response.error == types::ErrorCode::kNone, "the whole request failed");
    std::vector<Answered> answered;
    for (const protocol::AlterPartitionResult& result : response.partitions) {
        const PartitionKey key{result.topic_id, result.partition};
        const Queued* queued = queue_.find(key);
        // Only what was asked counts: the queue may hold a newer partition that was not sent yet.
        if (queued == nullptr || !std::binary_search(in_flight_.begin(), in_flight_.end(), key)) {
            continue;
        }
        answered.push_back({key, queued->number, result});
        queue_.erase(key);
    }
    in_flight_.clear();
    return answered;
}

void AlterPartitionManager::on_failure() {
    in_flight_.clear();
    waiting_ = true;
}

}  // namespace klab::replication
