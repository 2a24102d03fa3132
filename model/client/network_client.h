// SPDX-License-Identifier: Apache-2.0
//
// NetworkClient: a client's connections, one a broker, with their requests in flight. Answers come
// in the order of the requests. When any request of a connection is older than its time-out the
// connection is closed and all its requests end with it, the younger ones too.
//
//     disconnected -(ready_or_connect, backoff over)-> connecting -(Connected)-> ready
//          ^---------------(refused, setup time-out, reset, close, request time-out)---'
//
// Owns: connection states, backoffs, in-flight queues (volatile); timers kClientRequest and
// kConnectionSetup (a: broker id).
// Called by: producer, consumer, admin client. Kafka: NetworkClient, ClusterConnectionStates,
// InFlightRequests.
// Simplified: no ApiVersions exchange, no throttling, no idle closing; brokers are known from the
// start by their ids.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/client/exponential_backoff.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"
#include "sim/base/cow_map.h"
#include "sim/base/fifo.h"
#include "sim/kernel/context.h"

namespace klab::client {

/// How a request ended.
struct Completion {
    types::BrokerId broker;
    std::int64_t token = 0;  ///< given with the request
    std::uint16_t api = 0;
    std::optional<sim::MessageRef> response;
    /// Without a response: REQUEST_TIMED_OUT when the request itself or an older one of its
    /// connection was too old, NETWORK_EXCEPTION when the connection broke.
    types::ErrorCode error = types::ErrorCode::kNone;

    friend bool operator==(const Completion&, const Completion&) = default;
};

using Completions = std::vector<Completion>;

class NetworkClient {
  public:
    struct Options {
        std::uint32_t max_in_flight = 5;
        Duration request_timeout = seconds(30);
        ExponentialBackoff reconnect{50, 1000};
        ExponentialBackoff setup_timeout{10'000, 30'000};

        friend bool operator==(const Options&, const Options&) = default;
    };

    NetworkClient() = default;

    explicit NetworkClient(const Options& options) : options_(options) {}

    /// May a request be sent to this broker now? Starts a connection when there is none and the
    /// backoff is over.
    [[nodiscard]] bool ready_or_connect(sim::Context& ctx, types::BrokerId broker);

    /// Connected and below max.in.flight; starts nothing.
    [[nodiscard]] bool can_send(types::BrokerId broker) const;

    /// How long until ready_or_connect may start a connection; nothing when it may now, or when the
    /// connection is up or being made (an input will tell).
    [[nodiscard]] std::optional<Duration> wait_before_connect(const sim::Context& ctx,
                                                              types::BrokerId broker) const;

    /// Requires: can_send(broker).
    /// @param expects_response false for a produce with acks=0: nothing is kept in flight.
    void send(sim::Context& ctx,
              types::BrokerId broker,
              sim::MessageRef request,
              std::int64_t token,
              bool expects_response = true);

    [[nodiscard]] std::size_t in_flight(types::BrokerId broker) const;

    /// The broker with the fewest requests in flight among the given ones that is connected, else
    /// one being connected, else one whose backoff is over (longest unused first). The start of the
    /// search is drawn.
    [[nodiscard]] std::optional<types::BrokerId> least_loaded(
        sim::Context& ctx, const std::vector<types::BrokerId>& brokers) const;

    /// Closes every connection; requests in flight are forgotten.
    void close_all(sim::Context& ctx);

    // Inputs; each says whether it was this client's. Ended requests are appended to `done`.
    [[nodiscard]] bool on_connected(sim::Context& ctx, const sim::Connected& input);
    [[nodiscard]] bool on_disconnected(sim::Context& ctx,
                                       const sim::Disconnected& input,
                                       Completions& done);
    [[nodiscard]] bool on_reply(sim::Context& ctx, const sim::Delivered& input, Completions& done);
    /// Says whether a connection was given up: an answer or the connection itself took too long.
    [[nodiscard]] bool on_timer(sim::Context& ctx, const sim::TimerFired& input, Completions& done);

    friend bool operator==(const NetworkClient&, const NetworkClient&) = default;

  private:
    enum class State : std::uint8_t { kDisconnected, kConnecting, kReady };

    struct InFlight {
        std::int32_t correlation = 0;
        std::int64_t token = 0;
        std::uint16_t api = 0;
        Time deadline;  // monotonic

        friend bool operator==(const InFlight&, const InFlight&) = default;
    };

    struct Peer {
        State state = State::kDisconnected;
        sim::ConnectionId connection;  // while not disconnected
        std::uint32_t failures = 0;    // in a row, since it was ready: exponent of the reconnects
        std::uint32_t failed_setups = 0;  // in a row: exponent of the setup time-out
        Time may_connect_at;              // monotonic
        Time last_attempt;                // monotonic; of the last connect or disconnect
        std::int32_t next_correlation = 0;
        Fifo<InFlight> in_flight;
        bool timer_set = false;  // kClientRequest looks at the oldest request

        friend bool operator==(const Peer&, const Peer&) = default;
    };

    [[nodiscard]] Peer* find_by_connection(sim::ConnectionId connection, types::BrokerId& broker);
    void connection_lost(sim::Context& ctx,
                         types::BrokerId broker,
                         Peer& peer,
                         types::ErrorCode error,
                         Completions& done);
    void watch_oldest(sim::Context& ctx, types::BrokerId broker, Peer& peer);

    Options options_;
    CowMap<types::BrokerId, Peer> peers_;
};

}  // namespace klab::client
