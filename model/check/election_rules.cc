// SPDX-License-Identifier: Apache-2.0
//
// See election_rules.h.
#include "model/check/election_rules.h"

#include <algorithm>

#include <fmt/format.h>

namespace klab::check {

void check_choice(const RuleContext& ctx,
                  const PartitionTrack& p,
                  const ControlTrack& before,
                  bool unclean) {
    ctx.findings.had(CheckId::kM7);
    const types::BrokerId leader = *p.control.leader;
    const BrokerIds& in_sync = before.known ? before.isr : p.control.isr;
    // KIP-966: once nobody of the ISR is left, the ELR may lead, and its member begins a new ISR.
    const bool from_elr = ctx.rules.elr && (!before.elr || contains(*before.elr, leader)) &&
                          p.control.isr == BrokerIds{leader};
    // KIP-455: the record that completes a reassignment brings its replicas into the ISR.
    const bool from_target =
        before.known && before.replicas != p.control.replicas && contains(p.control.isr, leader);
    if (!unclean && !contains(in_sync, leader) && !from_elr && !from_target) {
        ctx.broken(CheckId::kM7,
                   p,
                   std::nullopt,
                   fmt::format("b{} becomes leader of {} from outside the ISR [{}], and the "
                               "election is not marked unclean",
                               leader,
                               ctx.name(p),
                               broker_names(in_sync)));
    }
}

void check_leader_active(const RuleContext& ctx, const PartitionTrack& p) {
    if (!p.control.leader) {
        return;
    }
    const BrokerTrack* broker = find_broker(ctx.brokers, *p.control.leader);
    if (broker != nullptr && (broker->fenced || broker->leaving)) {
        ctx.broken(CheckId::kM7,
                   p,
                   excuse_of_late_heartbeat(*broker),
                   fmt::format("b{} becomes leader of {} and is {}",
                               broker->id,
                               ctx.name(p),
                               broker->fenced ? "fenced" : "shutting down"));
    }
}

void check_recovering(const RuleContext& ctx, PartitionTrack& p) {
    const auto seen = ctx.sight.registration(ctx.sight.partition(p.name));
    if (!seen || seen->partition_epoch.value() != p.control.partition_epoch) {
        return;
    }
    ctx.findings.had(CheckId::kP22);
    const bool just_elected =
        p.control.unclean && p.control.unclean->partition_epoch == p.control.partition_epoch;
    if (seen->is_recovering && !p.control.recovering_expected) {
        ctx.broken(CheckId::kP22,
                   p,
                   std::nullopt,
                   fmt::format("{} is recovering without an unclean election", ctx.name(p)));
    }
    if (just_elected && !seen->is_recovering) {
        ctx.broken(
            CheckId::kP22,
            p,
            std::nullopt,
            fmt::format("{} is not marked as recovering after an unclean election", ctx.name(p)));
    }
    if (!seen->is_recovering) {
        p.control.recovering_expected = false;
    }
}

bool is_last_known_leader(const RuleContext& ctx,
                          const ControlTrack& before,
                          types::BrokerId elected) {
    // A member of the ELR that is back and lost its tail leaves the ELR with the same record.
    const bool elr_may_lead =
        before.elr && std::ranges::any_of(*before.elr, [&](types::BrokerId member) {
            const BrokerTrack* broker = find_broker(ctx.brokers, member);
            return broker != nullptr && !broker->fenced && !broker->leaving;
        });
    return ctx.rules.elr && before.last_leader == elected && !elr_may_lead;
}

bool may_elect_uncleanly(const RuleContext& ctx, const PartitionTrack& p) {
    const auto seen = ctx.sight.registration(ctx.sight.partition(p.name));
    return seen && seen->unclean_enabled;
}

}  // namespace klab::check
