// SPDX-License-Identifier: Apache-2.0
//
// The threads of a broker as lanes: one acceptor, network threads, request handlers, background,
// the channels to the controller, metadata, fetchers, log cleaners.
//
// Called by: broker.cc, kafka_world (how many lanes a node has).
// Kafka: SocketServer (acceptor, processors), KafkaRequestHandlerPool, ReplicaFetcherThread,
// NodeToControllerChannelManager, LogCleaner.
#pragma once

#include <cstdint>

#include "model/types/broker_config.h"
#include "sim/kernel/input.h"

namespace klab::broker {

/// Lane numbers of one broker, from its thread counts and the number of brokers it may fetch from.
struct BrokerLanes {
    std::uint16_t network_threads = 3;
    std::uint16_t io_threads = 8;
    std::uint16_t fetchers = 0;
    std::uint16_t cleaners = 1;

    BrokerLanes() = default;

    BrokerLanes(const types::BrokerConfig& config, std::size_t brokers)
        : network_threads(static_cast<std::uint16_t>(config.num_network_threads)),
          io_threads(static_cast<std::uint16_t>(config.num_io_threads)),
          fetchers(static_cast<std::uint16_t>(
              brokers * static_cast<std::size_t>(config.num_replica_fetchers))),
          cleaners(static_cast<std::uint16_t>(config.cleaner.threads)) {}

    /// New connections, calls of the operator, life of the process.
    [[nodiscard]] static sim::Lane acceptor() { return sim::Lane(0); }

    [[nodiscard]] static sim::Lane network(std::uint16_t thread) {
        return sim::Lane(static_cast<std::uint16_t>(1 + thread));
    }

    [[nodiscard]] sim::Lane handler(std::uint16_t thread) const {
        return sim::Lane(static_cast<std::uint16_t>(1 + network_threads + thread));
    }

    /// Lifecycle events, ISR checks, checkpoints, expiry of parked requests.
    [[nodiscard]] sim::Lane background() const { return handler(io_threads); }

    /// Requests to the controller.
    [[nodiscard]] sim::Lane controller_channel() const { return after(background(), 1); }

    /// The Raft client and the metadata loader.
    [[nodiscard]] sim::Lane metadata() const { return after(background(), 2); }

    [[nodiscard]] sim::Lane fetcher_first() const { return after(background(), 3); }

    [[nodiscard]] sim::Lane cleaner_first() const { return after(fetcher_first(), fetchers); }

    [[nodiscard]] std::uint16_t count() const {
        return static_cast<std::uint16_t>(cleaner_first().value() + cleaners);
    }

    friend bool operator==(const BrokerLanes&, const BrokerLanes&) = default;

  private:
    [[nodiscard]] static sim::Lane after(sim::Lane lane, std::uint16_t n) {
        return sim::Lane(static_cast<std::uint16_t>(lane.value() + n));
    }
};

/// Labels of a broker's connections (Connected::purpose). kFetcherPurpose is 2.
inline constexpr std::uint32_t kHeartbeatPurpose = 3;
inline constexpr std::uint32_t kAlterPartitionPurpose = 4;
inline constexpr std::uint32_t kForwardingPurpose = 5;
inline constexpr std::uint32_t kMetadataPurpose = 6;
inline constexpr std::uint32_t kAssignmentsPurpose = 7;

}  // namespace klab::broker
