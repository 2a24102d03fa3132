// SPDX-License-Identifier: Apache-2.0
//
// See log_matching.h.
#include "model/check/log_matching.h"

#include <fmt/format.h>

#include "model/check/loss_excuse.h"

namespace klab::check {

void report_differing(const RuleContext& ctx,
                      const PartitionTrack& p,
                      types::BrokerId broker,
                      std::int64_t offset) {
    const ReplicaTrack& r = *find_replica(p, broker);
    ctx.broken(CheckId::kP4,
               p,
               excuse_for_replica(ctx, p, &r, offset),
               fmt::format("b{} holds another batch than the committed one at offset {} of {}, "
                           "below its high watermark {}",
                           broker,
                           offset,
                           ctx.name(p),
                           r.high_watermark.value_or(0)));
}

void check_own_log(const RuleContext& ctx, const PartitionTrack& p, const ReplicaTrack& r) {
    ctx.findings.had(CheckId::kP4);
    if (!r.high_watermark || r.matched >= std::min(*r.high_watermark, p.committed_end)) {
        return;
    }
    const auto holds_it = [&](const ReplicaTrack& other) {
        return other.broker != r.broker && other.high_watermark &&
               *other.high_watermark > r.matched && other.matched > r.matched;
    };
    for (const ReplicaTrack& other : p.replicas) {
        if (holds_it(other) && batch_at(p, r, r.matched)) {
            report_differing(ctx, p, r.broker, r.matched);
            return;
        }
    }
}

void check_replacement(const RuleContext& ctx, PartitionTrack& p, const Batch& batch) {
    for (Ghost& ghost : p.ghosts) {
        const Rebase& lost = p.rebases[ghost.rebase];
        const bool overlaps = ghost.batch.base <= batch.last && batch.base <= ghost.batch.last;
        if (ghost.replaced || !overlaps || ghost.batch.same_as(batch)) {
            continue;
        }
        ghost.replaced = true;
        if (ghost.batch.base >= lost.exposed) {
            continue;  // nobody had heard of it
        }
        ctx.broken(CheckId::kP5,
                   p,
                   lost.excuse,
                   fmt::format("offset {} of {} was committed in epoch {} and now holds a record "
                               "of epoch {}",
                               ghost.batch.base,
                               ctx.name(p),
                               ghost.batch.epoch,
                               batch.epoch));
    }
}

}  // namespace klab::check
