// SPDX-License-Identifier: Apache-2.0
//
// See become_follower.h.
#include "model/replication/become_follower.h"

#include "model/replication/truncation.h"
#include "model/types/kafka_events.h"
#include "sim/base/assert.h"

namespace klab::replication {

namespace {

void emit_follower_started(DataPlane& plane, const Partition& partition) {
    plane.ctx.emit(types::events::kFollowerStarted,
                   {partition.trace_name,
                    partition.leader ? partition.leader->value() : sim::kAbsent,
                    partition.leader_epoch->value(),
                    partition.partition_epoch.value(),
                    partition.log.log_end_offset().value(),
                    partition.log.high_watermark().value()});
}

}  // namespace

FollowerStart become_follower(DataPlane& plane,
                              Partition& partition,
                              const metadata::PartitionRegistration& registration) {
    if (registration.partition_epoch < partition.partition_epoch) {
        return FollowerStart::kIgnored;
    }
    const bool was_leader = partition.is_leader();
    const bool other_leader = was_leader || partition.leader != registration.leader;
    const bool epoch_rose =
        !partition.leader_epoch || registration.leader_epoch > *partition.leader_epoch;
    partition.role = Role::kFollower;
    partition.leader = registration.leader;
    partition.partition_epoch = registration.partition_epoch;
    partition.replicas = registration.replicas;
    partition.epoch_start.reset();
    partition.isr.commit({});
    // Mutant follower-state-not-reset: what a former leader knew of its followers waits here.
    if (!plane.around.rules.mutated(types::Mutant::kFollowerStateNotReset)) {
        partition.followers.clear();
    }
    if (!epoch_rose) {
        return FollowerStart::kGoOn;
    }
    partition.leader_epoch = registration.leader_epoch;
    emit_follower_started(plane, partition);
    if (!truncates_by_epoch(plane.around.rules) && !other_leader) {
        return FollowerStart::kNewEpoch;
    }
    return FollowerStart::kRestart;
}

std::optional<FollowerFetchState> start_fetching(DataPlane& plane, Partition& partition) {
    KLAB_ASSERT(partition.role == Role::kFollower, "only a follower fetches");
    FollowerFetchState state;
    state.leader_epoch = *partition.leader_epoch;
    if (!truncates_by_epoch(plane.around.rules)) {
        const bool cut = truncate_log(plane,
                                      partition,
                                      partition.log.high_watermark(),
                                      "own high watermark",
                                      plane.ctx.cause());
        if (!cut) {
            return std::nullopt;
        }
        state.fetch_offset = partition.log.log_end_offset();
        return state;
    }
    state.last_fetched_epoch = partition.log.latest_epoch();
    if (state.last_fetched_epoch) {
        state.fetch_offset = partition.log.log_end_offset();
    } else {
        // A log without epochs says nothing the leader could compare: cut to the high watermark.
        state.fetch_offset = partition.log.high_watermark();
        state.phase = FetchPhase::kTruncating;
    }
    return state;
}

}  // namespace klab::replication
