// SPDX-License-Identifier: Apache-2.0
//
// RequestPipeline: muting, queueing and handing out of requests.
#include "model/broker/request_pipeline.h"

#include <algorithm>
#include <utility>

#include "model/types/timer_kinds.h"

namespace klab::broker {

namespace {

sim::TimerKey ready_timer(std::size_t handler) {
    return {static_cast<std::uint32_t>(types::TimerKind::kRequestReady),
            static_cast<std::int64_t>(handler),
            0};
}

sim::TimerKey sent_timer(sim::ConnectionId connection) {
    return {static_cast<std::uint32_t>(types::TimerKind::kResponseSent),
            static_cast<std::int64_t>(connection.value()),
            0};
}

sim::TimerKey thread_timer(std::uint16_t thread) {
    return {static_cast<std::uint32_t>(types::TimerKind::kNetworkThread), thread, 0};
}

}  // namespace

RequestPipeline::RequestPipeline(const BrokerLanes& lanes, std::int32_t queued_max_requests)
    : lanes_(lanes),
      queued_max_(static_cast<std::uint64_t>(queued_max_requests)),
      handler_busy_(lanes.io_threads, false),
      thread_blocked_(lanes.network_threads, false),
      held_(lanes.network_threads) {}

void RequestPipeline::on_connected(sim::Context& ctx, const sim::Connected& input) {
    ConnectionState& connection = connections_.at_or_insert(input.connection);
    connection.thread = next_thread_;
    next_thread_ = static_cast<std::uint16_t>((next_thread_ + 1) % lanes_.network_threads);
    ctx.assign_lane(input.connection, BrokerLanes::network(connection.thread));
}

void RequestPipeline::on_disconnected(const sim::Disconnected& input) {
    connections_.erase(input.connection);
}

void RequestPipeline::on_request(sim::Context& ctx, const sim::Delivered& input) {
    ConnectionState* connection = connections_.find_for_write(input.connection);
    if (connection == nullptr) {
        return;
    }
    connection->socket.push_back(QueuedRequest{
        {input.connection, input.correlation, ctx.cause()}, input.peer, input.message});
    read_next(ctx, *connection);
}

void RequestPipeline::read_next(sim::Context& ctx, ConnectionState& connection) {
    if (!open_ || connection.socket.empty() || thread_blocked_[connection.thread]) {
        return;
    }
    if (connection.unmute && *connection.unmute <= ctx.monotonic()) {
        connection.muted = false;
        connection.unmute.reset();
    }
    if (connection.muted) {
        if (connection.unmute) {
            // Only a request that waits for it needs to know when the answer has left.
            ctx.set_timer(sent_timer(connection.socket.front().handle.connection),
                          *connection.unmute - ctx.monotonic(),
                          BrokerLanes::network(connection.thread));
        }
        return;
    }
    if (queue_.size() >= queued_max_) {
        thread_blocked_[connection.thread] = true;
        return;
    }
    connection.muted = true;
    queue_.push_back(connection.socket.pop_front());
    wake_handler(ctx);
}

void RequestPipeline::wake_handler(sim::Context& ctx) {
    const auto idle = std::find(handler_busy_.begin(), handler_busy_.end(), false);
    if (idle == handler_busy_.end()) {
        return;
    }
    const auto handler = static_cast<std::size_t>(idle - handler_busy_.begin());
    *idle = true;
    ctx.set_timer(
        ready_timer(handler), Duration{}, lanes_.handler(static_cast<std::uint16_t>(handler)));
}

void RequestPipeline::open(sim::Context& ctx) {
    open_ = true;
    for (const sim::ConnectionId id : connections_.keys()) {
        read_next(ctx, *connections_.find_for_write(id));
    }
}

std::optional<QueuedRequest> RequestPipeline::take(sim::Context& ctx, const sim::TimerKey&) {
    if (queue_.empty()) {
        return std::nullopt;
    }
    const bool was_full = queue_.size() >= queued_max_;
    QueuedRequest request = queue_.pop_front();
    if (was_full) {
        wake_blocked_threads(ctx);
    }
    ctx.set_cause(request.handle.received);
    return request;
}

void RequestPipeline::wake_blocked_threads(sim::Context& ctx) {
    std::fill(thread_blocked_.begin(), thread_blocked_.end(), false);
    for (const sim::ConnectionId id : connections_.keys()) {
        read_next(ctx, *connections_.find_for_write(id));
    }
    for (std::uint16_t thread = 0; thread < held_.size(); ++thread) {
        if (!held_[thread].empty() && !thread_blocked_[thread]) {
            ctx.set_timer(thread_timer(thread), Duration{}, BrokerLanes::network(thread));
        }
    }
}

bool RequestPipeline::on_timer(sim::Context& ctx, const sim::TimerFired& input) {
    if (input.key.timer == static_cast<std::uint32_t>(types::TimerKind::kResponseSent)) {
        const sim::ConnectionId id(static_cast<std::uint64_t>(input.key.a));
        if (ConnectionState* connection = connections_.find_for_write(id)) {
            read_next(ctx, *connection);
        }
        return true;
    }
    if (input.key.timer == static_cast<std::uint32_t>(types::TimerKind::kNetworkThread)) {
        send_held_answers(ctx, static_cast<std::size_t>(input.key.a));
        return true;
    }
    return false;
}

void RequestPipeline::send_held_answers(sim::Context& ctx, std::size_t thread) {
    // Letting the next request of a connection in may block the thread again.
    while (!held_[thread].empty() && !thread_blocked_[thread]) {
        answer(ctx, held_[thread].pop_front());
    }
}

void RequestPipeline::handler_done(sim::Context& ctx, const sim::TimerKey& key) {
    const auto handler = static_cast<std::size_t>(key.a);
    if (queue_.empty()) {
        handler_busy_[handler] = false;
        return;
    }
    ctx.set_timer(key, Duration{}, lanes_.handler(static_cast<std::uint16_t>(handler)));
}

void RequestPipeline::answer(sim::Context& ctx, const replication::Answer& answer) {
    ConnectionState* connection = connections_.find_for_write(answer.to.connection);
    if (connection == nullptr) {
        return;  // the client is gone
    }
    if (thread_blocked_[connection->thread]) {
        held_[connection->thread].push_back(answer);
        return;
    }
    if (answer.close_connection) {
        ctx.close(answer.to.connection);
        connections_.erase(answer.to.connection);
        return;
    }
    if (answer.response.has_value()) {
        ctx.send(answer.to.connection,
                 answer.response,
                 answer.to.correlation,
                 {answer.to.received, answer.because.value_or(sim::EventId{})});
    }
    connection->unmute = ctx.busy_until();
    read_next(ctx, *connection);
}

}  // namespace klab::broker
