// SPDX-License-Identifier: Apache-2.0
//
// See isr_shape.h.
#include "model/check/isr_shape.h"

#include <algorithm>

#include <fmt/format.h>

namespace klab::check {

namespace {

/// What is wrong with the shape; nothing when all is well.
std::optional<std::string> fault_of_isr(const ControlTrack& control) {
    for (std::size_t i = 0; i < control.isr.size(); ++i) {
        const types::BrokerId member = control.isr[i];
        if (std::count(control.isr.begin(), control.isr.end(), member) > 1) {
            return fmt::format("b{} is in the ISR twice", member);
        }
        if (!contains(control.replicas, member)) {
            return fmt::format("b{} is in the ISR and no replica", member);
        }
    }
    if (control.leader && !contains(control.isr, *control.leader)) {
        return fmt::format("leader b{} is not in the ISR", *control.leader);
    }
    return std::nullopt;
}

std::optional<std::string> fault_of_elr(const RegistrationSight& seen, bool elr_on) {
    for (const types::BrokerId member : seen.elr) {
        if (!elr_on) {
            return fmt::format("b{} is an eligible leader replica although ELR is off", member);
        }
        if (contains(seen.isr, member)) {
            return fmt::format("b{} is in ISR and ELR", member);
        }
        if (!contains(seen.replicas, member)) {
            return fmt::format("b{} is in the ELR and no replica", member);
        }
    }
    return std::nullopt;
}

}  // namespace

void check_shape(const RuleContext& ctx, const PartitionTrack& p) {
    ctx.findings.had(CheckId::kP11);
    std::optional<std::string> fault = fault_of_isr(p.control);
    if (!fault) {
        if (const auto seen = ctx.sight.registration(ctx.sight.partition(p.name))) {
            fault = fault_of_elr(*seen, ctx.rules.elr);
        }
    }
    if (fault) {
        ctx.broken(CheckId::kP11, p, std::nullopt, fmt::format("{}: {}", ctx.name(p), *fault));
    }
    ctx.findings.had(CheckId::kP14);
    if (p.control.isr.empty() && !(ctx.rules.elr && !p.control.leader)) {
        ctx.broken(
            CheckId::kP14, p, std::nullopt, fmt::format("the ISR of {} is empty", ctx.name(p)));
    }
}

void check_leader_in_isr(const RuleContext& ctx, const PartitionTrack& p, const ReplicaTrack& r) {
    ctx.findings.had(CheckId::kP14);
    if (!contains(r.isr, r.broker)) {
        ctx.broken(CheckId::kP14,
                   p,
                   std::nullopt,
                   fmt::format("b{} leads {} with the ISR [{}], without itself",
                               r.broker,
                               ctx.name(p),
                               broker_names(r.isr)));
    }
}

void check_no_fenced_member(const RuleContext& ctx, const PartitionTrack& p) {
    if (!p.control.known) {
        return;
    }
    ctx.findings.had(CheckId::kP12);
    for (const types::BrokerId member : p.control.isr) {
        const BrokerTrack* broker = find_broker(ctx.brokers, member);
        if (broker == nullptr || !broker->epoch || (!broker->fenced && !broker->leaving)) {
            continue;
        }
        Excuse excuse = excuse_of_late_heartbeat(*broker);
        if (!ctx.rules.elr && p.control.isr.size() == 1 && !p.control.leader) {
            excuse = fmt::format(
                "without ELR b{} stays as the last member of the ISR, and nobody "
                "leads",
                member);
        }
        ctx.broken(CheckId::kP12,
                   p,
                   std::move(excuse),
                   fmt::format("b{} is {} and in the ISR of {}",
                               member,
                               broker->fenced ? "fenced" : "shutting down",
                               ctx.name(p)));
    }
}

}  // namespace klab::check
