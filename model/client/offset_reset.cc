// SPDX-License-Identifier: Apache-2.0
//
// Offset reset: a consumer without a position asks the leader for the earliest or latest offset.
//
// Kafka: OffsetFetcherUtils.resetPositionIfNeeded, SubscriptionState.requestOffsetReset.
#include <algorithm>
#include <map>
#include <utility>

#include "model/client/consumer.h"

namespace klab::client {

using types::ErrorCode;

void Consumer::begin_reset(sim::Context& ctx,
                           FetchPosition& position,
                           const std::string& reason,
                           ErrorCode without_policy,
                           types::ApiKey api) {
    if (config_.auto_offset_reset == types::OffsetReset::kNone) {
        fail(ctx, position, without_policy, api);
        return;
    }
    position.reset = config_.auto_offset_reset;
    position.reset_reason = reason;
    position.buffered.reset();
    position.transition_to(FetchState::kAwaitReset);
}

void Consumer::send_resets(sim::Context& ctx) {
    std::map<types::BrokerId, WireRequest> by_broker;
    for (std::size_t place = 0; place < positions_.size(); ++place) {
        const FetchPosition& position = positions_[place];
        if (position.state != FetchState::kAwaitReset || position.request_in_flight ||
            position.retry_at > ctx.monotonic()) {
            continue;
        }
        const std::optional<types::BrokerId> leader = leader_of(position);
        if (!leader) {
            metadata_.request_update();
        } else if (net_.ready_or_connect(ctx, *leader)) {
            by_broker[*leader].places.push_back(place);
        }
    }
    for (auto& [broker, wire] : by_broker) {
        protocol::ListOffsetsRequest request;
        request.read_committed = config_.isolation_level == types::IsolationLevel::kReadCommitted;
        for (const std::size_t place : wire.places) {
            FetchPosition& position = positions_[place];
            position.request_in_flight = true;
            const bool earliest = position.reset == types::OffsetReset::kEarliest;
            request.partitions.push_back(
                {position.partition,
                 metadata_.partition(position.partition)->leader_epoch,
                 earliest ? protocol::kEarliestTimestamp : protocol::kLatestTimestamp});
        }
        wire.kind = WireRequest::Kind::kReset;
        wire.broker = broker;
        const std::int64_t token = next_token_++;
        net_.send(ctx, broker, sim::make_message(std::move(request)), token);
        wire_.emplace(token, std::move(wire));
    }
}

void Consumer::on_reset_answer(sim::Context& ctx,
                               const WireRequest& request,
                               const std::optional<sim::MessageRef>& response) {
    for (const std::size_t place : request.places) {
        FetchPosition& position = positions_[place];
        position.request_in_flight = false;
        if (position.state != FetchState::kAwaitReset) {
            continue;
        }
        const protocol::ListOffsetsPartitionResult* result = nullptr;
        if (response) {
            const auto& body = response->as<protocol::ListOffsetsResponse>();
            const auto found = std::ranges::find_if(body.partitions, [&](const auto& candidate) {
                return candidate.partition == position.partition;
            });
            result = found == body.partitions.end() ? nullptr : &*found;
        }
        if (result == nullptr || result->error != ErrorCode::kNone || !result->offset) {
            // OFFSET_NOT_AVAILABLE right after an election, or a leader that moved: ask again.
            metadata_.request_update();
            ask_again_later(ctx, position);
            continue;
        }
        // No epoch: a position that was reset is not validated before a record was read from it.
        const std::string reason = position.reset_reason;
        move_to(ctx, position, *result->offset, std::nullopt, reason);
    }
}

}  // namespace klab::client
