// SPDX-License-Identifier: Apache-2.0
//
// acks=all: a produce whose records are in the leader's log waits until the high watermark has
// passed them, which means that every member of the maximal ISR holds them.
//
//     HW passed the batch, maximal ISR large enough      NONE
//     HW passed the batch, maximal ISR too small         NOT_ENOUGH_REPLICAS_AFTER_APPEND
//     not the leader any more                            NOT_LEADER_OR_FOLLOWER
//     partition gone                                     NOT_LEADER_OR_FOLLOWER or
//     UNKNOWN_TOPIC_... request.timeout reached                            REQUEST_TIMED_OUT (the
//     records stay)
//
// Owns: answers of produce requests.
// Called by: produce_handling.cc (park), partition.cc (a partition changed), replica_manager.cc
// (expiry). Kafka: DelayedProduce, Partition.checkEnoughReplicasReachOffset.
#pragma once

#include "model/replication/data_plane.h"

namespace klab::replication {

/// What an acks=all batch that ends at `last_offset` is answered now; nothing while it must wait.
[[nodiscard]] std::optional<types::ErrorCode> decide_produce_status(const Partition& partition,
                                                                    types::Offset last_offset);

/// Parks a produce until all its pending parts are decided, for at most `timeout`. Parts that can
/// be decided already are. Effects: produce.waiting, produce.completed.
void park_produce(DataPlane& plane, ParkedProduce produce, Duration timeout);

/// Looks at the produces that wait for this partition. `because` becomes a cause of their answers.
void try_complete_produces(DataPlane& plane, Partition& partition, sim::EventId because);

/// Time is over: pending parts are answered REQUEST_TIMED_OUT. Says whether it was still parked.
bool expire_produce(DataPlane& plane, std::uint64_t number);

/// The event for one answered batch. `last_offset` is meaningless when nothing was written.
void emit_produce_completed(DataPlane& plane,
                            const ParkedProducePart& part,
                            std::int16_t acks,
                            sim::EventId because);

}  // namespace klab::replication
