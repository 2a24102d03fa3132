// SPDX-License-Identifier: Apache-2.0
//
// See isr_proposal.h.
#include "model/replication/isr_proposal.h"

#include <algorithm>
#include <utility>

#include "model/replication/alter_partition_outcome.h"
#include "model/types/kafka_events.h"
#include "sim/base/assert.h"

namespace klab::replication {

namespace {

/// KIP-903: each member with the broker epoch under which it was seen, so that the controller can
/// refuse one that has restarted since.
protocol::AlterPartitionItem make_item(const DataPlane& plane, const Partition& partition) {
    const IsrProposal& proposal = *partition.isr.proposal();
    protocol::AlterPartitionItem item;
    item.topic_id = partition.key.topic_id;
    item.partition = partition.key.partition;
    item.leader_epoch = *partition.leader_epoch;
    item.partition_epoch = partition.partition_epoch;
    item.new_isr.reserve(proposal.isr.size());
    for (const types::BrokerId member : proposal.isr) {
        std::optional<types::BrokerEpoch> epoch;
        if (member == plane.around.self) {
            epoch = plane.around.self_epoch;
        } else if (const Follower* follower =
                       find_follower(std::span<const Follower>(partition.followers), member)) {
            epoch = follower->state.broker_epoch;
        }
        item.new_isr.push_back({member, epoch});
    }
    return item;
}

void submit(DataPlane& plane,
            const Partition& partition,
            std::string_view change,
            sim::EventId because) {
    const IsrProposal& proposal = *partition.isr.proposal();
    const bool queued = plane.proposals.submit(make_item(plane, partition), proposal.number);
    KLAB_ASSERT(queued, "{} has a proposal in the queue", partition.name.text());
    const types::BrokerId subject = proposal.replicas.front();
    const Follower* follower =
        find_follower(std::span<const Follower>(partition.followers), subject);
    const bool known = follower != nullptr && follower->state.log_end_offset;
    const std::int64_t isr = isr_for_trace(plane.ctx, proposal.isr);
    const std::int64_t change_text = plane.ctx.text(change);
    plane.ctx.emit(types::events::kIsrProposed,
                   {partition.trace_name,
                    isr,
                    partition.leader_epoch->value(),
                    partition.partition_epoch.value(),
                    change_text,
                    subject.value(),
                    known ? follower->state.log_end_offset->value() : sim::kAbsent,
                    partition.log.high_watermark().value(),
                    partition.epoch_start ? partition.epoch_start->value() : sim::kAbsent},
                   {because});
}

void emit_refused(DataPlane& plane, const Partition& partition, types::ErrorCode error) {
    plane.ctx.emit(types::events::kIsrRefused,
                   {partition.trace_name, static_cast<std::int64_t>(error)});
}

}  // namespace

std::int64_t isr_for_trace(sim::Context& ctx, const std::vector<types::BrokerId>& isr) {
    std::vector<std::int32_t> ids;
    ids.reserve(isr.size());
    for (const types::BrokerId broker : isr) {
        ids.push_back(broker.value());
    }
    return ctx.list(ids);
}

bool propose_expansion(DataPlane& plane,
                       Partition& partition,
                       types::BrokerId joining,
                       sim::EventId because) {
    // One item a partition in the queue: Kafka lets the submission fail with
    // OPERATION_NOT_ATTEMPTED and takes the proposal back.
    if (plane.proposals.has(partition.key)) {
        return false;
    }
    partition.isr.propose_expand(joining);
    submit(plane, partition, "expand", because);
    return true;
}

bool propose_shrink(DataPlane& plane,
                    Partition& partition,
                    std::vector<types::BrokerId> leaving,
                    sim::EventId because) {
    if (plane.proposals.has(partition.key)) {
        return false;
    }
    partition.isr.propose_shrink(std::move(leaving));
    submit(plane, partition, "shrink", because);
    return true;
}

std::optional<sim::EventId> take_alter_partition_answer(
    DataPlane& plane,
    Partition& partition,
    std::uint64_t number,
    const protocol::AlterPartitionResult& answer) {
    const auto& proposal = partition.isr.proposal();
    if (!partition.is_leader() || !proposal || proposal->number != number) {
        return std::nullopt;  // metadata were faster
    }
    if (answer.error != types::ErrorCode::kNone) {
        emit_refused(plane, partition, answer.error);
    }
    switch (
        decide_alter_partition_step(answer, {*partition.leader_epoch, partition.partition_epoch})) {
        case AlterPartitionStep::kCommit: {
            const std::vector<types::BrokerId> before = partition.isr.committed();
            partition.isr.commit(answer.isr);
            partition.partition_epoch = answer.partition_epoch;
            return emit_isr_change(plane.ctx, partition, before);
        }
        case AlterPartitionStep::kRevert:
            partition.isr.revert();
            return std::nullopt;
        case AlterPartitionStep::kWaitForMetadata:
            return std::nullopt;
        case AlterPartitionStep::kRetry: {
            const bool queued = plane.proposals.submit(make_item(plane, partition), number);
            KLAB_ASSERT(queued, "the answered proposal has left the queue");
            return std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<sim::EventId> emit_isr_change(sim::Context& ctx,
                                            const Partition& partition,
                                            const std::vector<types::BrokerId>& before) {
    const std::vector<types::BrokerId>& now = partition.isr.committed();
    const auto lacks = [](const std::vector<types::BrokerId>& set, types::BrokerId broker) {
        return std::find(set.begin(), set.end(), broker) == set.end();
    };
    const bool grew = std::any_of(
        now.begin(), now.end(), [&](types::BrokerId broker) { return lacks(before, broker); });
    const bool shrank = std::any_of(
        before.begin(), before.end(), [&](types::BrokerId broker) { return lacks(now, broker); });
    std::optional<sim::EventId> last;
    for (const auto& [happened, kind] : {std::pair{shrank, types::events::kIsrShrunk},
                                         std::pair{grew, types::events::kIsrExpanded}}) {
        if (happened) {
            const std::int64_t isr = isr_for_trace(ctx, now);
            last = ctx.emit(kind,
                            {partition.trace_name,
                             isr,
                             partition.partition_epoch.value(),
                             partition.leader_epoch->value()});
        }
    }
    return last;
}

}  // namespace klab::replication
