// SPDX-License-Identifier: Apache-2.0
//
// ControllerChannel: one connection of a broker to the active controller, with a queue of requests,
// one of them in flight. A disconnect or NOT_CONTROLLER is handled here: the same request goes back
// to the head of the queue until a controller answers or its time is over. Registration and
// heartbeats, AlterPartition, assignments of directories, and forwarded requests each have a
// channel of their own.
//
//     idle -(submit)-> connecting -(Connected)-> in flight -(reply)-> idle
//                          ^---(disconnect, NOT_CONTROLLER: after 100 ms)---'
//
// Owns: the connection, queue and request in flight of this channel (volatile).
// Called by: broker.cc. Kafka: NodeToControllerChannelManagerImpl, NodeToControllerRequestThread.
// Simplified: one controller voter, so the active controller is known.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/fifo.h"
#include "sim/kernel/context.h"

namespace klab::broker {

class ControllerChannel {
  public:
    struct Options {
        std::uint32_t purpose = 0;  ///< label of the connection; also names its timers
        sim::Lane lane;
        Duration request_timeout;               ///< of one attempt; then the connection is closed
        std::optional<Duration> retry_timeout;  ///< of a request with all its attempts; none: ever

        friend bool operator==(const Options&, const Options&) = default;
    };

    /// What became of a submitted request; no response when its retry time ran out.
    struct Outcome {
        std::int64_t token = 0;
        std::optional<sim::MessageRef> response;

        friend bool operator==(const Outcome&, const Outcome&) = default;
    };

    ControllerChannel() = default;

    explicit ControllerChannel(const Options& options) : options_(options) {}

    /// Queues a request. `token` comes back with the outcome.
    void submit(sim::Context& ctx, sim::MessageRef request, std::int64_t token);

    // Inputs; each says whether it was this channel's. `outcome` is filled when a request ended.
    [[nodiscard]] bool on_connected(sim::Context& ctx, const sim::Connected& input);
    [[nodiscard]] bool on_disconnected(sim::Context& ctx, const sim::Disconnected& input);
    [[nodiscard]] bool on_reply(sim::Context& ctx,
                                const sim::Delivered& input,
                                std::optional<Outcome>& outcome);
    [[nodiscard]] bool on_timer(sim::Context& ctx,
                                const sim::TimerFired& input,
                                std::optional<Outcome>& outcome);

    /// Requests not answered yet.
    [[nodiscard]] std::uint64_t pending() const { return queue_.size() + (in_flight_ ? 1U : 0U); }

    friend bool operator==(const ControllerChannel&, const ControllerChannel&) = default;

  private:
    struct Item {
        std::int64_t token = 0;
        sim::MessageRef request;
        Time submitted;  // monotonic
        sim::EventId because;

        friend bool operator==(const Item&, const Item&) = default;
    };

    void pump(sim::Context& ctx);
    void requeue_in_flight(sim::Context& ctx);
    [[nodiscard]] sim::TimerKey timer(std::uint32_t kind) const;
    [[nodiscard]] bool is_expired(const sim::Context& ctx, const Item& item) const;
    [[nodiscard]] std::optional<Outcome> expire(sim::Context& ctx);

    Options options_;
    std::optional<sim::ConnectionId> connection_;
    bool connected_ = false;
    std::int32_t next_correlation_ = 0;
    Fifo<Item> queue_;
    std::optional<Item> in_flight_;
};

}  // namespace klab::broker
