// SPDX-License-Identifier: Apache-2.0
//
// The three things that happen to a led partition, each as the fixed sequence of rules it passes:
//
//     a follower fetched    follower state, low watermark -> ISR expansion -> high watermark ->
//                           parked requests
//     the ISR check         ISR shrink
//     an ISR answer         ISR state -> high watermark -> parked requests
//
// Owns: nothing: it only routes.
// Called by: fetch_handling.cc, replica_manager.cc.
// Kafka: Partition.updateFollowerFetchState, maybeShrinkIsr, submitAlterPartition.
#pragma once

#include "model/protocol/alter_partition.h"
#include "model/protocol/fetch.h"
#include "model/replication/data_plane.h"

namespace klab::replication {

/// Takes note of a follower's fetch. Errors: NOT_LEADER_OR_FOLLOWER, and nothing noted, when the
/// fetch comes from an earlier life of the broker. Requires: leader, `follower` is a replica.
/// Effects: follower.fetched when its end or broker epoch changed, and what follows from it.
[[nodiscard]] types::ErrorCode follower_fetched(DataPlane& plane,
                                                Partition& partition,
                                                types::BrokerId follower,
                                                std::optional<types::BrokerEpoch> follower_epoch,
                                                const protocol::FetchPartition& fetch);

/// The periodic check of one led partition.
void check_isr(DataPlane& plane, const PartitionKey& key);

/// The controller's answer to proposal `number` of this partition.
void alter_partition_answered(DataPlane& plane,
                              Partition& partition,
                              std::uint64_t number,
                              const protocol::AlterPartitionResult& answer);

/// Looks at everything that waits for this partition. `because` becomes a cause of the answers.
void try_complete_parked(DataPlane& plane, Partition& partition, sim::EventId because);

}  // namespace klab::replication
