// SPDX-License-Identifier: Apache-2.0
//
// Fetch on a broker: what a follower or a consumer gets of each partition. The checks of one
// partition, in order:
//
//     not hosted here                              UNKNOWN_TOPIC_ID or NOT_LEADER_OR_FOLLOWER
//     leader epoch of the request differs          FENCED_ or UNKNOWN_LEADER_EPOCH
//     not the leader, and a follower asks          NOT_LEADER_OR_FOLLOWER
//     a follower that is no replica                UNKNOWN_LEADER_EPOCH, or NOT_LEADER_OR_FOLLOWER
//                                                  when it named no epoch
//     its log diverges                             no error, DivergingEpoch, nothing noted
//     offset outside the log                       OFFSET_OUT_OF_RANGE
//
// A follower reads up to the log end, a consumer up to the high watermark. The high watermark in
// the answer is the one before this fetch is taken into account, so a follower learns of its own
// contribution one fetch later.
//
// Owns: the answers of Fetch.
// Called by: replica_manager.cc; delayed_fetch.cc reads again.
// Kafka: ReplicaManager.fetchMessages, readFromLog, Partition.fetchRecords. KIP-74, 320, 595, 903
// Simplified: no sessions, no preferred read replica, no throttling; read_committed reads to the
// high watermark, because there are no transactions.
#pragma once

#include "model/protocol/fetch.h"
#include "model/replication/data_plane.h"

namespace klab::replication {

/// Answers a fetch now if it must not wait, else parks it. `request` holds a FetchRequest.
/// Effects: follower.fetched, fetch.diverged, isr.proposed, hw.advanced; answers of others.
void handle_fetch(DataPlane& plane, const RequestHandle& from, const sim::MessageRef& request);

/// What reading found, besides the answer itself.
struct FetchReading {
    protocol::FetchResponse response;
    std::int64_t bytes = 0;
    bool must_answer = false;  ///< an error or a diverging epoch is among it
};

enum class FetchPass : std::uint8_t {
    kFirst,      ///< takes note of a follower's progress
    kAfterWait,  ///< the request was parked: reads only
};

/// Reads all partitions of a request, in its order, within its byte budget.
[[nodiscard]] FetchReading read_for_fetch(DataPlane& plane,
                                          const protocol::FetchRequest& request,
                                          FetchPass pass);

/// The checks above up to "its log diverges" (exclusive). `partition` may be nullptr.
[[nodiscard]] types::ErrorCode check_fetch(const DataPlane& plane,
                                           const Partition* partition,
                                           const protocol::FetchRequest& request,
                                           const protocol::FetchPartition& fetch);

/// The offset that a reader must not pass.
[[nodiscard]] types::Offset readable_end(const Partition& partition,
                                         const protocol::FetchRequest& request);

}  // namespace klab::replication
