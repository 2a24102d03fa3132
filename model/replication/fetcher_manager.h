// SPDX-License-Identifier: Apache-2.0
//
// FetcherManager: the fetcher threads of a broker, one for each (leader, fetcher id), and which of
// them fetches which partition.
//
// Owns: the set of fetchers, and the partitions given up until new metadata arrive. Volatile.
// Called by: metadata_apply.cc (partitions come and go), replica_manager.cc (connections, timers).
// Kafka: AbstractFetcherManager, ReplicaFetcherManager. Simplified: no resizing.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/replication/data_plane.h"
#include "model/replication/follower_fetcher.h"
#include "sim/base/cow.h"
#include "sim/base/cow_map.h"

namespace klab::replication {

/// Which of `fetchers` threads towards a leader fetches the partition: spread by name, as Kafka
/// does. Requires: fetchers > 0.
[[nodiscard]] std::int32_t fetcher_number(std::string_view topic,
                                          std::int32_t partition,
                                          std::int32_t fetchers);

class FetcherManager {
  public:
    /// Gives a follower's partition to the fetcher of its leader. Requires: a follower that knows
    /// its leader and leader epoch.
    void add(DataPlane& plane, const Partition& partition, const FollowerFetchState& state);

    /// Takes it away from whichever fetcher has it. Says whether one had.
    bool remove(const PartitionKey& key);

    /// The same leader in a higher epoch, without a new start (only before 0.11).
    void set_leader_epoch(const PartitionKey& key, types::LeaderEpoch epoch);

    /// Log starts may have risen by themselves (retention): fetches tell the new ones.
    void log_starts_may_have_risen();

    /// Ends fetchers that have nothing left to fetch.
    void stop_idle(sim::Context& ctx);

    void stop_all(sim::Context& ctx);

    /// Each says whether the input belonged to a fetcher.
    [[nodiscard]] bool on_connected(DataPlane& plane, const sim::Connected& input);
    [[nodiscard]] bool on_disconnected(DataPlane& plane, const sim::Disconnected& input);
    [[nodiscard]] bool on_reply(DataPlane& plane, const sim::Delivered& input);
    [[nodiscard]] bool on_timer(DataPlane& plane, const sim::TimerFired& input);

    [[nodiscard]] const CowMap<FetcherId, Cow<FollowerFetcher>>& fetchers() const {
        return fetchers_;
    }

    /// The fetcher that has the partition, or nullptr.
    [[nodiscard]] const FollowerFetcher* fetcher_of(const PartitionKey& key) const;

    friend bool operator==(const FetcherManager&, const FetcherManager&) = default;

  private:
    [[nodiscard]] FollowerFetcher* find_owner(sim::ConnectionId connection);

    CowMap<FetcherId, Cow<FollowerFetcher>> fetchers_;
    CowMap<PartitionKey, FetcherId> assigned_;
};

}  // namespace klab::replication
