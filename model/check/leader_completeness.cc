// SPDX-License-Identifier: Apache-2.0
//
// See leader_completeness.h.
#include "model/check/leader_completeness.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/check/acked_loss.h"
#include "model/check/loss_excuse.h"

namespace klab::check {

namespace {

/// What the leader lacks, or holds something else in place of, from `at` on.
void report_incomplete(const RuleContext& ctx,
                       const PartitionTrack& p,
                       const ReplicaTrack& leader,
                       const Excuse& excuse) {
    const std::int64_t at = leader.matched;
    ctx.broken(CheckId::kP2,
               p,
               excuse,
               fmt::format("b{} leads {} in epoch {} and agrees with the committed log only up to "
                           "{}; it was exposed up to {}",
                           leader.broker,
                           ctx.name(p),
                           leader.leader_epoch,
                           at,
                           p.exposed));
    if (leader.end > at) {
        ctx.broken(CheckId::kP5,
                   p,
                   excuse,
                   fmt::format("b{} leads {} with another record at offset {}, which was committed",
                               leader.broker,
                               ctx.name(p),
                               at));
    }
}

}  // namespace

void check_leader_complete(const RuleContext& ctx, PartitionTrack& p, types::BrokerId leader) {
    const ReplicaTrack& r = *find_replica(p, leader);
    p.latest_epoch = std::max(p.latest_epoch, r.leader_epoch);
    ctx.findings.had(CheckId::kP2);
    if (r.matched < p.committed_end) {
        Excuse excuse = excuse_for_loss(ctx, p, r.matched, p.committed_end);
        if (r.matched < p.exposed) {
            report_incomplete(ctx, p, r, excuse);
            check_acked_kept(ctx, p, r, r.matched, excuse);
        }
        rebase(p, leader, r.matched, std::move(excuse), ctx.event.id);
    }
    check_loose_answers(ctx, p, r);
    if (p.control.unclean && r.leader_epoch >= p.control.unclean->leader_epoch) {
        p.control.unclean.reset();
    }
}

void check_candidates(const RuleContext& ctx, const PartitionTrack& p) {
    if (!p.control.known || p.exposed == 0) {
        return;
    }
    ctx.findings.had(CheckId::kP3);
    for (const types::BrokerId member : p.control.isr) {
        const ReplicaTrack* r = find_replica(p, member);
        if (r == nullptr || r->matched >= p.exposed || !r->open) {
            continue;
        }
        const BrokerTrack* broker = find_broker(ctx.brokers, member);
        if (broker == nullptr || !broker->running || !broker->registered) {
            continue;  // excused: restarted, and not known to the controller yet
        }
        Excuse excuse =
            r->stale ? p.rebases[*r->stale].excuse : excuse_for_loss(ctx, p, r->matched, p.exposed);
        ctx.broken(CheckId::kP3,
                   p,
                   std::move(excuse),
                   fmt::format("b{} is in the ISR of {} and agrees with the committed log only up "
                               "to {}, not {}",
                               member,
                               ctx.name(p),
                               r->matched,
                               p.exposed));
    }
}

void expose(const RuleContext& ctx, PartitionTrack& p, std::int64_t to) {
    const std::int64_t exposed = std::min(to, p.committed_end);
    if (exposed <= p.exposed) {
        return;
    }
    p.exposed = exposed;
    check_candidates(ctx, p);
}

}  // namespace klab::check
