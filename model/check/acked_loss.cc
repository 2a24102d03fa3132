// SPDX-License-Identifier: Apache-2.0
//
// See acked_loss.h.
#include "model/check/acked_loss.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/check/leader_completeness.h"
#include "model/check/loss_excuse.h"

namespace klab::check {

namespace {

/// The lost batch that stood at `offset`, the last one if there were several.
const Ghost* find_ghost(const PartitionTrack& p, std::int64_t offset) {
    for (auto ghost = p.ghosts.rbegin(); ghost != p.ghosts.rend(); ++ghost) {
        if (ghost->batch.base <= offset && offset <= ghost->batch.last) {
            return &*ghost;
        }
    }
    return nullptr;
}

void report_lost(const RuleContext& ctx,
                 const PartitionTrack& p,
                 types::BrokerId leader,
                 std::int64_t offset,
                 std::uint64_t records,
                 Excuse excuse) {
    ctx.broken(CheckId::kP1,
               p,
               std::move(excuse),
               fmt::format("b{} leads {} without {} acknowledged record{} from offset {} on",
                           leader,
                           ctx.name(p),
                           records,
                           records == 1 ? "" : "s",
                           offset));
}

/// An unclean election after the answer took its leader's log out of the line.
Excuse excuse_of_loose(const RuleContext& ctx, const PartitionTrack& p, const LooseAnswer& loose) {
    for (const std::int32_t epoch : p.control.unclean_epochs) {
        if (epoch > loose.leader_epoch) {
            return fmt::format("unclean election in leader epoch {}", epoch);
        }
    }
    return excuse_of_version(ctx);
}

/// Once the batch has acknowledged records and another leader lacks it.
void judge_loose(const RuleContext& ctx,
                 const PartitionTrack& p,
                 const ReplicaTrack& leader,
                 LooseAnswer& loose) {
    if (loose.told || loose.batch.acked == 0 || leader.leader_epoch <= loose.leader_epoch) {
        return;
    }
    const auto held = batch_at(p, leader, loose.batch.base);
    if (held && held->same_as(loose.batch)) {
        return;
    }
    loose.told = true;
    report_lost(
        ctx, p, leader.broker, loose.batch.base, loose.batch.acked, excuse_of_loose(ctx, p, loose));
}

const ReplicaTrack* current_leader(const PartitionTrack& p) {
    const ReplicaTrack* leader = p.control.leader ? find_replica(p, *p.control.leader) : nullptr;
    const bool leads =
        leader != nullptr && leader->is_leader() && leader->leader_epoch == p.control.leader_epoch;
    return leads ? leader : nullptr;
}

}  // namespace

void check_answer(const RuleContext& ctx,
                  PartitionTrack& p,
                  const ReplicaTrack& r,
                  std::int64_t base,
                  std::int64_t last) {
    ctx.findings.had(CheckId::kAnswer);
    if (r.high_watermark && *r.high_watermark <= last) {
        ctx.broken(
            CheckId::kAnswer,
            p,
            std::nullopt,
            fmt::format("b{} answers acks=all for offsets {}..{} of {} with a high watermark "
                        "of {}",
                        r.broker,
                        base,
                        last,
                        ctx.name(p),
                        *r.high_watermark));
    }
    const auto index = committed_index(p, base);
    if (index && r.matched > last) {
        if (!p.committed[*index].answered) {
            p.committed.write(*index).answered = true;
        }
        return;
    }
    LooseAnswer loose;
    loose.batch = batch_at(p, r, base).value_or(Batch{base, last, -1, 0, 0, true});
    loose.leader_epoch = r.leader_epoch;
    p.loose.push_back(loose);
}

void check_acked(const RuleContext& ctx, PartitionTrack& p, std::int64_t offset) {
    ctx.findings.had(CheckId::kP1);
    for (LooseAnswer& loose : p.loose) {
        if (loose.batch.base <= offset && offset <= loose.batch.last) {
            ++loose.batch.acked;
            if (const ReplicaTrack* leader = current_leader(p)) {
                judge_loose(ctx, p, *leader, loose);
            }
            return;
        }
    }
    const auto index = committed_index(p, offset);
    const Ghost* ghost = p.ghosts.empty() ? nullptr : find_ghost(p, offset);
    if (index && (p.committed[*index].answered || ghost == nullptr)) {
        ++p.committed.write(*index).acked;
        expose(ctx, p, offset + 1);
        return;
    }
    if (ghost != nullptr && p.control.leader) {
        // The acknowledgement arrives after its record was lost.
        report_lost(ctx, p, *p.control.leader, offset, 1, p.rebases[ghost->rebase].excuse);
    }
}

void check_acked_kept(const RuleContext& ctx,
                      const PartitionTrack& p,
                      const ReplicaTrack& leader,
                      std::int64_t from,
                      const Excuse& excuse) {
    std::uint64_t records = 0;
    std::int64_t first = from;
    for (std::size_t i = p.committed.size(); i > 0 && p.committed[i - 1].last >= from; --i) {
        const Batch& batch = p.committed[i - 1];
        if (batch.acked > 0) {
            records += batch.acked;
            first = batch.base;
        }
    }
    if (records > 0) {
        report_lost(ctx, p, leader.broker, first, records, excuse);
    }
}

void check_loose_answers(const RuleContext& ctx, PartitionTrack& p, const ReplicaTrack& leader) {
    for (LooseAnswer& loose : p.loose) {
        judge_loose(ctx, p, leader, loose);
    }
    std::erase_if(p.loose, [](const LooseAnswer& loose) { return loose.told; });
}

}  // namespace klab::check
