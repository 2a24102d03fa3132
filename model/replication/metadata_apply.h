// SPDX-License-Identifier: Apache-2.0
//
// Applying metadata: which partitions this broker stops hosting, leads and follows after a change,
// in Kafka's order under what is one lock there and one step here.
//
//     1. deletes     the topic is gone, or this broker left the replicas
//     2. leaders     fetchers removed for all of them, then each becomes leader
//     3. followers   each becomes follower; where the leader epoch rose the fetcher restarts
//     4. fetchers that have nothing left stop
//     5. directories where a replica lies elsewhere than the metadata say, the controller is told
//
// A change without a new leader epoch never touches a follower's fetcher, except during controlled
// shutdown: a follower that lost its leader or its place in the ISR stops fetching then.
//
// Owns: the set of hosted partitions.
// Called by: replica_manager.cc. Kafka: ReplicaManager.applyDelta, TopicsDelta.localChanges.
#pragma once

#include "model/metadata/image_replay.h"
#include "model/replication/data_plane.h"
#include "model/replication/fetcher_manager.h"

namespace klab::replication {

struct MetadataChange {
    const metadata::MetadataDelta& delta;
    bool in_controlled_shutdown = false;
};

/// Effects: replica.stopped, leader.started, follower.started and what follows from them.
void apply_metadata(DataPlane& plane, const MetadataChange& change, FetcherManager& fetchers);

}  // namespace klab::replication
