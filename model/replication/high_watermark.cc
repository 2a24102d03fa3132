// SPDX-License-Identifier: Apache-2.0
//
// See high_watermark.h.
#include "model/replication/high_watermark.h"

#include <algorithm>
#include <array>

#include "model/replication/isr_expansion.h"
#include "model/types/kafka_events.h"
#include "sim/base/assert.h"

namespace klab::replication {

namespace {

using types::Mutant;

/// Does the high watermark wait for this follower?
bool counts(const HighWatermarkQuestion& question,
            const Follower& follower,
            const Surroundings& around) {
    // Mutant maximal-isr-ignored: trust the committed ISR for an expansion in flight, and the
    // proposed one for a shrink in flight, as if the controller had agreed already.
    if (around.rules.mutated(Mutant::kMaximalIsrIgnored)) {
        const bool shrinking = question.isr.phase() == IsrPhase::kPendingShrink;
        const auto& members = shrinking ? question.isr.proposal()->isr : question.isr.committed();
        return std::find(members.begin(), members.end(), follower.broker) != members.end();
    }
    if (question.isr.in_maximal_isr(follower.broker)) {
        return true;
    }
    // One about to join already holds the high watermark back: were it passed over now, the high
    // watermark would have to wait for it again the moment it joins.
    return is_caught_up(follower.state, question.log_end, around.wall, around.lag_max) &&
           is_isr_eligible(follower, around);
}

/// Mutant hw-past-lagging-isr-member: the in-sync follower that is furthest behind.
const Follower* slowest_isr_follower(const HighWatermarkQuestion& question) {
    const Follower* slowest = nullptr;
    for (const Follower& follower : question.followers) {
        if (question.isr.in_maximal_isr(follower.broker) &&
            (slowest == nullptr || follower.state.log_end_offset < slowest->state.log_end_offset)) {
            slowest = &follower;
        }
    }
    return slowest;
}

/// The events an advance rests on: `because`, then the fetches of followers that count.
struct Causes {
    std::array<sim::EventId, 3> events{};
    std::size_t count = 0;

    void add(sim::EventId event) {
        const auto end = events.begin() + static_cast<std::ptrdiff_t>(count);
        if (count < events.size() && std::find(events.begin(), end, event) == end) {
            events[count++] = event;
        }
    }
};

sim::EventId emit_with(sim::Context& ctx,
                       sim::EventKind kind,
                       std::initializer_list<std::int64_t> fields,
                       const Causes& causes) {
    const auto& e = causes.events;
    switch (causes.count) {
        case 1:
            return ctx.emit(kind, fields, {e[0]});
        case 2:
            return ctx.emit(kind, fields, {e[0], e[1]});
        case 3:
            return ctx.emit(kind, fields, {e[0], e[1], e[2]});
        default:
            return ctx.emit(kind, fields);
    }
}

sim::EventId emit_advanced(sim::Context& ctx,
                           const Partition& partition,
                           types::Offset from,
                           const Causes& causes) {
    return emit_with(ctx,
                     types::events::kHwAdvanced,
                     {partition.trace_name,
                      from.value(),
                      partition.log.high_watermark().value(),
                      partition.is_leader() ? 1 : 0,
                      partition.log.log_end_offset().value(),
                      partition.leader_epoch ? partition.leader_epoch->value() : sim::kAbsent,
                      partition.isr_size_for_trace()},
                     causes);
}

}  // namespace

std::optional<types::Offset> decide_leader_high_watermark(const HighWatermarkQuestion& question,
                                                          const Surroundings& around) {
    // KAFKA-15583: below min.insync.replicas nothing new is committed. The committed ISR decides,
    // not the maximal one: a replica that is only proposed does not make the partition safe yet.
    const bool held = around.rules.hw_held_below_min_isr &&
                      question.isr.committed().size() < question.effective_min_isr;
    if (held && !around.rules.mutated(Mutant::kHwGateSkipped)) {
        return std::nullopt;
    }
    const Follower* left_out = around.rules.mutated(Mutant::kHwPastLaggingIsrMember)
                                   ? slowest_isr_follower(question)
                                   : nullptr;
    types::Offset candidate = question.log_end;
    for (const Follower& follower : question.followers) {
        // A follower that has not fetched in this epoch has no known end: it blocks if it counts.
        const auto& end = follower.state.log_end_offset;
        if ((!end || *end < candidate) && &follower != left_out &&
            counts(question, follower, around)) {
            if (!end) {
                return std::nullopt;
            }
            candidate = *end;
        }
    }
    KLAB_ASSERT(candidate <= question.log_end, "high watermark beyond the log end");
    return candidate > question.high_watermark ? std::optional(candidate) : std::nullopt;
}

std::optional<sim::EventId> maybe_advance_leader_high_watermark(sim::Context& ctx,
                                                                Partition& partition,
                                                                const Surroundings& around,
                                                                sim::EventId because) {
    KLAB_ASSERT(partition.is_leader(), "only a leader computes a high watermark");
    const types::Offset from = partition.log.high_watermark();
    const HighWatermarkQuestion question{.log_end = partition.log.log_end_offset(),
                                         .high_watermark = from,
                                         .isr = partition.isr,
                                         .followers = partition.followers,
                                         .effective_min_isr = partition.effective_min_isr()};
    const auto to = decide_leader_high_watermark(question, around);
    if (!to) {
        return std::nullopt;
    }
    Causes causes;
    causes.add(because);
    for (const Follower& follower : partition.followers) {
        if (follower.state.end_offset_event && partition.isr.in_maximal_isr(follower.broker)) {
            causes.add(*follower.state.end_offset_event);
        }
    }
    partition.log.set_high_watermark(*to);
    return emit_advanced(ctx, partition, from, causes);
}

std::optional<sim::EventId> update_follower_high_watermark(sim::Context& ctx,
                                                           Partition& partition,
                                                           types::Offset leader_high_watermark,
                                                           sim::EventId because) {
    const types::Offset from = partition.log.high_watermark();
    const types::Offset to = partition.log.set_high_watermark(leader_high_watermark);
    if (to == from) {
        return std::nullopt;
    }
    if (to < from) {
        return ctx.emit(types::events::kHwMovedBack,
                        {partition.trace_name, from.value(), to.value()},
                        {because});
    }
    Causes causes;
    causes.add(because);
    return emit_advanced(ctx, partition, from, causes);
}

}  // namespace klab::replication
