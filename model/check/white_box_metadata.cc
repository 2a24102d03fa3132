// SPDX-License-Identifier: Apache-2.0
//
// Events of the controller: brokers, the metadata log, partitions; and what is looked at when a
// step with such events is over. See white_box.h.
#include <algorithm>

#include <fmt/format.h>

#include "model/check/election_rules.h"
#include "model/check/epoch_rules.h"
#include "model/check/high_watermark_rules.h"
#include "model/check/isr_change_rules.h"
#include "model/check/isr_shape.h"
#include "model/check/leader_completeness.h"
#include "model/check/white_box.h"
#include "model/types/kafka_events.h"

namespace klab::check {

namespace events = types::events;

namespace {

std::int32_t narrow(std::int64_t value) { return static_cast<std::int32_t>(value); }

std::optional<types::BrokerId> broker_field(std::int64_t value) {
    return value < 0 ? std::nullopt : std::optional(types::BrokerId(narrow(value)));
}

/// The ELR after the change that the event tells, if the world stands there.
std::optional<BrokerIds> elr_of(const RuleContext& ctx, const PartitionTrack& p) {
    const auto seen = ctx.sight.registration(ctx.sight.partition(p.name));
    return seen && seen->partition_epoch.value() == p.control.partition_epoch
               ? std::optional(seen->elr)
               : std::nullopt;
}

}  // namespace

void WhiteBox::on_broker_event(const RuleContext& ctx) {
    const auto& f = ctx.event.fields;
    const auto found = std::ranges::find(brokers_, types::BrokerId(narrow(f[0])), &BrokerTrack::id);
    if (found == brokers_.end()) {
        return;
    }
    BrokerTrack& broker = *found;
    if (ctx.event.kind == events::kBrokerRegistered) {
        ctx.findings.had(CheckId::kM4);
        if (broker.epoch && f[1] <= *broker.epoch) {
            ctx.findings.broken(
                ctx.moment(),
                {CheckId::kM4,
                 sim::kAbsent,
                 std::nullopt,
                 fmt::format(
                     "b{} is registered with epoch {} after {}", broker.id, f[1], *broker.epoch)});
        }
        broker.epoch = f[1];
        broker.fenced = true;
        broker.leaving = false;
        broker.woken = false;
        broker.registered = broker.running;
    } else if (ctx.event.kind == events::kBrokerUnfenced) {
        broker.fenced = false;
        broker.woken = broker.leaving;
    } else if (ctx.event.kind == events::kBrokerFenced) {
        broker.fenced = true;
        broker.woken = false;
    } else {
        broker.leaving = true;
    }
}

void WhiteBox::on_metadata_event(const RuleContext& ctx) {
    const auto& f = ctx.event.fields;
    if (ctx.event.kind == events::kMetadataCommitted) {
        committed_metadata_ = std::max(committed_metadata_, f[0]);
        return;
    }
    if (ctx.event.kind == events::kMetadataAppended) {
        ctx.findings.had(CheckId::kM3);
        const auto author =
            std::ranges::find(authors_, f[2], &std::pair<std::int64_t, sim::NodeId>::first);
        if (author == authors_.end()) {
            authors_.emplace_back(f[2], *ctx.event.node);
        } else if (author->second != *ctx.event.node) {
            ctx.findings.broken(
                ctx.moment(),
                {CheckId::kM3,
                 sim::kAbsent,
                 std::nullopt,
                 fmt::format("a second controller writes metadata in quorum epoch {}", f[2])});
        }
        return;
    }
    if (!broker_at(ctx.event.node)) {
        return;
    }
    ++brokers_[ctx.event.node->value()].published;
    ctx.findings.had(CheckId::kM2);
    if (f[0] > committed_metadata_) {
        ctx.findings.broken(ctx.moment(),
                            {CheckId::kM2,
                             sim::kAbsent,
                             std::nullopt,
                             fmt::format("metadata up to {} are applied and only {} is committed",
                                         f[0],
                                         committed_metadata_)});
    }
}

void WhiteBox::on_partition_changed(const RuleContext& ctx, PartitionTrack& p, Touched& touched) {
    const auto& f = ctx.event.fields;
    const bool unclean = f[6] == 1;
    check_committed_epochs(ctx, p, narrow(f[2]), narrow(f[3]));
    const ControlTrack before = p.control;
    ControlTrack& control = p.control;
    control.known = true;
    control.leader = broker_field(f[1]);
    control.leader_epoch = narrow(f[2]);
    control.partition_epoch = narrow(f[3]);
    control.isr = broker_list(ctx.sight, f[4]);
    control.replicas = broker_list(ctx.sight, f[5]);
    control.elr = elr_of(ctx, p);
    if (control.leader) {
        control.last_leader = control.leader;
    }
    const bool new_term = control.leader && control.leader_epoch != before.leader_epoch;
    if (control.leader != before.leader) {
        control.leader_since = ctx.event.time;
        if (before.known) {
            control.leader_changed = ctx.event.id;
        }
    }
    if (unclean) {
        ctx.findings.had(CheckId::kP22);
        control.unclean =
            UncleanElection{control.leader_epoch, control.partition_epoch, *control.leader};
        control.unclean_epochs.push_back(control.leader_epoch);
        control.recovering_expected = true;
        if (!may_elect_uncleanly(ctx, p) && !is_last_known_leader(ctx, before, *control.leader)) {
            Violation waiting;
            waiting.event = ctx.event.id;
            waiting.time = ctx.event.time;
            waiting.node = ctx.event.node;
            waiting.partition = p.name;
            waiting.detail = fmt::format(
                "b{} is elected leader of {} from outside the ISR", *control.leader, ctx.name(p));
            unclean_unasked_.push_back(std::move(waiting));
        }
    }
    check_shape(ctx, p);
    if (new_term) {
        touched.led.push_back(p.name);
        check_choice(ctx, p, before, unclean);
    }
    if (before.known && control.leader == before.leader && control.isr != before.isr) {
        touched.isrs.push_back({ctx.event, before});
    }
    check_candidates(ctx, p);
    check_controller_isr(ctx, p);
    touched.partitions.push_back(p.name);
}

void WhiteBox::end_step(const ClusterSight& sight,
                        const sim::Event& last,
                        const Touched& touched,
                        Findings& findings) {
    const RuleContext ctx{rules_, last, sight, brokers_, findings};
    std::vector<std::int64_t> names = touched.partitions;
    if (touched.brokers) {
        names = partitions_.keys();
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::int64_t name : names) {
        check_no_fenced_member(ctx, partitions_.find(name)->read());
    }
    for (const IsrChange& change : touched.isrs) {
        if (!touched.brokers) {  // else the fencing or leaving of a broker may be the reason
            const std::int64_t name = change.event.fields[0];
            check_accepted({rules_, change.event, sight, brokers_, findings},
                           partitions_.find(name)->read(),
                           change.before,
                           change.event.fields[4]);
        }
    }
    for (const std::int64_t name : touched.led) {
        check_leader_active(ctx, partitions_.find(name)->read());
    }
    for (const std::int64_t name : touched.partitions) {
        PartitionTrack& p = track_for_write(name);
        check_maximal_isr(ctx, p);
        check_recovering(ctx, p);
    }
}

}  // namespace klab::check
