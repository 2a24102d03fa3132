// SPDX-License-Identifier: Apache-2.0
//
// Truncation: how much of its log a follower must cut to agree with its leader again.
//
// By leader epoch (KIP-101, KIP-279, KIP-595): the leader names the largest epoch not above the one
// the follower fetched with, and where that epoch ends at the leader. If the follower has that
// epoch, both logs agree up to the smaller of the two ends. If not, it cuts back to where its own
// next smaller epoch ends and asks again; each round goes at least one epoch further back.
//
// By high watermark (before 0.11): on becoming follower it cuts to its own high watermark. That one
// lags behind the leader's by a fetch, so committed records above it may go.
//
// Owns: the decision and the cut itself (log.truncated).
// Called by: follower_fetcher.cc, become_follower.cc (by high watermark), offsets_out_of_range.cc.
// Kafka: AbstractFetcherThread.getOffsetTruncationState, truncateOnFetchResponse,
// maybeTruncate; 0.10.2 ReplicaManager.makeFollowers.
// Simplified: no separate truncation phase with OffsetForLeaderEpoch requests (Kafka 0.11 to 2.6).
#pragma once

#include <optional>
#include <string_view>

#include "model/protocol/fetch.h"
#include "model/replication/data_plane.h"
#include "model/replication/partition.h"
#include "model/storage/epoch_cache.h"
#include "model/types/rules.h"

namespace klab::replication {

/// The follower's side of the question.
struct OwnLog {
    const storage::EpochCache& epochs;
    types::Offset log_end;
    types::Offset fallback;  ///< where to cut when the leader knows nothing: the high watermark
};

struct TruncationPoint {
    types::Offset offset;
    bool complete = true;  ///< false: the logs may still differ below; the next fetch will tell

    friend bool operator==(const TruncationPoint&, const TruncationPoint&) = default;
};

/// Where to cut, given the leader's (epoch, end offset). At most the own log end.
[[nodiscard]] TruncationPoint decide_truncation(const protocol::DivergingEpoch& leader,
                                                const OwnLog& own);

/// May a follower say in its fetch which epoch its log ends in, so that the leader can object?
[[nodiscard]] bool truncates_by_epoch(const types::Rules& rules);

/// Cuts the log so that it ends at `to`; the high watermark goes along if it was above. Nothing
/// happens when it ends there or below already, except that epochs without records are forgotten.
/// Effects: log.truncated; hw.moved_back. Returns false when the disk failed.
[[nodiscard]] bool truncate_log(DataPlane& plane,
                                Partition& partition,
                                types::Offset to,
                                std::string_view reason,
                                sim::EventId because);

/// Throws all records away and begins anew at offset `at`, which becomes log start, log end and
/// high watermark. Effects: log.truncated; hw.moved_back. Returns false when the disk failed.
[[nodiscard]] bool start_log_over(DataPlane& plane,
                                  Partition& partition,
                                  types::Offset at,
                                  std::string_view reason,
                                  sim::EventId because);

}  // namespace klab::replication
