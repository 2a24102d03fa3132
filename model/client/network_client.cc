// SPDX-License-Identifier: Apache-2.0
//
// NetworkClient: connecting, sending, completing.
#include "model/client/network_client.h"

#include <utility>

#include "model/types/model_data.h"
#include "model/types/timer_kinds.h"

namespace klab::client {

namespace {

constexpr std::uint32_t kClientPurpose = 1;

sim::TimerKey request_timer(types::BrokerId broker) {
    return {static_cast<std::uint32_t>(types::TimerKind::kClientRequest), broker.value(), 0};
}

sim::TimerKey setup_timer(types::BrokerId broker) {
    return {static_cast<std::uint32_t>(types::TimerKind::kConnectionSetup), broker.value(), 0};
}

}  // namespace

bool NetworkClient::ready_or_connect(sim::Context& ctx, types::BrokerId broker) {
    Peer& peer = peers_.at_or_insert(broker);
    if (peer.state == State::kReady) {
        return peer.in_flight.size() < options_.max_in_flight;
    }
    if (peer.state == State::kDisconnected && ctx.monotonic() >= peer.may_connect_at) {
        const types::BrokerSpec* spec = types::cluster(ctx).broker(broker);
        KLAB_ASSERT(spec != nullptr, "broker {} is not in the layout", broker);
        peer.state = State::kConnecting;
        peer.last_attempt = ctx.monotonic();
        peer.connection = ctx.connect(spec->node, sim::Lane(0), kClientPurpose);
        const Duration limit =
            options_.setup_timeout.draw(ctx, sites::kReconnectJitter, peer.failed_setups);
        ctx.set_timer(setup_timer(broker), limit);
    }
    return false;
}

bool NetworkClient::can_send(types::BrokerId broker) const {
    const Peer* peer = peers_.find(broker);
    return peer != nullptr && peer->state == State::kReady &&
           peer->in_flight.size() < options_.max_in_flight;
}

std::optional<Duration> NetworkClient::wait_before_connect(const sim::Context& ctx,
                                                           types::BrokerId broker) const {
    const Peer* peer = peers_.find(broker);
    if (peer == nullptr || peer->state != State::kDisconnected ||
        peer->may_connect_at <= ctx.monotonic()) {
        return std::nullopt;
    }
    return peer->may_connect_at - ctx.monotonic();
}

void NetworkClient::send(sim::Context& ctx,
                         types::BrokerId broker,
                         sim::MessageRef request,
                         std::int64_t token,
                         bool expects_response) {
    KLAB_ASSERT(can_send(broker), "broker {} cannot take a request now", broker);
    Peer& peer = *peers_.find_for_write(broker);
    const std::int32_t correlation = peer.next_correlation++;
    if (expects_response) {
        peer.in_flight.push_back(InFlight{
            correlation, token, request.api(), ctx.monotonic() + options_.request_timeout});
        watch_oldest(ctx, broker, peer);
    }
    ctx.send(peer.connection, std::move(request), correlation);
}

std::size_t NetworkClient::in_flight(types::BrokerId broker) const {
    const Peer* peer = peers_.find(broker);
    return peer == nullptr ? 0 : peer->in_flight.size();
}

std::optional<types::BrokerId> NetworkClient::least_loaded(
    sim::Context& ctx, const std::vector<types::BrokerId>& brokers) const {
    if (brokers.empty()) {
        return std::nullopt;
    }
    const std::uint32_t start =
        ctx.pick(sites::kLeastLoaded, static_cast<std::uint32_t>(brokers.size()));
    std::optional<types::BrokerId> ready;
    std::optional<types::BrokerId> connecting;
    std::optional<types::BrokerId> idle;
    std::size_t fewest = 0;
    Time oldest;
    for (std::size_t i = 0; i < brokers.size(); ++i) {
        const types::BrokerId broker = brokers[(start + i) % brokers.size()];
        const Peer* peer = peers_.find(broker);
        const State state = peer == nullptr ? State::kDisconnected : peer->state;
        if (can_send(broker)) {
            if (!ready || peer->in_flight.size() < fewest) {
                ready = broker;
                fewest = peer->in_flight.size();
            }
            if (fewest == 0) {
                return ready;
            }
        } else if (state == State::kConnecting) {
            connecting = broker;
        } else if (state == State::kDisconnected &&
                   (peer == nullptr || peer->may_connect_at <= ctx.monotonic())) {
            const Time last = peer == nullptr ? Time{} : peer->last_attempt;
            if (!idle || last < oldest) {
                idle = broker;
                oldest = last;
            }
        }
    }
    if (ready) {
        return ready;
    }
    return connecting ? connecting : idle;
}

void NetworkClient::close_all(sim::Context& ctx) {
    for (const types::BrokerId broker : peers_.keys()) {
        Peer& peer = *peers_.find_for_write(broker);
        if (peer.state != State::kDisconnected) {
            ctx.close(peer.connection);
        }
        ctx.cancel_timer(request_timer(broker));
        ctx.cancel_timer(setup_timer(broker));
        peer = Peer{};
    }
}

NetworkClient::Peer* NetworkClient::find_by_connection(sim::ConnectionId connection,
                                                       types::BrokerId& broker) {
    bool found = false;
    peers_.for_each([&](types::BrokerId id, const Peer& peer) {
        if (!found && peer.state != State::kDisconnected && peer.connection == connection) {
            broker = id;
            found = true;
        }
    });
    return found ? peers_.find_for_write(broker) : nullptr;
}

bool NetworkClient::on_connected(sim::Context& ctx, const sim::Connected& input) {
    types::BrokerId broker;
    Peer* peer = find_by_connection(input.connection, broker);
    if (peer == nullptr) {
        return false;
    }
    peer->state = State::kReady;
    peer->failures = 0;
    peer->failed_setups = 0;
    ctx.cancel_timer(setup_timer(broker));
    return true;
}

void NetworkClient::connection_lost(sim::Context& ctx,
                                    types::BrokerId broker,
                                    Peer& peer,
                                    types::ErrorCode error,
                                    Completions& done) {
    const Duration pause = options_.reconnect.draw(ctx, sites::kReconnectJitter, peer.failures);
    ++peer.failures;
    peer.failed_setups = peer.state == State::kConnecting ? peer.failed_setups + 1 : 0;
    peer.state = State::kDisconnected;
    peer.last_attempt = ctx.monotonic();
    peer.may_connect_at = ctx.monotonic() + pause;
    peer.timer_set = false;
    ctx.cancel_timer(request_timer(broker));
    ctx.cancel_timer(setup_timer(broker));
    while (!peer.in_flight.empty()) {
        const InFlight request = peer.in_flight.pop_front();
        done.push_back(Completion{broker, request.token, request.api, std::nullopt, error});
    }
}

bool NetworkClient::on_disconnected(sim::Context& ctx,
                                    const sim::Disconnected& input,
                                    Completions& done) {
    types::BrokerId broker;
    Peer* peer = find_by_connection(input.connection, broker);
    if (peer == nullptr) {
        return false;
    }
    connection_lost(ctx, broker, *peer, types::ErrorCode::kNetworkException, done);
    return true;
}

bool NetworkClient::on_reply(sim::Context& ctx, const sim::Delivered& input, Completions& done) {
    types::BrokerId broker;
    Peer* peer = find_by_connection(input.connection, broker);
    if (peer == nullptr) {
        return false;
    }
    if (peer->in_flight.empty() || peer->in_flight.front().correlation != input.correlation) {
        return true;  // a duplicated answer (beyond TCP): Kafka would drop the connection
    }
    const InFlight request = peer->in_flight.pop_front();
    done.push_back(
        Completion{broker, request.token, request.api, input.message, types::ErrorCode::kNone});
    watch_oldest(ctx, broker, *peer);
    return true;
}

void NetworkClient::watch_oldest(sim::Context& ctx, types::BrokerId broker, Peer& peer) {
    // One timer a connection, looked at when it fires: cheaper than moving it with every answer.
    if (peer.timer_set || peer.in_flight.empty()) {
        return;
    }
    peer.timer_set = true;
    ctx.set_timer(request_timer(broker), peer.in_flight.front().deadline - ctx.monotonic());
}

bool NetworkClient::on_timer(sim::Context& ctx, const sim::TimerFired& input, Completions& done) {
    const types::BrokerId broker(static_cast<std::int32_t>(input.key.a));
    if (input.key != request_timer(broker) && input.key != setup_timer(broker)) {
        return false;
    }
    Peer* peer = peers_.find_for_write(broker);
    if (peer == nullptr || peer->state == State::kDisconnected) {
        return false;
    }
    if (input.key == request_timer(broker)) {
        peer->timer_set = false;
        if (peer->in_flight.empty() || peer->in_flight.front().deadline > ctx.monotonic()) {
            watch_oldest(ctx, broker, *peer);
            return false;
        }
    }
    ctx.close(peer->connection);
    connection_lost(ctx, broker, *peer, types::ErrorCode::kRequestTimedOut, done);
    return true;
}

}  // namespace klab::client
