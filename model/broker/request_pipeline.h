// SPDX-License-Identifier: Apache-2.0
//
// RequestPipeline: the path of a request through a broker. A network thread reads one request of a
// connection, mutes the connection and puts the request into the one request queue; a free request
// handler takes it; when its answer has left, the connection is unmuted. So at most one request of
// a connection is inside the broker at any time, answers leave in request order, and what a client
// pipelines waits in its socket.
//
//     connection --(not muted)--> request queue --(handler free)--> KafkaApis --> answer sent -->
//     unmute
//         \--(muted)--> socket buffer --(unmute)--^
//
// A full request queue (queued.max.requests) blocks the network thread that found it full: all its
// connections stall, their answers too, until a handler takes a request.
//
// Owns: connections, their muting, the request queue, which handlers are free (all volatile).
// Called by: broker.cc. Kafka: SocketServer, Processor, RequestChannel, KafkaRequestHandler.
// Simplified: service times are near zero (the time of disk calls), no quotas, no idle closing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/broker/broker_lanes.h"
#include "model/replication/replication_types.h"
#include "sim/base/cow_map.h"
#include "sim/base/fifo.h"
#include "sim/kernel/context.h"

namespace klab::broker {

/// A request on its way to a handler.
struct QueuedRequest {
    replication::RequestHandle handle;
    sim::NodeId peer;
    sim::MessageRef message;

    friend bool operator==(const QueuedRequest&, const QueuedRequest&) = default;
};

class RequestPipeline {
  public:
    RequestPipeline() = default;

    RequestPipeline(const BrokerLanes& lanes, std::int32_t queued_max_requests);

    /// A client or broker connected: its network thread is chosen round robin.
    void on_connected(sim::Context& ctx, const sim::Connected& input);

    /// Forgets the connection and what it had in its socket; what is in the request queue or parked
    /// stays and its answer goes nowhere.
    void on_disconnected(const sim::Disconnected& input);

    /// A request came in on its network thread. Requests wait until open() was called.
    void on_request(sim::Context& ctx, const sim::Delivered& input);

    /// From now on requests are handled (the broker has its first metadata).
    void open(sim::Context& ctx);

    /// A handler's turn (timer kRequestReady, a: handler): the request to handle now, if any. Sets
    /// the step's cause to the arrival of the request.
    [[nodiscard]] std::optional<QueuedRequest> take(sim::Context& ctx, const sim::TimerKey& key);

    /// After take() and the work on it: the handler goes on with the queue or becomes free.
    void handler_done(sim::Context& ctx, const sim::TimerKey& key);

    /// Sends an answer; when it leaves, the connection's next request may come in.
    void answer(sim::Context& ctx, const replication::Answer& answer);

    /// A timer of the network threads; says whether it was one.
    [[nodiscard]] bool on_timer(sim::Context& ctx, const sim::TimerFired& input);

    /// Does this connection come from a client or another broker (and not from this one)?
    [[nodiscard]] bool is_incoming(sim::ConnectionId connection) const {
        return connections_.contains(connection);
    }

    [[nodiscard]] std::uint64_t queued() const { return queue_.size(); }

    friend bool operator==(const RequestPipeline&, const RequestPipeline&) = default;

  private:
    struct ConnectionState {
        std::uint16_t thread = 0;
        bool muted = false;          // a request of it is inside the broker
        std::optional<Time> unmute;  // its answer leaves then (monotonic)
        Fifo<QueuedRequest> socket;  // read later

        friend bool operator==(const ConnectionState&, const ConnectionState&) = default;
    };

    void read_next(sim::Context& ctx, ConnectionState& connection);
    void wake_handler(sim::Context& ctx);
    void wake_blocked_threads(sim::Context& ctx);
    void send_held_answers(sim::Context& ctx, std::size_t thread);

    BrokerLanes lanes_;
    std::uint64_t queued_max_ = 500;
    bool open_ = false;
    std::uint16_t next_thread_ = 0;
    CowMap<sim::ConnectionId, ConnectionState> connections_;
    Fifo<QueuedRequest> queue_;
    std::vector<bool> handler_busy_;    // one entry per handler
    std::vector<bool> thread_blocked_;  // one entry per network thread: the queue was full
    std::vector<Fifo<replication::Answer>> held_;  // one entry per network thread, while blocked
};

}  // namespace klab::broker
