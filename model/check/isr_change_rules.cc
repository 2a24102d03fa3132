// SPDX-License-Identifier: Apache-2.0
//
// See isr_change_rules.h.
#include "model/check/isr_change_rules.h"

#include <algorithm>

#include <fmt/format.h>

namespace klab::check {

namespace {

constexpr std::size_t kProposalsMax = 4;

/// The bar for joining, by what the leader knows and by what the replica really holds.
void check_far_enough(const RuleContext& ctx, const PartitionTrack& p, const Proposal& proposal) {
    ctx.findings.had(CheckId::kP20);
    const ReplicaTrack* r = find_replica(p, proposal.replica);
    const std::int64_t real_end = r == nullptr ? 0 : r->end;
    const bool lost = r != nullptr && r->lost;  // it has fetched before it lost its tail
    const std::int64_t end = lost ? proposal.replica_end : std::min(proposal.replica_end, real_end);
    const bool needs_start = ctx.rules.isr_join_needs_epoch_start;
    if (end >= proposal.high_watermark && (!needs_start || end >= proposal.epoch_start)) {
        return;
    }
    ctx.broken(CheckId::kP20,
               p,
               std::nullopt,
               fmt::format("b{} is proposed for the ISR of {} with log end {}, high watermark {} "
                           "and epoch start {}",
                           proposal.replica,
                           ctx.name(p),
                           end,
                           proposal.high_watermark,
                           proposal.epoch_start));
}

/// KIP-841 and KIP-903 at the moment the controller lets a replica in.
void check_joining_broker(const RuleContext& ctx,
                          const PartitionTrack& p,
                          const TrackedProposal& proposal) {
    const BrokerTrack* broker = find_broker(ctx.brokers, *proposal.joining);
    if (broker == nullptr) {
        return;
    }
    ctx.findings.had(CheckId::kP20);
    const bool other_life = ctx.rules.isr_join_checks_broker_epoch && proposal.joining_epoch &&
                            broker->epoch && proposal.joining_epoch->value() != *broker->epoch;
    if (!broker->fenced && !broker->leaving && !other_life) {
        return;
    }
    ctx.broken(CheckId::kP20,
               p,
               std::nullopt,
               fmt::format("b{} joins the ISR of {} although {}",
                           broker->id,
                           ctx.name(p),
                           broker->fenced    ? "it is fenced"
                           : broker->leaving ? "it is shutting down"
                                             : "an earlier life of it had fetched"));
}

}  // namespace

void check_proposal(const RuleContext& ctx,
                    PartitionTrack& p,
                    ReplicaTrack& leader,
                    const Proposal& proposal) {
    TrackedProposal tracked;
    tracked.leader = leader.broker;
    tracked.isr_list = proposal.isr_list;
    tracked.leader_epoch = proposal.leader_epoch;
    tracked.partition_epoch = proposal.partition_epoch;
    if (proposal.expands) {
        check_far_enough(ctx, p, proposal);
        tracked.joining = proposal.replica;
        tracked.joining_epoch =
            ctx.sight.follower_epoch(ctx.sight.partition(p.name), leader.broker, proposal.replica);
    }
    leader.proposing = true;
    if (p.proposals.size() == kProposalsMax) {
        p.proposals.erase(p.proposals.begin());
    }
    p.proposals.push_back(tracked);
}

void check_accepted(const RuleContext& ctx,
                    const PartitionTrack& p,
                    const ControlTrack& before,
                    std::int64_t isr_list) {
    const auto exact = [&](const TrackedProposal& proposal) {
        return proposal.leader_epoch == before.leader_epoch &&
               proposal.partition_epoch == before.partition_epoch;
    };
    const TrackedProposal* found = nullptr;
    for (const TrackedProposal& proposal : p.proposals) {
        const bool fits = proposal.isr_list == isr_list && before.leader == proposal.leader;
        if (fits && (found == nullptr || exact(proposal) || !exact(*found))) {
            found = &proposal;
        }
    }
    if (found == nullptr) {
        return;  // no proposal asked for this ISR: it has another cause
    }
    ctx.findings.had(CheckId::kP19);
    if (!exact(*found)) {
        ctx.broken(CheckId::kP19,
                   p,
                   std::nullopt,
                   fmt::format("the controller takes over the ISR that b{} proposed for {} under "
                               "epochs {}, {}, in place of {}, {}",
                               found->leader,
                               ctx.name(p),
                               found->leader_epoch,
                               found->partition_epoch,
                               before.leader_epoch,
                               before.partition_epoch));
    }
    if (found->joining && !contains(before.isr, *found->joining)) {
        check_joining_broker(ctx, p, *found);
    }
}

}  // namespace klab::check
