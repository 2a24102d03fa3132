// SPDX-License-Identifier: Apache-2.0
//
// Becoming follower: what the metadata say a partition's leader is, applied on a broker that does
// not lead it. Also the point from which the follower then fetches.
//
//     log.truncation = leader-epoch     the fetcher restarts when the leader epoch rose; the log
//                                       stays as it is, the leader's answers say what to cut
//     log.truncation = high-watermark   the fetcher restarts when another broker leads; the log is
//                                       cut to the own high watermark first (before 0.11)
//
// Owns: role, leader, epochs and replicas of a partition that is followed.
// Called by: metadata_apply.cc.
// Kafka: Partition.makeFollower, ReplicaManager.applyLocalFollowersDelta,
// AbstractFetcherThread.partitionFetchState; 0.10.2 ReplicaManager.makeFollowers. KIP-101
#pragma once

#include "model/metadata/partition_registration.h"
#include "model/replication/data_plane.h"
#include "model/replication/follower_fetch_state.h"

namespace klab::replication {

enum class FollowerStart : std::uint8_t {
    kIgnored,   ///< older than what is known
    kGoOn,      ///< the fetcher stays as it is
    kNewEpoch,  ///< the fetcher stays, its leader epoch rises (high-watermark only)
    kRestart,   ///< the fetcher starts again from start_fetching()
};

/// Applies `registration`. Effects: follower.started.
[[nodiscard]] FollowerStart become_follower(DataPlane& plane,
                                            Partition& partition,
                                            const metadata::PartitionRegistration& registration);

/// Where the follower begins to fetch. By high watermark the log is cut here.
/// Nowhere when the disk refuses that. Effects: log.truncated. Requires: a follower with a leader.
[[nodiscard]] std::optional<FollowerFetchState> start_fetching(DataPlane& plane,
                                                               Partition& partition);

}  // namespace klab::replication
