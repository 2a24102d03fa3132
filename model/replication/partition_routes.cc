// SPDX-License-Identifier: Apache-2.0
//
// See partition_routes.h.
#include "model/replication/partition_routes.h"

#include <utility>

#include "model/replication/delayed_delete_records.h"
#include "model/replication/delayed_fetch.h"
#include "model/replication/delayed_produce.h"
#include "model/replication/high_watermark.h"
#include "model/replication/isr_expansion.h"
#include "model/replication/isr_proposal.h"
#include "model/replication/isr_shrink.h"
#include "model/replication/low_watermark.h"
#include "model/types/kafka_events.h"
#include "sim/base/assert.h"

namespace klab::replication {

using types::ErrorCode;

namespace {

sim::EventId emit_follower_fetched(DataPlane& plane,
                                   const Partition& partition,
                                   const Follower& follower) {
    const auto& epoch = follower.state.broker_epoch;
    return plane.ctx.emit(types::events::kFollowerFetched,
                          {partition.trace_name,
                           follower.broker.value(),
                           follower.state.log_end_offset->value(),
                           partition.leader_epoch->value(),
                           partition.log.log_end_offset().value(),
                           epoch ? epoch->value() : sim::kAbsent});
}

/// The low watermark if anybody waits for it.
std::optional<types::Offset> awaited_low_watermark(const DataPlane& plane,
                                                   const Partition& partition) {
    return partition.parked_deletions.empty() ? std::nullopt
                                              : low_watermark(partition, plane.around.image);
}

}  // namespace

void try_complete_parked(DataPlane& plane, Partition& partition, sim::EventId because) {
    try_complete_produces(plane, partition, because);
    try_complete_fetches(plane, partition, because);
    try_complete_deletions(plane, partition, because);
}

ErrorCode follower_fetched(DataPlane& plane,
                           Partition& partition,
                           types::BrokerId broker,
                           std::optional<types::BrokerEpoch> broker_epoch,
                           const protocol::FetchPartition& fetch) {
    KLAB_ASSERT(partition.is_leader(), "followers fetch from the leader");
    Follower* follower = find_follower(partition.followers, broker);
    KLAB_ASSERT(follower != nullptr, "broker {} is not a replica", broker);
    const auto end_before = follower->state.log_end_offset;
    const auto epoch_before = follower->state.broker_epoch;
    const auto low_before = awaited_low_watermark(plane, partition);
    const bool noted = update_fetch_state(follower->state,
                                          {.fetch_offset = fetch.fetch_offset,
                                           .log_start_offset = fetch.log_start_offset,
                                           .leader_end = partition.log.log_end_offset(),
                                           .broker_epoch = broker_epoch,
                                           .now = plane.around.wall},
                                          alive_broker_epoch(plane.around.image, broker));
    if (!noted) {
        return ErrorCode::kNotLeaderOrFollower;
    }
    const bool low_rose = awaited_low_watermark(plane, partition) > low_before;
    const bool end_changed = end_before != follower->state.log_end_offset;
    if (end_changed || epoch_before != broker_epoch) {
        follower->state.end_offset_event = emit_follower_fetched(plane, partition, *follower);
    }
    const sim::EventId because = follower->state.end_offset_event.value_or(plane.ctx.cause());
    const InSyncBar bar{partition.log.high_watermark(), partition.epoch_start};
    if (should_expand_isr(partition.isr, *follower, bar, plane.around)) {
        propose_expansion(plane, partition, broker, because);
    }
    const auto advanced = end_changed ? maybe_advance_leader_high_watermark(
                                            plane.ctx, partition, plane.around, because)
                                      : std::nullopt;
    if (advanced || low_rose) {
        try_complete_parked(plane, partition, advanced.value_or(plane.ctx.cause()));
    }
    return ErrorCode::kNone;
}

void check_isr(DataPlane& plane, const PartitionKey& key) {
    const Partition* partition = plane.find(key);
    if (partition == nullptr || !partition->is_leader()) {
        return;
    }
    std::vector<types::BrokerId> leaving = find_out_of_sync(
        partition->isr, partition->followers, partition->log.log_end_offset(), plane.around);
    if (!leaving.empty()) {
        propose_shrink(plane, *plane.find_for_write(key), std::move(leaving), plane.ctx.cause());
    }
}

void alter_partition_answered(DataPlane& plane,
                              Partition& partition,
                              std::uint64_t number,
                              const protocol::AlterPartitionResult& answer) {
    const auto changed = take_alter_partition_answer(plane, partition, number, answer);
    if (!partition.is_leader()) {
        return;
    }
    // The ISR may be down to this broker alone, and then nobody's fetch will raise the HW.
    if (const auto advanced = maybe_advance_leader_high_watermark(
            plane.ctx, partition, plane.around, changed.value_or(plane.ctx.cause()))) {
        try_complete_parked(plane, partition, *advanced);
    }
}

}  // namespace klab::replication
