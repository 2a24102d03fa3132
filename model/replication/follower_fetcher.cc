// SPDX-License-Identifier: Apache-2.0
//
// See follower_fetcher.h.
#include "model/replication/follower_fetcher.h"

#include <algorithm>
#include <utility>

#include "model/protocol/fetch.h"
#include "model/protocol/list_offsets.h"
#include "model/replication/fetch_response_handling.h"
#include "model/replication/offsets_out_of_range.h"
#include "model/replication/truncation.h"
#include "model/types/kafka_events.h"
#include "model/types/model_data.h"
#include "model/types/timer_kinds.h"
#include "sim/base/assert.h"

namespace klab::replication {

using protocol::FetchPartition;
using protocol::FetchPartitionResult;
using protocol::FetchRequest;
using protocol::FetchResponse;
using types::ErrorCode;
using types::TimerKind;

namespace {

bool same_partition(const FetchPartition& asked, const FetchPartitionResult& result) {
    return asked.topic_id == result.topic_id && asked.partition == result.partition;
}

void emit_failed(DataPlane& plane,
                 const FetcherId& fetcher,
                 const PartitionKey& key,
                 ErrorCode error) {
    if (const Partition* partition = plane.find(key)) {
        plane.ctx.emit(
            types::events::kFetchFailed,
            {partition->trace_name, fetcher.leader.value(), static_cast<std::int64_t>(error)});
    }
}

}  // namespace

sim::TimerKey FollowerFetcher::timer(TimerKind kind) const {
    return {static_cast<std::uint32_t>(kind), id_.leader.value(), id_.number};
}

void FollowerFetcher::wake(sim::Context& ctx) const {
    if (waiting_ == Waiting::kNothing && link_ != Link::kConnecting) {
        ctx.set_timer(timer(TimerKind::kFetcherWork), Duration{}, lane_);
    }
}

void FollowerFetcher::add(sim::Context& ctx,
                          const PartitionKey& key,
                          const FollowerFetchState& state) {
    const FollowerFetchState* old = partitions_.find(key);
    if (old != nullptr && old->leader_epoch == state.leader_epoch) {
        return;
    }
    partitions_.insert_or_assign(key, state);
    reusable_fetch_ = {};
    wake(ctx);
}

bool FollowerFetcher::remove(const PartitionKey& key) {
    if (!partitions_.erase(key)) {
        return false;
    }
    reusable_fetch_ = {};
    return true;
}

void FollowerFetcher::set_leader_epoch(const PartitionKey& key, types::LeaderEpoch epoch) {
    if (FollowerFetchState* state = partitions_.find_for_write(key)) {
        state->leader_epoch = epoch;
        reusable_fetch_ = {};
    }
}

void FollowerFetcher::stop(sim::Context& ctx) {
    if (link_ != Link::kNone) {
        ctx.close(connection_);
    }
    ctx.cancel_timer(timer(TimerKind::kFetcherWork));
    ctx.cancel_timer(timer(TimerKind::kFetcherRequest));
}

void FollowerFetcher::do_work(DataPlane& plane) {
    if (waiting_ != Waiting::kNothing || link_ == Link::kConnecting) {
        return;  // one request at a time: the thread is blocked in it
    }
    truncate_waiting(plane);
    while (!out_of_range_.empty() && !partitions_.contains(out_of_range_.front())) {
        out_of_range_.erase(out_of_range_.begin());
    }
    const bool asks_offsets = !out_of_range_.empty();
    sim::MessageRef request =
        asks_offsets ? build_list_offsets(plane, protocol::kLatestTimestamp) : build_fetch(plane);
    if (!request.has_value()) {
        sleep(plane);
        return;
    }
    if (link_ == Link::kNone) {
        connect(plane);
        return;
    }
    send(plane, std::move(request), asks_offsets ? Waiting::kLatestOffset : Waiting::kFetch);
}

void FollowerFetcher::sleep(DataPlane& plane) const {
    if (!partitions_.empty()) {
        const Duration backoff =
            types::duration_of_ms(plane.options.config.replica_fetch_backoff_ms);
        plane.ctx.set_timer(timer(TimerKind::kFetcherWork), backoff, lane_);
    }
}

void FollowerFetcher::connect(DataPlane& plane) {
    const types::BrokerSpec* leader = types::cluster(plane.ctx).broker(id_.leader);
    KLAB_ASSERT(leader != nullptr, "leader {} is not in the cluster", id_.leader);
    connection_ = plane.ctx.connect(leader->node, lane_, kFetcherPurpose);
    link_ = Link::kConnecting;
    plane.ctx.set_timer(timer(TimerKind::kFetcherRequest),
                        types::duration_of_ms(plane.options.config.replica_socket_timeout_ms),
                        lane_);
}

void FollowerFetcher::truncate_waiting(DataPlane& plane) {
    std::vector<PartitionKey> waiting;
    partitions_.for_each([&](const PartitionKey& key, const FollowerFetchState& state) {
        if (state.phase == FetchPhase::kTruncating && !state.is_delayed(plane.ctx.monotonic())) {
            waiting.push_back(key);
        }
    });
    for (const PartitionKey& key : waiting) {
        Partition* partition = plane.find_for_write(key);
        KLAB_ASSERT(partition != nullptr, "a fetcher has a partition that is not hosted");
        // A log without epochs cannot be compared: nothing above the high watermark is sure.
        const types::Offset to =
            std::min(partition->log.high_watermark(), partition->log.log_end_offset());
        FollowerFetchState& state = *partitions_.find_for_write(key);
        if (!truncate_log(plane, *partition, to, "no epochs", plane.ctx.cause())) {
            remove(key);
            continue;
        }
        state.fetch_offset = partition->log.log_end_offset();
        state.last_fetched_epoch = std::nullopt;
        state.phase = FetchPhase::kFetching;
        reusable_fetch_ = {};
    }
}

sim::MessageRef FollowerFetcher::build_fetch(DataPlane& plane) {
    const Time now = plane.ctx.monotonic();
    if (reusable_fetch_.has_value() &&
        reusable_fetch_.as<FetchRequest>().replica_epoch == plane.around.self_epoch) {
        return reusable_fetch_;
    }
    const types::BrokerConfig& config = plane.options.config;
    FetchRequest request;
    request.replica_id = plane.around.self;
    request.replica_epoch = plane.around.self_epoch;
    request.max_wait_ms = static_cast<std::int32_t>(config.replica_fetch_wait_max_ms);
    request.min_bytes = static_cast<std::int32_t>(config.replica_fetch_min_bytes);
    request.max_bytes = static_cast<std::int32_t>(config.replica_fetch_response_max_bytes);
    request.partitions.reserve(partitions_.size());
    partitions_.for_each([&](const PartitionKey& key, const FollowerFetchState& state) {
        const Partition* partition = plane.find(key);
        if (partition == nullptr || !state.is_ready_for_fetch(now)) {
            return;
        }
        request.partitions.push_back(
            {.topic_id = key.topic_id,
             .partition = key.partition,
             .current_leader_epoch = state.leader_epoch,
             .fetch_offset = state.fetch_offset,
             .last_fetched_epoch = state.last_fetched_epoch,
             .log_start_offset = partition->log.log_start_offset(),
             .max_bytes = static_cast<std::int32_t>(config.replica_fetch_max_bytes)});
    });
    if (request.partitions.empty()) {
        return {};
    }
    const bool complete = request.partitions.size() == partitions_.size();
    sim::MessageRef message = sim::make_message(std::move(request));
    if (complete) {
        reusable_fetch_ = message;  // until a state changes
    }
    return message;
}

sim::MessageRef FollowerFetcher::build_list_offsets(const DataPlane& plane,
                                                    std::int64_t timestamp) const {
    const PartitionKey& key = out_of_range_.front();
    const Partition* partition = plane.find(key);
    KLAB_ASSERT(partition != nullptr, "a fetcher has a partition that is not hosted");
    protocol::ListOffsetsRequest request;
    request.replica_id = plane.around.self;
    request.partitions.push_back({.partition = partition->name,
                                  .current_leader_epoch = partitions_.find(key)->leader_epoch,
                                  .timestamp = timestamp});
    return sim::make_message(std::move(request));
}

void FollowerFetcher::send(DataPlane& plane, sim::MessageRef request, Waiting waiting) {
    correlation_ = next_correlation_++;
    waiting_ = waiting;
    request_ = request;
    plane.ctx.send(connection_, std::move(request), correlation_);
    plane.ctx.set_timer(timer(TimerKind::kFetcherRequest),
                        types::duration_of_ms(plane.options.config.replica_socket_timeout_ms),
                        lane_);
}

void FollowerFetcher::finish_request(sim::Context& ctx) {
    waiting_ = Waiting::kNothing;
    ctx.cancel_timer(timer(TimerKind::kFetcherRequest));
}

void FollowerFetcher::on_connected(DataPlane& plane) {
    link_ = Link::kReady;
    plane.ctx.cancel_timer(timer(TimerKind::kFetcherRequest));
    do_work(plane);
}

void FollowerFetcher::on_disconnected(DataPlane& plane) {
    const bool noticed = link_ == Link::kConnecting || waiting_ != Waiting::kNothing;
    link_ = Link::kNone;
    if (noticed) {
        network_failed(plane);
    }
    // A connection that breaks while the thread sleeps costs nothing: it connects again when it
    // next has something to send.
}

void FollowerFetcher::on_request_timeout(DataPlane& plane) {
    plane.ctx.close(connection_);
    link_ = Link::kNone;
    network_failed(plane);
}

void FollowerFetcher::network_failed(DataPlane& plane) {
    finish_request(plane.ctx);
    request_ = {};
    out_of_range_.clear();
    for (const PartitionKey& key : partitions_.keys()) {
        FollowerFetchState& state = *partitions_.find_for_write(key);
        if (!state.is_delayed(plane.ctx.monotonic())) {
            delay(plane, key, state, ErrorCode::kNetworkException);
        }
    }
    do_work(plane);
}

void FollowerFetcher::delay(DataPlane& plane,
                            const PartitionKey& key,
                            FollowerFetchState& state,
                            ErrorCode error) {
    const Duration backoff = types::duration_of_ms(plane.options.config.replica_fetch_backoff_ms);
    state.delayed_until = plane.ctx.monotonic() + backoff;
    reusable_fetch_ = {};
    if (!state.failing) {
        state.failing = true;
        emit_failed(plane, id_, key, error);
    }
}

void FollowerFetcher::on_reply(DataPlane& plane, const sim::Delivered& input) {
    if (waiting_ == Waiting::kNothing || input.correlation != correlation_) {
        return;
    }
    const Waiting waited_for = waiting_;
    finish_request(plane.ctx);
    switch (waited_for) {
        case Waiting::kNothing:
            break;
        case Waiting::kFetch:
            on_fetch_response(plane, input.message);
            break;
        case Waiting::kLatestOffset:
        case Waiting::kEarliestOffset:
            on_list_offsets_response(plane, waited_for, input.message);
            break;
    }
    if (waiting_ == Waiting::kNothing) {
        request_ = {};
        do_work(plane);
    }
}

void FollowerFetcher::on_fetch_response(DataPlane& plane, const sim::MessageRef& message) {
    const sim::MessageRef asked_message = request_;
    const auto& asked = asked_message.as<FetchRequest>().partitions;
    const FetchResponse& response = message.as<FetchResponse>();
    for (std::size_t i = 0; i < asked.size() && i < response.partitions.size(); ++i) {
        const FetchPartitionResult& result = response.partitions[i];
        KLAB_ASSERT(same_partition(asked[i], result), "an answer for a partition not asked for");
        const PartitionKey key{asked[i].topic_id, asked[i].partition};
        const FollowerFetchState* state = partitions_.find(key);
        if (state == nullptr) {
            take_unasked(plane, asked[i], result);
            continue;
        }
        take(plane, key, handle_fetch_result(plane, *state, asked[i], result));
    }
}

void FollowerFetcher::take_unasked(DataPlane& plane,
                                   const FetchPartition& asked,
                                   const FetchPartitionResult& result) const {
    // The partition was taken away while the request was out: its answer is void. Mutant
    // fetch-response-unchecked: whoever follows it now takes it for his.
    const Partition* partition = plane.find({asked.topic_id, asked.partition});
    const bool follows = partition != nullptr && partition->role == Role::kFollower;
    if (follows && plane.around.rules.mutated(types::Mutant::kFetchResponseUnchecked)) {
        FollowerFetchState state;
        state.fetch_offset = asked.fetch_offset;
        (void)handle_fetch_result(plane, state, asked, result);
    }
}

void FollowerFetcher::take(DataPlane& plane, const PartitionKey& key, const FetchOutcome& outcome) {
    switch (outcome.step) {
        case FetchStep::kIgnored:
        case FetchStep::kUnchanged:
            return;
        case FetchStep::kChanged:
            *partitions_.find_for_write(key) = outcome.state;
            reusable_fetch_ = {};
            return;
        case FetchStep::kOutOfRange:
            out_of_range_.push_back(key);
            return;
        case FetchStep::kDelayed:
            delay(plane, key, *partitions_.find_for_write(key), outcome.error);
            return;
        case FetchStep::kFailed:
            emit_failed(plane, id_, key, outcome.error);
            remove(key);
            return;
    }
}

void FollowerFetcher::on_list_offsets_response(DataPlane& plane,
                                               Waiting waited_for,
                                               const sim::MessageRef& message) {
    const auto& response = message.as<protocol::ListOffsetsResponse>();
    KLAB_ASSERT(response.partitions.size() == 1, "one offset was asked for");
    const protocol::ListOffsetsPartitionResult& result = response.partitions.front();
    const PartitionKey key = out_of_range_.front();
    FollowerFetchState* state = partitions_.find_for_write(key);
    const auto& asked = request_.as<protocol::ListOffsetsRequest>().partitions.front();
    if (state == nullptr || state->leader_epoch != asked.current_leader_epoch) {
        out_of_range_.erase(out_of_range_.begin());
        return;  // taken away, or given back under another leader epoch
    }
    Partition* partition = plane.find_for_write(key);
    KLAB_ASSERT(partition != nullptr, "a fetcher has a partition that is not hosted");
    if (result.error != ErrorCode::kNone || !result.offset) {
        out_of_range_.erase(out_of_range_.begin());
        const bool fenced = result.error == ErrorCode::kFencedLeaderEpoch;
        take(plane,
             key,
             {.step = fenced ? FetchStep::kFailed : FetchStep::kDelayed, .error = result.error});
        return;
    }
    const types::Offset own_end = partition->log.log_end_offset();
    if (waited_for == Waiting::kLatestOffset) {
        const auto cut = decide_cut_to_leader_end(own_end, *result.offset);
        if (!cut) {
            send(plane,
                 build_list_offsets(plane, protocol::kEarliestTimestamp),
                 Waiting::kEarliestOffset);
            return;
        }
        out_of_range_.erase(out_of_range_.begin());
        take(plane, key, cut_to_leader_end(plane, *partition, *state, *cut));
        return;
    }
    out_of_range_.erase(out_of_range_.begin());
    take(plane,
         key,
         continue_at_leader_start(
             plane, *partition, *state, decide_leader_start_step(own_end, *result.offset)));
}

}  // namespace klab::replication
