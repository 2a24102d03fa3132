// SPDX-License-Identifier: Apache-2.0
//
// See high_watermark_rules.h.
#include "model/check/high_watermark_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/check/leader_completeness.h"
#include "model/check/log_matching.h"
#include "model/check/loss_excuse.h"

namespace klab::check {

namespace {

void check_bounds(const RuleContext& ctx,
                  const PartitionTrack& p,
                  const ReplicaTrack& r,
                  const Advance& advance) {
    ctx.findings.had(CheckId::kP8);
    if (advance.to > advance.log_end || advance.to < r.start) {
        ctx.broken(CheckId::kP8,
                   p,
                   std::nullopt,
                   fmt::format("b{} has high watermark {} of {} outside its log {}..{}",
                               r.broker,
                               advance.to,
                               ctx.name(p),
                               r.start,
                               advance.log_end));
    }
    if (advance.log_end != r.end) {
        ctx.broken(CheckId::kSelf,
                   p,
                   std::nullopt,
                   fmt::format("b{}: {} ends at {} and was followed to {}",
                               r.broker,
                               ctx.name(p),
                               advance.log_end,
                               r.end));
    }
}

void check_gate(const RuleContext& ctx,
                const PartitionTrack& p,
                ReplicaTrack& r,
                const Advance& advance) {
    if (!ctx.rules.hw_held_below_min_isr || advance.isr_size < 0) {
        return;
    }
    ctx.findings.had(CheckId::kP17);
    const std::size_t min_isr = min_isr_of(ctx, p, r);
    if (static_cast<std::size_t>(advance.isr_size) < min_isr) {
        ctx.broken(CheckId::kP17,
                   p,
                   std::nullopt,
                   fmt::format("b{} raises the high watermark of {} to {} with {} in the ISR and "
                               "min.insync.replicas {}",
                               r.broker,
                               ctx.name(p),
                               advance.to,
                               advance.isr_size,
                               min_isr));
    }
}

/// The ISR as the leader must assume it: with a proposal in flight the larger one (KIP-497).
BrokerIds maximal_isr(const RuleContext& ctx, const PartitionTrack& p, const ReplicaTrack& r) {
    if (r.proposing) {
        if (const auto sight = ctx.sight.replica(ctx.sight.partition(p.name), r.broker);
            sight && sight->is_leader) {
            return sight->maximal_isr;
        }
    }
    return r.isr;
}

/// P8 for the members of the maximal ISR, by their real log ends. A member that lost its tail has
/// told the leader of records that it does not have any more: P13 deals with that.
void check_member_ends(const RuleContext& ctx,
                       const PartitionTrack& p,
                       const ReplicaTrack& r,
                       const BrokerIds& members) {
    for (const types::BrokerId member : members) {
        const ReplicaTrack* other = find_replica(p, member);
        if (other != nullptr && (other->end >= *r.high_watermark || other->lost || other->stale)) {
            continue;
        }
        ctx.broken(CheckId::kP8,
                   p,
                   std::nullopt,
                   fmt::format("b{} raises the high watermark of {} to {}, but b{} of its ISR ends "
                               "at {}",
                               r.broker,
                               ctx.name(p),
                               *r.high_watermark,
                               member,
                               other == nullptr ? 0 : other->end));
    }
}

bool is_current(const PartitionTrack& p, const ReplicaTrack& r) {
    return r.is_leader() && r.leader_epoch >= p.latest_epoch;
}

/// Batches that the leader has committed; and under which ISR.
void commit(const RuleContext& ctx, PartitionTrack& p, types::BrokerId leader, std::int64_t to) {
    const std::int64_t before = p.committed_end;
    const auto differing = extend_committed(p, leader, to);
    if (p.committed_end == before) {
        return;
    }
    ctx.findings.had(CheckId::kP5);
    ReplicaTrack& r = *find_replica(p, leader);
    const std::size_t min_isr = min_isr_of(ctx, p, r);
    if (p.segments.empty() || p.segments.back().isr != r.isr ||
        p.segments.back().min_isr != min_isr) {
        p.segments.push_back({before, r.isr, min_isr});
    }
    for (const auto& [broker, offset] : differing) {
        report_differing(ctx, p, broker, offset);
    }
}

void check_leader_advance(const RuleContext& ctx,
                          PartitionTrack& p,
                          types::BrokerId leader,
                          const Advance& advance) {
    ReplicaTrack& r = *find_replica(p, leader);
    check_gate(ctx, p, r, advance);
    if (r.proposing) {
        check_member_ends(ctx, p, r, maximal_isr(ctx, p, r));
    } else {
        check_member_ends(ctx, p, r, r.isr);
    }
    if (is_current(p, r)) {
        commit(ctx, p, leader, advance.to);
        check_isr_members(ctx, p, *find_replica(p, leader));
        check_controller_isr(ctx, p);
    }
}

}  // namespace

void check_advance(const RuleContext& ctx,
                   PartitionTrack& p,
                   types::BrokerId broker,
                   const Advance& advance) {
    ReplicaTrack& r = replica_for(p, broker);
    r.high_watermark = advance.to;
    check_bounds(ctx, p, r, advance);
    if (advance.as_leader) {
        check_leader_advance(ctx, p, broker, advance);
    } else {
        expose(ctx, p, std::min(advance.to, r.matched));
    }
    check_own_log(ctx, p, *find_replica(p, broker));
}

void check_isr_members(const RuleContext& ctx,
                       const PartitionTrack& p,
                       const ReplicaTrack& leader) {
    if (!leader.high_watermark || !is_current(p, leader)) {
        return;
    }
    ctx.findings.had(CheckId::kP13);
    const std::int64_t needed = std::min(*leader.high_watermark, p.committed_end);
    for (const types::BrokerId member : leader.isr) {
        const ReplicaTrack* r = find_replica(p, member);
        const std::int64_t matched = r == nullptr ? 0 : r->matched;
        if (matched >= needed) {
            continue;
        }
        ctx.broken(CheckId::kP13,
                   p,
                   excuse_for_replica(ctx, p, r, matched),
                   fmt::format("b{} is in the ISR of leader b{} and agrees with {} only up to {}, "
                               "not to the high watermark {}",
                               member,
                               leader.broker,
                               ctx.name(p),
                               matched,
                               *leader.high_watermark));
    }
}

void check_controller_isr(const RuleContext& ctx, const PartitionTrack& p) {
    if (!p.control.leader) {
        return;
    }
    const ReplicaTrack* leader = find_replica(p, *p.control.leader);
    if (leader == nullptr || !leader->is_leader() || !leader->high_watermark ||
        leader->leader_epoch != p.control.leader_epoch) {
        return;
    }
    ctx.findings.had(CheckId::kP15);
    for (const types::BrokerId member : p.control.isr) {
        const ReplicaTrack* r = find_replica(p, member);
        const std::int64_t end = r == nullptr ? 0 : r->end;
        if (end >= *leader->high_watermark) {
            continue;
        }
        ctx.broken(
            CheckId::kP15,
            p,
            excuse_for_replica(ctx, p, r, end),
            fmt::format("b{} is in the ISR of {} and ends at {}, below the high watermark {} "
                        "of leader b{}",
                        member,
                        ctx.name(p),
                        end,
                        *leader->high_watermark,
                        leader->broker));
    }
}

namespace {

/// Partition.makeLeader takes metadata with the partition epoch that the leader has already, from
/// the answer to its last proposal, and with them takes back the proposal it has made since. The
/// controller does not know and may accept that one.
Excuse excuse_of_taken_back(const PartitionTrack& p,
                            const RegistrationSight& committed,
                            types::BrokerId member) {
    for (const TrackedProposal& proposal : p.proposals) {
        if (proposal.leader == committed.leader && proposal.joining == member &&
            proposal.leader_epoch == committed.leader_epoch.value() &&
            proposal.partition_epoch + 1 == committed.partition_epoch.value()) {
            return fmt::format(
                "b{} had proposed b{} and took that back when metadata came with the "
                "partition epoch that it had already",
                proposal.leader,
                member);
        }
    }
    return std::nullopt;
}

}  // namespace

void check_maximal_isr(const RuleContext& ctx, PartitionTrack& p) {
    if (!p.control.leader) {
        return;
    }
    const types::TopicPartition name = ctx.sight.partition(p.name);
    const auto leader = ctx.sight.replica(name, *p.control.leader);
    const auto committed = ctx.sight.registration(name);
    if (!leader || !committed || !leader->is_leader ||
        leader->leader_epoch != committed->leader_epoch || committed->leader != p.control.leader ||
        leader->committed_isr.size() < leader->effective_min_isr) {
        return;
    }
    ctx.findings.had(CheckId::kP16);
    for (const BrokerIds* members : {&committed->isr, &committed->elr}) {
        for (const types::BrokerId member : *members) {
            if (!contains(leader->maximal_isr, member)) {
                ctx.broken(CheckId::kP16,
                           p,
                           excuse_of_taken_back(p, *committed, member),
                           fmt::format("the controller counts b{} as in sync with {}, leader b{} "
                                       "does not: [{}]",
                                       member,
                                       name.text(),
                                       *p.control.leader,
                                       broker_names(leader->maximal_isr)));
            }
        }
    }
}

}  // namespace klab::check
