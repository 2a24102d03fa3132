// SPDX-License-Identifier: Apache-2.0
//
// Produce on a broker: batches into the logs of led partitions, and when the producer hears of it.
//
//     acks     not -1, 0, 1     INVALID_REQUIRED_ACKS for every partition, nothing written
//     acks=0   an empty answer, never sent; if anything failed the connection is closed
//     acks=1   answered after the own append
//     acks=-1  refused with NOT_ENOUGH_REPLICAS while the committed ISR is smaller than
//              min.insync.replicas; else written, then delayed_produce.h
//
// After the append the high watermark may rise (a leader without followers) and waiting fetches may
// be complete; both come after the own answer.
//
// Owns: the append of produced batches.
// Called by: replica_manager.cc.
// Kafka: ReplicaManager.appendRecords, Partition.appendRecordsToLeader. KIP-98, KIP-951
// Simplified: no transactions, no internal topics, one batch a partition.
#pragma once

#include "model/protocol/produce.h"
#include "model/replication/data_plane.h"

namespace klab::replication {

/// Effects: log.appended, duplicate.recognized, produce.refused, produce.waiting,
/// produce.completed, hw.advanced; answers of parked requests.
void handle_produce(DataPlane& plane,
                    const RequestHandle& from,
                    const protocol::ProduceRequest& request);

/// May a batch with these acks be written now?
/// Errors: NOT_LEADER_OR_FOLLOWER, NOT_ENOUGH_REPLICAS.
[[nodiscard]] types::ErrorCode check_produce(const Partition& partition, std::int16_t acks);

}  // namespace klab::replication
