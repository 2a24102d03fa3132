// SPDX-License-Identifier: Apache-2.0
//
// See log_events.h.
#include "model/replication/log_events.h"

#include <string_view>

#include "model/types/kafka_events.h"

namespace klab::replication {

namespace {

/// Kafka's words for it, as its log lines have them.
std::string_view text_of(LogStartReason reason) {
    switch (reason) {
        case LogStartReason::kLeaderOffsetIncremented:
            return "leader offset increment";
        case LogStartReason::kSegmentDeletion:
            return "segment deletion";
        case LogStartReason::kClientRecordDeletion:
            return "client delete records request";
    }
    return "";
}

}  // namespace

sim::EventId emit_log_appended(sim::Context& ctx,
                               const Partition& partition,
                               const storage::AppendedBatch& batch,
                               bool as_leader) {
    return ctx.emit(types::events::kLogAppended,
                    {partition.trace_name,
                     batch.base_offset.value(),
                     batch.last_offset.value(),
                     batch.leader_epoch ? batch.leader_epoch->value() : sim::kAbsent,
                     as_leader ? 1 : 0,
                     batch.crc,
                     batch.producer_id ? batch.producer_id->value() : sim::kAbsent,
                     batch.base_sequence ? *batch.base_sequence : sim::kAbsent});
}

void maybe_emit_log_rolled(sim::Context& ctx,
                           const Partition& partition,
                           types::Offset old_base,
                           std::uint32_t old_size) {
    const types::Offset base = partition.log.active_segment().base_offset();
    if (base != old_base) {
        ctx.emit(types::events::kLogRolled, {partition.trace_name, base.value(), old_size});
    }
}

sim::EventId emit_log_start_raised(sim::Context& ctx,
                                   const Partition& partition,
                                   types::Offset before,
                                   LogStartReason reason,
                                   sim::EventId because) {
    const types::Offset now = partition.log.log_start_offset();
    if (now == before) {
        return because;
    }
    const std::int64_t why = ctx.text(text_of(reason));
    return ctx.emit(types::events::kLogStartRaised,
                    {partition.trace_name, before.value(), now.value(), why},
                    {because});
}

std::int64_t trace_name_of(sim::Context& ctx, const types::TopicPartition& name) {
    return sim::pack_name_index(ctx.text(name.topic), name.partition);
}

}  // namespace klab::replication
