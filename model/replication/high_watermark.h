// SPDX-License-Identifier: Apache-2.0
//
// The high watermark (HW): records below it are committed, visible to consumers, and what acks=all
// waits for. A leader computes it from what its followers have fetched; a follower learns it, one
// fetch late, from its leader. This is the only file that moves it, apart from truncation, which
// storage clamps.
//
//     leader:    min(own log end, log ends of the maximal ISR and of replicas about to join it)
//                never down; held while the committed ISR is below min.insync.replicas
//     follower:  the leader's, clamped into the own log; may go back
//
// Owns: the high watermark.
// Called by: partition.cc (append, follower's fetch), become_leader.cc, alter_partition_outcome.cc,
// follower_append.cc.
// Kafka: Partition.maybeIncrementLeaderHW, UnifiedLog.maybeUpdateHighWatermark. KIP-497,
// KAFKA-15583 (KIP-966)
// Simplified: the HW is an offset without file position, so it is never "equal but in a newer
// segment".
#pragma once

#include <optional>
#include <span>

#include "model/replication/partition.h"
#include "model/replication/replication_types.h"

namespace klab::replication {

/// What the leader's rule looks at.
struct HighWatermarkQuestion {
    types::Offset log_end;
    types::Offset high_watermark;
    const IsrState& isr;
    std::span<const Follower> followers;
    std::size_t effective_min_isr = 1;
};

/// The leader's new high watermark; nothing when it stays. Invariant: above the old one, at most
/// the log end, and at most the log end of every member of the maximal ISR.
[[nodiscard]] std::optional<types::Offset> decide_leader_high_watermark(
    const HighWatermarkQuestion& question, const Surroundings& around);

/// Raises a leader's high watermark if the rule allows it, and returns the event if it did.
/// `because`: the fetch, append or ISR change that made the difference. Requires: is_leader().
/// Effects: hw.advanced, caused by `because` and by the fetches it rests on.
std::optional<sim::EventId> maybe_advance_leader_high_watermark(sim::Context& ctx,
                                                                Partition& partition,
                                                                const Surroundings& around,
                                                                sim::EventId because);

/// Takes over the high watermark a leader sent, clamped into the own log, and returns the event if
/// it moved. Effects: hw.advanced or hw.moved_back.
std::optional<sim::EventId> update_follower_high_watermark(sim::Context& ctx,
                                                           Partition& partition,
                                                           types::Offset leader_high_watermark,
                                                           sim::EventId because);

}  // namespace klab::replication
