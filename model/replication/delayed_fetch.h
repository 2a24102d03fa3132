// SPDX-License-Identifier: Apache-2.0
//
// A fetch that found too little waits for records, at most max.wait. It is answered when any of
// these holds for one of its partitions:
//
//     not hosted, not led any more, or the request's leader epoch is no longer the current one
//     the fetch offset is above the readable end (the log was cut), or in an older segment
//     the log of the asker now diverges
//     min.bytes are there, over all its partitions
//
// Then, or when its time is over, the logs are read again and whatever is there is the answer. The
// second reading notes no progress of a follower. A rise of the high watermark moves the readable
// end of consumers only, so it alone does not answer a follower.
//
// Owns: answers of parked fetches.
// Called by: fetch_handling.cc (park), partition_routes.cc, produce_handling.cc,
// fetch_response_handling.cc (a partition changed), replica_manager.cc (expiry).
// Kafka: DelayedFetch, ReplicaManager.fetchMessages
#pragma once

#include "model/replication/data_plane.h"

namespace klab::replication {

/// Parks a fetch on all its partitions. Requires: it has some.
void park_fetch(DataPlane& plane, const RequestHandle& from, const sim::MessageRef& request);

/// Looks at the fetches that wait for this partition. `because` becomes a cause of their answers.
void try_complete_fetches(DataPlane& plane, Partition& partition, sim::EventId because);

/// Time is over. Says whether it was still parked.
bool expire_fetch(DataPlane& plane, std::uint64_t number);

}  // namespace klab::replication
