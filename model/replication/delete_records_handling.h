// SPDX-License-Identifier: Apache-2.0
//
// DeleteRecords at a leader: its own log start rises at once, the answer waits until all live
// replicas have followed.
//
//     request -> per partition: checks -> log start rises -> low watermark there? -> answer
//                                                              no: delayed_delete_records
//
// The bytes go later, with the next retention pass, and only as whole segments.
//
// Owns: log starts that a client asked for.
// Called by: replica_manager.cc.
// Kafka: KafkaApis.handleDeleteRecordsRequest, ReplicaManager.deleteRecords,
// Partition.deleteRecordsOnLeader. KIP-107
#pragma once

#include "model/protocol/delete_records.h"
#include "model/replication/data_plane.h"

namespace klab::replication {

/// Errors per partition: UNKNOWN_TOPIC_OR_PARTITION, INVALID_TOPIC_EXCEPTION (internal topics),
/// NOT_LEADER_OR_FOLLOWER, POLICY_VIOLATION (cleanup.policy without delete), OFFSET_OUT_OF_RANGE
/// (below 0 or above the high watermark), KAFKA_STORAGE_ERROR; REQUEST_TIMED_OUT later.
/// Effects: log.start_raised, delete_records.completed.
void handle_delete_records(DataPlane& plane,
                           const RequestHandle& from,
                           const protocol::DeleteRecordsRequest& request);

}  // namespace klab::replication
