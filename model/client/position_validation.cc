// SPDX-License-Identifier: Apache-2.0
//
// Position validation (KIP-320): when a partition has a leader of a newer epoch, a consumer asks it
// where the epoch of its last record ends. An end below the position means that records it has read
// were cut away.
//
// Kafka: OffsetFetcher.validateOffsetsIfNeeded, SubscriptionState.maybeCompleteValidation.
#include <algorithm>
#include <map>
#include <utility>

#include "model/client/consumer.h"

namespace klab::client {

using types::ErrorCode;

void Consumer::notice_new_epochs() {
    for (FetchPosition& position : positions_) {
        const CachedPartition* cached = metadata_.partition(position.partition);
        if (position.state != FetchState::kFetching || cached == nullptr || !cached->leader_epoch) {
            continue;
        }
        if (!position.leader_epoch || *cached->leader_epoch > *position.leader_epoch) {
            if (position.offset_epoch) {
                position.transition_to(FetchState::kAwaitValidation);
            } else {
                position.leader_epoch = cached->leader_epoch;  // nothing to compare with
            }
        }
    }
}

void Consumer::send_validations(sim::Context& ctx) {
    std::map<types::BrokerId, WireRequest> by_broker;
    for (std::size_t place = 0; place < positions_.size(); ++place) {
        const FetchPosition& position = positions_[place];
        if (position.state != FetchState::kAwaitValidation || position.request_in_flight ||
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
        protocol::OffsetForLeaderEpochRequest request;
        for (const std::size_t place : wire.places) {
            FetchPosition& position = positions_[place];
            position.request_in_flight = true;
            position.leader_epoch = metadata_.partition(position.partition)->leader_epoch;
            wire.offsets.push_back(position.offset);
            request.partitions.push_back(
                {position.partition, position.leader_epoch, *position.offset_epoch});
        }
        wire.kind = WireRequest::Kind::kValidate;
        wire.broker = broker;
        const std::int64_t token = next_token_++;
        net_.send(ctx, broker, sim::make_message(std::move(request)), token);
        wire_.emplace(token, std::move(wire));
    }
}

void Consumer::on_validation_answer(sim::Context& ctx,
                                    const WireRequest& request,
                                    const std::optional<sim::MessageRef>& response) {
    for (std::size_t i = 0; i < request.places.size(); ++i) {
        FetchPosition& position = positions_[request.places[i]];
        position.request_in_flight = false;
        if (position.state != FetchState::kAwaitValidation ||
            position.offset != request.offsets[i]) {
            continue;
        }
        const CachedPartition* cached = metadata_.partition(position.partition);
        if (cached == nullptr || cached->leader_epoch != position.leader_epoch) {
            continue;  // there is a newer leader by now: ask that one
        }
        const protocol::OffsetForLeaderEpochResult* result = nullptr;
        if (response) {
            const auto& body = response->as<protocol::OffsetForLeaderEpochResponse>();
            const auto found = std::ranges::find_if(body.partitions, [&](const auto& candidate) {
                return candidate.partition == position.partition;
            });
            result = found == body.partitions.end() ? nullptr : &*found;
        }
        if (result == nullptr || result->error != ErrorCode::kNone) {
            metadata_.request_update();
            ask_again_later(ctx, position);
            continue;
        }
        on_epoch_end(ctx, position, *result);
    }
}

void Consumer::on_epoch_end(sim::Context& ctx,
                            FetchPosition& position,
                            const protocol::OffsetForLeaderEpochResult& result) {
    constexpr auto kApi = types::ApiKey::kOffsetForLeaderEpoch;
    if (!result.leader_epoch || !result.end_offset) {
        begin_reset(ctx, position, "truncation", ErrorCode::kOffsetOutOfRange, kApi);
        return;
    }
    if (*result.end_offset < position.offset) {
        if (config_.auto_offset_reset == types::OffsetReset::kNone) {
            fail(ctx, position, ErrorCode::kOffsetOutOfRange, kApi);  // LogTruncationException
            return;
        }
        move_to(ctx, position, *result.end_offset, result.leader_epoch, "truncation");
        return;
    }
    position.transition_to(FetchState::kFetching);
}

}  // namespace klab::client
