// SPDX-License-Identifier: Apache-2.0
//
// See become_leader.h.
#include "model/replication/become_leader.h"

#include <utility>
#include <vector>

#include "model/replication/high_watermark.h"
#include "model/replication/isr_proposal.h"
#include "model/replication/partition_routes.h"
#include "model/types/kafka_events.h"
#include "sim/base/assert.h"

namespace klab::replication {

namespace {

/// One state for each other replica; those that were replicas before keep what is known of them.
void update_followers(Partition& partition, types::BrokerId self) {
    std::vector<Follower> followers;
    followers.reserve(partition.replicas.size());
    for (const types::BrokerId replica : partition.replicas) {
        if (replica == self) {
            continue;
        }
        const Follower* known =
            find_follower(std::span<const Follower>(partition.followers), replica);
        followers.push_back(known != nullptr ? *known : Follower{replica, {}});
    }
    partition.followers = std::move(followers);
}

void emit_leader_started(DataPlane& plane, const Partition& partition) {
    const std::int64_t isr = isr_for_trace(plane.ctx, partition.isr.committed());
    plane.ctx.emit(types::events::kLeaderStarted,
                   {partition.trace_name,
                    partition.leader_epoch->value(),
                    partition.partition_epoch.value(),
                    partition.epoch_start->value(),
                    isr,
                    partition.log.high_watermark().value()});
}

/// Says whether the term is in the epoch checkpoint; without it nothing of the term may happen.
bool start_term(DataPlane& plane,
                Partition& partition,
                types::LeaderEpoch leader_epoch,
                bool is_new_leader) {
    const types::Offset start = partition.log.log_end_offset();
    partition.epoch_start = start;
    partition.leader_epoch = leader_epoch;
    // Before any record of the term: a follower may ask where the previous epoch ended at once.
    const auto failed = partition.log.assign_epoch_start(plane.ctx, leader_epoch);
    if (failed) {
        return false;
    }
    for (Follower& follower : partition.followers) {
        reset_follower_state(follower.state,
                             {.now = plane.around.wall,
                              .leader_end = start,
                              .is_new_leader = is_new_leader,
                              .in_isr = partition.isr.in_committed_isr(follower.broker)},
                             plane.around.rules);
    }
    return true;
}

}  // namespace

bool become_leader(DataPlane& plane,
                   Partition& partition,
                   const metadata::PartitionRegistration& registration) {
    if (registration.partition_epoch < partition.partition_epoch) {
        return false;
    }
    const bool is_new_leader = !partition.is_leader();
    const bool is_new_term =
        !partition.leader_epoch || registration.leader_epoch > *partition.leader_epoch;
    const std::vector<types::BrokerId> isr_before = partition.isr.committed();
    partition.role = Role::kLeader;
    partition.leader = registration.leader;
    partition.partition_epoch = registration.partition_epoch;
    partition.replicas = registration.replicas;
    partition.isr.commit(registration.isr);  // drops a proposal in flight
    update_followers(partition, plane.around.self);
    if (is_new_term) {
        if (!start_term(plane, partition, registration.leader_epoch, is_new_leader)) {
            partition.role = Role::kNone;  // ReplicaManager: marked offline
            return false;
        }
        emit_leader_started(plane, partition);
    } else {
        emit_isr_change(plane.ctx, partition, isr_before);
    }
    if (const auto advanced = maybe_advance_leader_high_watermark(
            plane.ctx, partition, plane.around, plane.ctx.cause())) {
        try_complete_parked(plane, partition, *advanced);
    }
    return true;
}

}  // namespace klab::replication
