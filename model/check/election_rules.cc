// SPDX-License-Identifier: Apache-2.0
//
// See election_rules.h.
#include "model/check/election_rules.h"

#include <fmt/format.h>

namespace klab::check {

void check_choice(const RuleContext& ctx,
                  const PartitionTrack& p,
                  const ControlTrack& before,
                  bool unclean) {
    ctx.findings.had(CheckId::kM7);
    const BrokerIds& eligible = before.known ? before.isr : p.control.isr;
    if (!unclean && !contains(eligible, *p.control.leader)) {
        ctx.broken(CheckId::kM7,
                   p,
                   std::nullopt,
                   fmt::format("b{} becomes leader of {} from outside the ISR [{}], and the "
                               "election is not marked unclean",
                               *p.control.leader,
                               ctx.name(p),
                               broker_names(eligible)));
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

bool may_elect_uncleanly(const RuleContext& ctx, const PartitionTrack& p) {
    const auto seen = ctx.sight.registration(ctx.sight.partition(p.name));
    return seen && seen->unclean_enabled;
}

}  // namespace klab::check
