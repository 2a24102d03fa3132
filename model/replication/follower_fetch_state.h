// SPDX-License-Identifier: Apache-2.0
//
// Where a follower stands with one partition it fetches.
//
//     kTruncating --cut to the high watermark--> kFetching      (log without epochs only)
//     kFetching   --diverging epoch: cut-------> kFetching      (the next fetch may diverge again)
//     any         --error--> the same, delayed --back-off over--> the same
//
// In kFetching the fetch offset is the own log end, and the last fetched epoch is the latest epoch
// of the own log.
//
// Owns: nothing by itself; follower_fetcher.cc and fetch_response_handling.cc write it. Volatile.
// Called by: the same.
// Kafka: PartitionFetchState, ReplicaState (of AbstractFetcherThread).
// Simplified: no lag for throttling.
#pragma once

#include <cstdint>
#include <optional>

#include "model/types/kafka_ids.h"
#include "sim/base/time.h"

namespace klab::replication {

enum class FetchPhase : std::uint8_t { kTruncating, kFetching };

struct FollowerFetchState {
    types::Offset fetch_offset;
    types::LeaderEpoch leader_epoch;  ///< under which the partition was given to the fetcher
    std::optional<types::LeaderEpoch> last_fetched_epoch;  ///< sent for the divergence check
    FetchPhase phase = FetchPhase::kFetching;
    std::optional<Time> delayed_until;  ///< monotonic clock; nothing: not delayed
    bool failing = false;               ///< its last request failed: a second failure is no news

    [[nodiscard]] bool is_delayed(Time monotonic) const {
        return delayed_until && *delayed_until > monotonic;
    }

    [[nodiscard]] bool is_ready_for_fetch(Time monotonic) const {
        return phase == FetchPhase::kFetching && !is_delayed(monotonic);
    }

    friend bool operator==(const FollowerFetchState&, const FollowerFetchState&) = default;
};

}  // namespace klab::replication
