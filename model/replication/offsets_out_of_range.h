// SPDX-License-Identifier: Apache-2.0
//
// OFFSET_OUT_OF_RANGE: the leader does not have the offset a follower fetches from. Either the
// leader's log ends before it (then the follower has too much), or it starts after it (then what
// the follower lacks is gone). The follower asks for the leader's end first, then for its start.
//
// Owns: the decision.
// Called by: follower_fetcher.cc.
// Kafka: AbstractFetcherThread.fetchOffsetAndTruncate.
#pragma once

#include <optional>

#include "model/types/kafka_ids.h"

namespace klab::replication {

/// With the leader's log end known: where to cut the own log and go on, or nothing when the leader
/// is not behind and its start must be asked for.
[[nodiscard]] std::optional<types::Offset> decide_cut_to_leader_end(types::Offset own_end,
                                                                    types::Offset leader_end);

struct LeaderStartStep {
    types::Offset next;       ///< fetch from here
    bool start_over = false;  ///< throw the whole own log away and begin at `next`

    friend bool operator==(const LeaderStartStep&, const LeaderStartStep&) = default;
};

/// With the leader's log start known.
[[nodiscard]] LeaderStartStep decide_leader_start_step(types::Offset own_end,
                                                       types::Offset leader_start);

}  // namespace klab::replication
