// SPDX-License-Identifier: Apache-2.0
//
// Elections that somebody asks for, an operator or the clock: back to the preferred replica, or
// uncleanly for partitions without leader.
//
// Called by: request_dispatch.cc (ElectLeaders), controller_tasks.cc (periodic ones).
// Kafka: ReplicationControlManager.electLeaders, maybeBalancePartitionLeaders,
// maybeElectUncleanLeaders; KIP-460.
#pragma once

#include "model/controller/controller_state.h"
#include "model/controller/decision.h"
#include "model/protocol/topic_admin.h"

namespace klab::controller {

/// At most so many elections in one run of a periodic task.
inline constexpr std::size_t kElectionsPerRunMax = 1'000;

/// An operator's election; an unclean one ignores unclean.leader.election.enable. Errors, each
/// partition: kUnknownTopicOrPartition, kElectionNotNeeded (left out of the answer when all
/// partitions were asked for), kPreferredLeaderNotAvailable, kEligibleLeadersNotAvailable.
/// Complexity: O(partitions asked for).
[[nodiscard]] Decision<protocol::ElectLeadersResponse> decide_elect_leaders(
    const ControllerView& view, const protocol::ElectLeadersRequest& request);

/// What a periodic run left undone.
struct ElectionRun {
    bool more = false;  ///< the limit was reached: run again soon

    friend bool operator==(const ElectionRun&, const ElectionRun&) = default;
};

/// Tries the preferred replica wherever another one leads.
[[nodiscard]] Decision<ElectionRun> decide_preferred_elections(const ControllerView& view);

/// Elects from outside the ISR where nobody leads and the topic allows it.
[[nodiscard]] Decision<ElectionRun> decide_unclean_elections(const ControllerView& view);

}  // namespace klab::controller
