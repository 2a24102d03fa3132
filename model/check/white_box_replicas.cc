// SPDX-License-Identifier: Apache-2.0
//
// Events of replicas: logs, roles, ISRs, produce. See white_box.h.
#include <algorithm>

#include <fmt/format.h>

#include "model/check/acked_loss.h"
#include "model/check/epoch_rules.h"
#include "model/check/high_watermark_rules.h"
#include "model/check/isr_change_rules.h"
#include "model/check/isr_shape.h"
#include "model/check/leader_completeness.h"
#include "model/check/log_matching.h"
#include "model/check/produce_rules.h"
#include "model/check/truncation_floor.h"
#include "model/check/white_box.h"
#include "model/types/error_code.h"
#include "model/types/kafka_events.h"

namespace klab::check {

namespace events = types::events;

namespace {

constexpr std::int64_t kAcksAll = -1;
constexpr std::int64_t kNoError = static_cast<std::int64_t>(types::ErrorCode::kNone);

std::int32_t narrow(std::int64_t value) { return static_cast<std::int32_t>(value); }

/// The ends of this process's logs are as the trace has told, or the process found no directory.
void meet(const RuleContext& ctx, PartitionTrack& p, ReplicaTrack& r, std::int64_t end) {
    if (!r.open) {
        lose_tail(p, r, 0, ctx.event.id);  // the directory did not survive
        r.open = true;
        r.offline = false;
        r.high_watermark = 0;
    }
    if (r.end == end) {
        return;
    }
    ctx.broken(CheckId::kSelf,
               p,
               std::nullopt,
               fmt::format(
                   "b{}: {} ends at {} and was followed to {}", r.broker, ctx.name(p), end, r.end));
    cut(p, r, std::min(end, r.end));
    r.end = end;
}

/// An append that the disk refused half way (the batch is in the log, its index entry is not) tells
/// of no batch; recovery brings it to light.
void take_untold(const RuleContext& ctx, PartitionTrack& p, ReplicaTrack& r, std::int64_t end) {
    const BrokerTrack* broker = find_broker(ctx.brokers, r.broker);
    if (broker == nullptr || !broker->was_refused || end <= r.end) {
        return;
    }
    for (const BatchOnDisk& one : ctx.sight.batches(ctx.sight.partition(p.name), r.broker)) {
        if (one.base >= r.end && one.last < end) {
            append(p, r, Batch{one.base, one.last, one.epoch, one.crc, 0, false});
        }
    }
}

/// The directory is not that of the partition any more: the next log begins empty.
void put_aside(const PartitionTrack& p, ReplicaTrack& r, sim::EventId event) {
    lose_tail(p, r, 0, event);
    r.open = false;
    r.start = 0;
    r.high_watermark.reset();
    r.sequences.clear();
}

}  // namespace

void WhiteBox::on_log_event(const RuleContext& ctx, PartitionTrack& p, ReplicaTrack& r) {
    const auto& f = ctx.event.fields;
    if (ctx.event.kind == events::kLogAppended) {
        const Batch batch{f[1], f[2], narrow(f[3]), static_cast<std::uint32_t>(f[5]), 0, false};
        const bool as_leader = f[4] == 1;
        if (f[6] >= 0) {
            check_sequence(ctx, p, r, batch, f[6], narrow(f[7]));
        }
        if (batch.base < r.end) {
            meet(ctx, p, r, batch.base);
        }
        append(p, r, batch);
        if (as_leader) {
            check_author(ctx, p, r.broker, batch.epoch);
            check_replacement(ctx, p, batch);
            r.appended_base = batch.base;
            r.appended_last = batch.last;
            r.appended_event = ctx.event.id;
            if (batch.epoch < p.control.leader_epoch) {
                p.control.deposed_append = ctx.event.id;
            }
        }
        return;
    }
    if (ctx.event.kind == events::kHwMovedBack) {
        r.high_watermark = f[2];
        return;
    }
    const bool was_complete = r.matched >= p.exposed;
    if (ctx.event.kind == events::kLogTruncated) {
        const std::string& reason = ctx.sight.text(f[4]);
        if (reason == "leader starts inside a batch" || reason == "leader's log starts later") {
            start_over(r, f[2]);
            return;
        }
        if (reason != "no epochs" && reason != "own high watermark") {
            check_cut(ctx, p, r, f[2], f[3]);
        }
        cut(p, r, f[2]);
    } else if (ctx.event.kind == events::kLogRecovered) {
        lose_tail(p, r, f[1], ctx.event.id);
        r.open = true;
        r.high_watermark = f[2];
        take_untold(ctx, p, r, f[1]);
        meet(ctx, p, r, f[1]);
    } else if (ctx.event.kind == events::kLogRenamed) {
        put_aside(p, r, ctx.event.id);
    }
    if (was_complete && r.matched < p.exposed) {
        check_candidates(ctx, p);
    }
    const ReplicaTrack* leader = p.control.leader ? find_replica(p, *p.control.leader) : nullptr;
    if (leader != nullptr && leader->is_leader()) {
        check_isr_members(ctx, p, *leader);
        check_controller_isr(ctx, p);
    }
}

void WhiteBox::on_role_event(const RuleContext& ctx, PartitionTrack& p, types::BrokerId broker) {
    const auto& f = ctx.event.fields;
    ReplicaTrack& r = replica_for(p, broker);
    const bool leads = ctx.event.kind == events::kLeaderStarted;
    meet(ctx, p, r, leads ? f[3] : f[4]);
    if (!leads) {
        check_applied_epochs(ctx, p, r, narrow(f[2]), narrow(f[3]));
        r.role = TrackedRole::kFollower;
        r.isr.clear();
        r.proposing = false;
        r.high_watermark = f[5];
        return;
    }
    check_applied_epochs(ctx, p, r, narrow(f[1]), narrow(f[2]));
    r.role = TrackedRole::kLeader;
    r.isr = broker_list(ctx.sight, f[4]);
    r.proposing = false;
    r.high_watermark = f[5];
    check_leader_in_isr(ctx, p, r);
    const bool wanted = p.control.leader == broker && p.control.leader_epoch == r.leader_epoch;
    if (wanted) {
        check_leader_complete(ctx, p, broker);
        check_isr_members(ctx, p, *find_replica(p, broker));
        check_controller_isr(ctx, p);
    }
}

void WhiteBox::on_isr_event(const RuleContext& ctx, PartitionTrack& p, ReplicaTrack& r) {
    const auto& f = ctx.event.fields;
    if (ctx.event.kind == events::kIsrProposed) {
        check_proposal(ctx,
                       p,
                       r,
                       {.isr_list = f[1],
                        .leader_epoch = narrow(f[2]),
                        .partition_epoch = narrow(f[3]),
                        .expands = ctx.sight.text(f[4]) == "expand",
                        .replica = types::BrokerId(narrow(f[5])),
                        .replica_end = f[6],
                        .high_watermark = f[7],
                        .epoch_start = f[8]});
        return;
    }
    if (ctx.event.kind == events::kIsrRefused) {
        return;
    }
    r.isr = broker_list(ctx.sight, f[1]);
    r.proposing = false;
    check_applied_epochs(ctx, p, r, narrow(f[3]), narrow(f[2]));
    check_leader_in_isr(ctx, p, r);
    check_isr_members(ctx, p, r);
}

void WhiteBox::on_produce_event(const RuleContext& ctx, PartitionTrack& p, ReplicaTrack& r) {
    const auto& f = ctx.event.fields;
    if (ctx.event.kind == events::kProduceWaiting) {
        check_admission(ctx, p, r, f[1] - 1);
        return;
    }
    if (f[4] == kAcksAll && f[3] == kNoError) {
        check_admission(ctx, p, r, f[2]);
        check_answer(ctx, p, r, f[1], f[2]);
    }
}

}  // namespace klab::check
