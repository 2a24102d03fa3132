// SPDX-License-Identifier: Apache-2.0
//
// Questions about leader epochs that a broker answers: is the asker's epoch the broker's own
// (fencing, KIP-320), where does an epoch end (OffsetForLeaderEpoch), and does a fetching
// follower's log diverge (KIP-595)?
//
// Owns: the decisions.
// Called by: fetch_handling.cc, list_offsets_handling.cc, replica_manager.cc.
// Kafka: Partition.checkCurrentLeaderEpoch, lastOffsetForLeaderEpoch, readRecords.
#pragma once

#include <optional>

#include "model/protocol/fetch.h"
#include "model/protocol/offset_for_leader_epoch.h"
#include "model/replication/data_plane.h"
#include "model/types/error_code.h"

namespace klab::replication {

/// Compares the leader epoch a request carries with the partition's: older is FENCED_LEADER_EPOCH
/// (the asker has missed an election), newer is UNKNOWN_LEADER_EPOCH (this broker has). None when
/// they agree or the request carries none.
[[nodiscard]] types::ErrorCode check_current_leader_epoch(
    const Partition& partition,
    std::optional<types::LeaderEpoch> requested,
    const types::Rules& rules);

/// Where a log parts from its leader's.
struct DivergenceAnswer {
    types::ErrorCode error = types::ErrorCode::kNone;
    std::optional<protocol::DivergingEpoch> diverging;

    friend bool operator==(const DivergenceAnswer&, const DivergenceAnswer&) = default;
};

/// The log that is asked for its history.
struct LeaderLog {
    const storage::EpochCache& epochs;
    types::Offset log_start;
    types::Offset log_end;
};

/// Does a log that ends at `fetch_offset` in `last_fetched_epoch` agree with this one?
/// Errors: OFFSET_OUT_OF_RANGE when this log cannot tell, or starts later.
[[nodiscard]] DivergenceAnswer find_divergence(const LeaderLog& log,
                                               types::LeaderEpoch last_fetched_epoch,
                                               types::Offset fetch_offset);

/// Answers OffsetForLeaderEpoch. Errors per partition: UNKNOWN_TOPIC_OR_PARTITION,
/// NOT_LEADER_OR_FOLLOWER, FENCED_LEADER_EPOCH, UNKNOWN_LEADER_EPOCH.
void handle_offset_for_leader_epoch(DataPlane& plane,
                                    const RequestHandle& from,
                                    const protocol::OffsetForLeaderEpochRequest& request);

}  // namespace klab::replication
