// SPDX-License-Identifier: Apache-2.0
//
// ListOffsets on a broker: the earliest offset, the latest, or the first at or after a timestamp.
//
// A consumer's answers are bounded by the high watermark. A new leader whose high watermark has not
// reached the start of its epoch does not know yet how far committed records go: it answers
// OFFSET_NOT_AVAILABLE rather than an offset below one that a consumer has seen already.
//
// Owns: the answers of ListOffsets.
// Called by: replica_manager.cc. Kafka: Partition.fetchOffsetForTimestamp, UnifiedLog. KIP-207
// Simplified: no max-timestamp and tiered-storage lookups; no indexes, batches are scanned.
#pragma once

#include "model/protocol/list_offsets.h"
#include "model/replication/data_plane.h"

namespace klab::replication {

/// Errors per partition: UNKNOWN_TOPIC_OR_PARTITION, NOT_LEADER_OR_FOLLOWER, FENCED_LEADER_EPOCH,
/// UNKNOWN_LEADER_EPOCH, OFFSET_NOT_AVAILABLE.
void handle_list_offsets(DataPlane& plane,
                         const RequestHandle& from,
                         const protocol::ListOffsetsRequest& request);

}  // namespace klab::replication
