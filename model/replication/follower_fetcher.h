// SPDX-License-Identifier: Apache-2.0
//
// FollowerFetcher: one fetcher thread. It copies the partitions it was given from one leader: one
// connection, one request in flight, the next as soon as the answer is processed.
//
//     do_work:  cut what is kTruncating; nothing in flight? then one of
//               - ListOffsets, for a partition whose offset the leader does not have
//               - Fetch, for all partitions that are kFetching and not delayed
//               - nothing to do: sleep replica.fetch.backoff.ms
//     answer:   fetch_response_handling.h, partition by partition; then do_work
//     no answer within replica.socket.timeout.ms, or connection lost: every partition waits
//               replica.fetch.backoff.ms; then do_work
//
// Owns: the connection and the fetch states of its partitions. Volatile.
// Called by: fetcher_manager.cc.
// Kafka: AbstractFetcherThread, ReplicaFetcherThread, RemoteLeaderEndPoint, BrokerBlockingSender.
// Simplified: no sessions: each fetch names every partition; no throttling.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/replication/data_plane.h"
#include "model/replication/fetch_response_handling.h"
#include "model/replication/follower_fetch_state.h"
#include "model/types/timer_kinds.h"
#include "sim/base/cow_map.h"
#include "sim/kernel/input.h"

namespace klab::replication {

/// A fetcher thread: towards which leader, and which of num.replica.fetchers.
struct FetcherId {
    types::BrokerId leader;
    std::int32_t number = 0;

    friend bool operator==(const FetcherId&, const FetcherId&) = default;
    friend auto operator<=>(const FetcherId&, const FetcherId&) = default;
};

class FollowerFetcher {
  public:
    enum class Link : std::uint8_t { kNone, kConnecting, kReady };

    /// What the thread waits for.
    enum class Waiting : std::uint8_t { kNothing, kFetch, kLatestOffset, kEarliestOffset };

    FollowerFetcher() = default;

    FollowerFetcher(FetcherId id, sim::Lane lane) : id_(id), lane_(lane) {}

    [[nodiscard]] FetcherId id() const { return id_; }

    [[nodiscard]] Link link() const { return link_; }

    [[nodiscard]] Waiting waiting() const { return waiting_; }

    [[nodiscard]] const CowMap<PartitionKey, FollowerFetchState>& partitions() const {
        return partitions_;
    }

    [[nodiscard]] bool owns(sim::ConnectionId connection) const {
        return link_ != Link::kNone && connection_ == connection;
    }

    /// Takes a partition over; one that is there already under the same leader epoch stays as it
    /// is. Wakes the thread.
    void add(sim::Context& ctx, const PartitionKey& key, const FollowerFetchState& state);

    /// Says whether it was there. An answer on its way will be ignored for it.
    bool remove(const PartitionKey& key);

    /// A higher leader epoch of the same leader, without a new start (only before 0.11).
    void set_leader_epoch(const PartitionKey& key, types::LeaderEpoch epoch);

    /// The log start of a partition may have risen by itself: the next fetch has to tell it.
    void forget_built_fetch() { reusable_fetch_ = {}; }

    /// Closes the connection and forgets its timers. The fetcher must not be used afterwards.
    void stop(sim::Context& ctx);

    void do_work(DataPlane& plane);

    void on_connected(DataPlane& plane);
    void on_disconnected(DataPlane& plane);
    void on_reply(DataPlane& plane, const sim::Delivered& input);

    /// The request (or the connection attempt) took longer than replica.socket.timeout.ms.
    void on_request_timeout(DataPlane& plane);

    friend bool operator==(const FollowerFetcher&, const FollowerFetcher&) = default;

  private:
    [[nodiscard]] sim::TimerKey timer(types::TimerKind kind) const;
    void wake(sim::Context& ctx) const;
    void truncate_waiting(DataPlane& plane);
    [[nodiscard]] sim::MessageRef build_fetch(DataPlane& plane);
    [[nodiscard]] sim::MessageRef build_list_offsets(const DataPlane& plane,
                                                     std::int64_t timestamp) const;
    void send(DataPlane& plane, sim::MessageRef request, Waiting waiting);
    void finish_request(sim::Context& ctx);
    void on_fetch_response(DataPlane& plane, const sim::MessageRef& response);
    void on_list_offsets_response(DataPlane& plane,
                                  Waiting waited_for,
                                  const sim::MessageRef& response);
    void take(DataPlane& plane, const PartitionKey& key, const FetchOutcome& outcome);
    void take_unasked(DataPlane& plane,
                      const protocol::FetchPartition& asked,
                      const protocol::FetchPartitionResult& result) const;
    void connect(DataPlane& plane);
    void sleep(DataPlane& plane) const;
    void network_failed(DataPlane& plane);
    void delay(DataPlane& plane,
               const PartitionKey& key,
               FollowerFetchState& state,
               types::ErrorCode error);

    FetcherId id_;
    sim::Lane lane_;
    Link link_ = Link::kNone;
    sim::ConnectionId connection_;
    std::int32_t next_correlation_ = 0;
    std::int32_t correlation_ = 0;  // of the request in flight
    Waiting waiting_ = Waiting::kNothing;
    sim::MessageRef request_;  // in flight; also what the answer is checked against
    CowMap<PartitionKey, FollowerFetchState> partitions_;
    std::vector<PartitionKey> out_of_range_;  // to ask the leader about, one at a time
    // The last fetch, if the next one would be the same: an idle fetcher builds no requests.
    sim::MessageRef reusable_fetch_;
};

}  // namespace klab::replication
