// SPDX-License-Identifier: Apache-2.0
//
// See delayed_produce.h.
#include "model/replication/delayed_produce.h"

#include <utility>

#include "model/types/kafka_events.h"
#include "model/types/timer_kinds.h"
#include "sim/base/assert.h"

namespace klab::replication {

using types::ErrorCode;

namespace {

sim::TimerKey expiry_timer(std::uint64_t number) {
    return {static_cast<std::uint32_t>(types::TimerKind::kDelayedOperation),
            static_cast<std::int64_t>(number),
            0};
}

void answer(DataPlane& plane, const ParkedProduce& produce, sim::EventId because) {
    protocol::ProduceResponse response;
    response.partitions.reserve(produce.parts.size());
    for (const ParkedProducePart& part : produce.parts) {
        response.partitions.push_back(part.result);
    }
    plane.out.push_back({.to = produce.from,
                         .response = sim::make_message(std::move(response)),
                         .because = because});
}

/// Settles one pending part.
void settle(DataPlane& plane,
            ParkedProduce& produce,
            ParkedProducePart& part,
            ErrorCode error,
            sim::EventId because) {
    KLAB_ASSERT(part.pending, "settled twice");
    part.pending = false;
    --produce.pending;
    part.result.error = error;
    if (error != ErrorCode::kNone) {
        part.result.base_offset.reset();
    }
    emit_produce_completed(plane, part, -1, because);
}

}  // namespace

std::optional<ErrorCode> decide_produce_status(const Partition& partition,
                                               types::Offset last_offset) {
    if (!partition.is_leader()) {
        return ErrorCode::kNotLeaderOrFollower;
    }
    if (partition.log.high_watermark() <= last_offset) {
        return std::nullopt;
    }
    // Written, and held by the whole ISR; but is that ISR what the topic promises?
    return partition.isr.maximal_size() >= partition.effective_min_isr()
               ? ErrorCode::kNone
               : ErrorCode::kNotEnoughReplicasAfterAppend;
}

void emit_produce_completed(DataPlane& plane,
                            const ParkedProducePart& part,
                            std::int16_t acks,
                            sim::EventId because) {
    const Partition* partition = plane.find(part.key);
    const bool leads = partition != nullptr && partition->is_leader();
    const std::int64_t isr_size =
        leads ? static_cast<std::int64_t>(partition->isr.maximal_size()) : sim::kAbsent;
    plane.ctx.emit(types::events::kProduceCompleted,
                   {part.trace_name,
                    part.base_offset.value(),
                    part.last_offset.value(),
                    static_cast<std::int64_t>(part.result.error),
                    acks,
                    isr_size},
                   {because});
}

void park_produce(DataPlane& plane, ParkedProduce produce, Duration timeout) {
    for (ParkedProducePart& part : produce.parts) {
        if (!part.pending) {
            continue;
        }
        const Partition* partition = plane.find(part.key);
        KLAB_ASSERT(partition != nullptr, "written a moment ago");
        if (const auto status = decide_produce_status(*partition, part.last_offset)) {
            settle(plane, produce, part, *status, part.because);
        }
    }
    if (produce.pending == 0) {
        answer(plane, produce, plane.ctx.cause());
        return;
    }
    const std::uint64_t number = plane.purgatory.park(std::move(produce));
    const ParkedProduce& parked = *plane.purgatory.produce(number);
    for (std::uint32_t place = 0; place < parked.parts.size(); ++place) {
        const ParkedProducePart& part = parked.parts[place];
        if (part.pending) {
            Partition& partition = *plane.find_for_write(part.key);
            partition.parked_produces.push_back({number, place});
            plane.ctx.emit(types::events::kProduceWaiting,
                           {partition.trace_name, part.last_offset.next().value()},
                           {part.because});
        }
    }
    plane.ctx.set_timer(expiry_timer(number), timeout, plane.options.lanes.background);
}

void try_complete_produces(DataPlane& plane, Partition& partition, sim::EventId because) {
    std::vector<Watch>& watches = partition.parked_produces;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < watches.size(); ++i) {
        const Watch watch = watches[i];
        const ParkedProduce* parked = plane.purgatory.produce(watch.request);
        if (parked == nullptr || !parked->parts[watch.place].pending) {
            continue;  // expired
        }
        const ParkedProducePart& part = parked->parts[watch.place];
        const auto status = partition.role == Role::kNone
                                ? plane.error_of_absent(part.key)
                                : decide_produce_status(partition, part.last_offset);
        if (!status) {
            watches[kept++] = watch;
            continue;
        }
        ParkedProduce& produce = *plane.purgatory.produce_for_write(watch.request);
        settle(plane, produce, produce.parts[watch.place], *status, because);
        if (produce.pending == 0) {
            answer(plane, produce, because);
            plane.ctx.cancel_timer(expiry_timer(watch.request));
            plane.purgatory.remove_produce(watch.request);
        }
    }
    watches.resize(kept);
}

bool expire_produce(DataPlane& plane, std::uint64_t number) {
    ParkedProduce* produce = plane.purgatory.produce_for_write(number);
    if (produce == nullptr) {
        return false;
    }
    for (ParkedProducePart& part : produce->parts) {
        if (part.pending) {
            settle(plane, *produce, part, ErrorCode::kRequestTimedOut, plane.ctx.cause());
        }
    }
    answer(plane, *produce, plane.ctx.cause());
    plane.purgatory.remove_produce(number);
    return true;
}

}  // namespace klab::replication
