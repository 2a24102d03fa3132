// SPDX-License-Identifier: Apache-2.0
//
// How the leader of the metadata log serves it: check, find divergence, read up to the high
// watermark, or park the fetch until there is more or its max wait is over.
//
// Called by: controller_node.cc through QuorumNode.
// Kafka: KafkaRaftClient.handleFetchRequest, tryCompleteFetchRequest, validateFetchOffsetAndEpoch.
#include <algorithm>

#include "model/raft/quorum_node.h"
#include "model/types/timer_kinds.h"

namespace klab::raft {

namespace {

sim::TimerKey key_of(sim::ConnectionId connection, std::int32_t correlation) {
    return {static_cast<std::uint32_t>(types::TimerKind::kDelayedMetadataFetch),
            static_cast<std::int64_t>(connection.value()),
            correlation};
}

protocol::FetchResponse one_partition(protocol::FetchPartitionResult result) {
    protocol::FetchResponse response;
    response.partitions.push_back(std::move(result));
    return response;
}

}  // namespace

types::ErrorCode check_metadata_fetch(const protocol::FetchRequest& request,
                                      types::QuorumEpoch epoch,
                                      bool is_leader) {
    if (request.partitions.size() != 1 || request.partitions.front().topic_id != kMetadataTopicId ||
        request.partitions.front().partition != 0) {
        return types::ErrorCode::kInvalidRequest;
    }
    const protocol::FetchPartition& fetch = request.partitions.front();
    const bool epochs_cross = fetch.last_fetched_epoch && fetch.current_leader_epoch &&
                              *fetch.last_fetched_epoch > *fetch.current_leader_epoch;
    if (request.max_wait_ms < 0 || fetch.fetch_offset < types::Offset(0) || epochs_cross) {
        return types::ErrorCode::kInvalidRequest;
    }
    if (fetch.current_leader_epoch) {
        if (fetch.current_leader_epoch->value() < epoch.value()) {
            return types::ErrorCode::kFencedLeaderEpoch;
        }
        if (fetch.current_leader_epoch->value() > epoch.value()) {
            return types::ErrorCode::kUnknownLeaderEpoch;
        }
    }
    return is_leader ? types::ErrorCode::kNone : types::ErrorCode::kNotLeaderOrFollower;
}

protocol::FetchPartitionResult QuorumNode::empty_result() const {
    protocol::FetchPartitionResult result;
    result.topic_id = kMetadataTopicId;
    result.high_watermark = high_watermark_;
    result.log_start_offset = log_.start_offset();
    result.current_leader = leader_;
    result.current_leader_epoch = types::LeaderEpoch(epoch_.value());
    return result;
}

std::optional<protocol::DivergingEpoch> QuorumNode::find_divergence(
    const protocol::FetchPartition& fetch) const {
    if (fetch.fetch_offset == log_.start_offset()) {
        return std::nullopt;
    }
    const types::LeaderEpoch last = fetch.last_fetched_epoch.value_or(types::LeaderEpoch(0));
    const storage::EpochEndOffset end = log_.end_offset_for(last);
    if (end.epoch == last && end.end_offset && *end.end_offset >= fetch.fetch_offset) {
        return std::nullopt;
    }
    if (!end.epoch || !end.end_offset) {
        // Older than everything here, or newer: the logs share no epoch that could be named.
        return protocol::DivergingEpoch{types::LeaderEpoch(0), log_.start_offset()};
    }
    return protocol::DivergingEpoch{end.epoch, end.end_offset};
}

void QuorumNode::on_fetch(sim::Context& ctx,
                          sim::ConnectionId connection,
                          std::int32_t correlation,
                          const protocol::FetchRequest& request) {
    if (ctx.lane() != spec_.lane) {
        ctx.assign_lane(connection, spec_.lane);
    }
    const types::ErrorCode error = check_metadata_fetch(request, epoch_, is_leader());
    if (error == types::ErrorCode::kInvalidRequest) {
        protocol::FetchResponse refused;
        refused.error = error;
        ctx.send(connection, sim::make_message(std::move(refused)), correlation);
        return;
    }
    protocol::FetchPartitionResult result = empty_result();
    result.error = error;
    const protocol::FetchPartition& fetch = request.partitions.front();
    if (error == types::ErrorCode::kNone) {
        result.diverging_epoch = find_divergence(fetch);
    }
    const std::int32_t bytes_max = std::max(0, std::min(fetch.max_bytes, request.max_bytes));
    if (error == types::ErrorCode::kNone && !result.diverging_epoch) {
        Result<Bytes, types::ErrorCode> bytes = read_committed(ctx, fetch.fetch_offset, bytes_max);
        if (!bytes) {
            result.error = bytes.error();
        } else if (bytes->empty() && request.max_wait_ms > 0) {
            parked_.push_back({connection, correlation, fetch.fetch_offset, bytes_max});
            ctx.set_timer(
                key_of(connection, correlation), milliseconds(request.max_wait_ms), spec_.lane);
            return;
        } else {
            result.records = SharedBytes(*std::move(bytes));
        }
    }
    ctx.send(connection, sim::make_message(one_partition(std::move(result))), correlation);
}

void QuorumNode::complete_parked_fetches(sim::Context& ctx) {
    std::vector<ParkedFetch> waiting;
    for (const ParkedFetch& fetch : parked_) {
        Result<Bytes, types::ErrorCode> bytes = read_committed(ctx, fetch.offset, fetch.bytes_max);
        if (bytes && bytes->empty()) {
            waiting.push_back(fetch);
            continue;
        }
        protocol::FetchPartitionResult result = empty_result();
        if (bytes) {
            result.records = SharedBytes(*std::move(bytes));
        } else {
            result.error = bytes.error();
        }
        ctx.cancel_timer(key_of(fetch.connection, fetch.correlation));
        ctx.send(fetch.connection,
                 sim::make_message(one_partition(std::move(result))),
                 fetch.correlation);
    }
    parked_ = std::move(waiting);
}

void QuorumNode::expire_parked_fetch(sim::Context& ctx, const sim::TimerKey& key) {
    const auto it = std::ranges::find_if(parked_, [&](const ParkedFetch& fetch) {
        return key_of(fetch.connection, fetch.correlation) == key;
    });
    if (it == parked_.end()) {
        return;
    }
    ctx.send(it->connection, sim::make_message(one_partition(empty_result())), it->correlation);
    parked_.erase(it);
}

void QuorumNode::on_disconnected(sim::Context& ctx, sim::ConnectionId connection) {
    for (const ParkedFetch& fetch : parked_) {
        if (fetch.connection == connection) {
            ctx.cancel_timer(key_of(fetch.connection, fetch.correlation));
        }
    }
    std::erase_if(parked_,
                  [&](const ParkedFetch& fetch) { return fetch.connection == connection; });
}

}  // namespace klab::raft
