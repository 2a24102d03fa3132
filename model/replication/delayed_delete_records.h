// SPDX-License-Identifier: Apache-2.0
//
// A DeleteRecords request waits until the low watermark of each of its partitions reaches the
// offset it asked for: until all live replicas have raised their log start. They hear of it in the
// answers to their fetches, and tell their own log start with the fetch after that. A partition
// that this broker no longer leads, or hosts, decides at once.
//
//     a follower's fetch raised the low watermark, the high watermark rose --> looked at again
//     timeout over --> REQUEST_TIMED_OUT for what still waits; the log start stays raised
//
// The death of the replica that is waited for raises the low watermark too, yet by itself it makes
// nobody look.
//
// Owns: answers of parked DeleteRecords requests.
// Called by: delete_records_handling.cc, partition_routes.cc, replica_manager.cc (expiry).
// Kafka: DelayedDeleteRecords. KIP-107
#pragma once

#include "model/replication/data_plane.h"

namespace klab::replication {

/// What a partition says to an offset that was asked for; nothing while it waits.
struct DeletionStatus {
    types::ErrorCode error = types::ErrorCode::kNone;
    std::optional<types::Offset> low_watermark;

    friend bool operator==(const DeletionStatus&, const DeletionStatus&) = default;
};

[[nodiscard]] std::optional<DeletionStatus> decide_deletion_status(
    const Partition& partition, types::Offset required, const metadata::MetadataImage& image);

/// Parks a request on the partitions that did not fail; answers at once if all are there already.
void park_deletion(DataPlane& plane, ParkedDeletion deletion, Duration timeout);

/// Sends the results as they stand. Effects: delete_records.completed for each partition.
void answer_deletion(DataPlane& plane, const ParkedDeletion& deletion, sim::EventId because);

/// Looks at the requests that wait for this partition. `because` becomes a cause of their answers.
void try_complete_deletions(DataPlane& plane, Partition& partition, sim::EventId because);

/// Time is over. Says whether it was still parked.
bool expire_deletion(DataPlane& plane, std::uint64_t number);

}  // namespace klab::replication
