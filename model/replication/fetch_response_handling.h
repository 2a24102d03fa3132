// SPDX-License-Identifier: Apache-2.0
//
// What a follower does with the leader's answer for one partition.
//
//     answer                          step
//     no longer the one asked for     kIgnored: offset, epoch or phase changed meanwhile
//     NONE, diverging epoch           cut the log (truncation.h); goes on
//     NONE, records                   append, high watermark, log start; goes on
//     OFFSET_OUT_OF_RANGE             kOutOfRange: ask for the leader's end
//     (offsets_out_of_range.h) FENCED_LEADER_EPOCH             kFailed if the epoch is still the
//     one of the request: this
//                                     broker has missed an election; else kDelayed
//     corrupt records                 kDelayed: the next fetch may bring them whole
//     offsets that do not join on,
//     the disk                        kFailed
//     any other error                 kDelayed
//
// Owns: fetch states, on behalf of their fetcher.
// Called by: follower_fetcher.cc.
// Kafka: AbstractFetcherThread.processFetchRequest, ReplicaFetcherThread.processPartitionData.
#pragma once

#include "model/protocol/fetch.h"
#include "model/replication/data_plane.h"
#include "model/replication/follower_fetch_state.h"
#include "model/replication/offsets_out_of_range.h"

namespace klab::replication {

enum class FetchStep : std::uint8_t {
    kIgnored,
    kUnchanged,   ///< nothing new
    kChanged,     ///< the fetch state moved on
    kOutOfRange,  ///< the leader's offsets must be asked for
    kDelayed,     ///< try again after the back-off
    kFailed,      ///< give the partition up until new metadata arrive
};

struct FetchOutcome {
    FetchStep step = FetchStep::kUnchanged;
    types::ErrorCode error = types::ErrorCode::kNone;  ///< with kDelayed and kFailed
    FollowerFetchState state{};                        ///< the new one, with kChanged
};

/// Handles one partition of an answer. `asked`: that partition of the request.
/// Effects: log.appended, log.truncated, hw.advanced, hw.moved_back.
[[nodiscard]] FetchOutcome handle_fetch_result(DataPlane& plane,
                                               const FollowerFetchState& state,
                                               const protocol::FetchPartition& asked,
                                               const protocol::FetchPartitionResult& result);

/// After OFFSET_OUT_OF_RANGE: the leader's log ends at `leader_end`, before the own one.
[[nodiscard]] FetchOutcome cut_to_leader_end(DataPlane& plane,
                                             Partition& partition,
                                             const FollowerFetchState& state,
                                             types::Offset leader_end);

/// After OFFSET_OUT_OF_RANGE: the leader's log does not end earlier; `step` says where to go on.
[[nodiscard]] FetchOutcome continue_at_leader_start(DataPlane& plane,
                                                    Partition& partition,
                                                    const FollowerFetchState& state,
                                                    const LeaderStartStep& step);

}  // namespace klab::replication
