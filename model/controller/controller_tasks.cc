// SPDX-License-Identifier: Apache-2.0
//
// What an active controller does by the clock: NoOp records, the check for silent brokers, and the
// periodic elections.
//
// Called by: controller_lifecycle.cc (start), controller_node.cc (timers).
// Kafka: QuorumController.registerWriteNoOpRecord, registerMaybeFenceStaleBroker,
// registerElectPreferred, registerElectUnclean; PeriodicTaskControlManager.
#include <algorithm>

#include "model/controller/broker_fencing.h"
#include "model/controller/controller_node.h"
#include "model/controller/leader_elections.h"
#include "model/types/timer_kinds.h"

namespace klab::controller {

namespace {

using types::TimerKind;

/// A task that has more to do runs again so soon.
constexpr Duration kAgain = milliseconds(10);

void schedule(sim::Context& ctx, TimerKind kind, Duration delay) {
    ctx.set_timer({static_cast<std::uint32_t>(kind), 0, 0}, delay, kControllerLane);
}

/// An eighth of the session timeout, at least 1 ns: silence is noticed soon after it becomes one.
Duration stale_check_period(const types::ControllerConfig& config) {
    const Duration session = types::duration_of_ms(config.broker_session_timeout_ms);
    return std::max(session / 8, nanoseconds(1));
}

Duration preferred_election_period(const types::ControllerConfig& config) {
    return types::duration_of_ms(config.leader_imbalance_check_interval_seconds * 1'000);
}

Duration unclean_election_period(const types::ControllerConfig& config) {
    return types::duration_of_ms(config.unclean_leader_election_interval_ms);
}

}  // namespace

void ControllerNode::start_tasks(sim::Context& ctx) {
    if (config_.metadata_max_idle_interval_ms > 0) {
        schedule(ctx,
                 TimerKind::kNoOpRecord,
                 types::duration_of_ms(config_.metadata_max_idle_interval_ms));
    }
    schedule(ctx, TimerKind::kStaleBrokerCheck, stale_check_period(config_));
    if (config_.auto_leader_rebalance_enable) {
        schedule(ctx, TimerKind::kPreferredElection, preferred_election_period(config_));
    }
    schedule(ctx, TimerKind::kUncleanElection, unclean_election_period(config_));
}

void ControllerNode::on_timer(sim::Context& ctx, const sim::TimerKey& key) {
    switch (static_cast<TimerKind>(key.timer)) {
        case TimerKind::kNoOpRecord:
            write_no_op(ctx);
            return;
        case TimerKind::kStaleBrokerCheck:
            check_stale_brokers(ctx);
            return;
        case TimerKind::kPreferredElection:
            run_preferred_elections(ctx);
            return;
        case TimerKind::kUncleanElection:
            run_unclean_elections(ctx);
            return;
        default:
            on_progress(ctx, quorum_.on_timer(ctx, key));
            return;
    }
}

void ControllerNode::write_no_op(sim::Context& ctx) {
    const std::vector<metadata::MetadataRecord> records{metadata::NoOpRecord{}};
    static_cast<void>(write(ctx, records, {}, std::nullopt));
    schedule(
        ctx, TimerKind::kNoOpRecord, types::duration_of_ms(config_.metadata_max_idle_interval_ms));
}

void ControllerNode::check_stale_brokers(sim::Context& ctx) {
    const Decision<StaleBroker> decision = decide_stale_broker(view(ctx));
    const StaleBroker& found = decision.result;
    if (found.expired) {
        state_.contacts.remove(*found.expired);
        if (found.unknown) {
            state_.heartbeats.remove(found.expired->id);
        } else if (found.fenced) {
            state_.heartbeats.fence(found.expired->id);
        }
        static_cast<void>(write(ctx, decision));
    }
    schedule(
        ctx, TimerKind::kStaleBrokerCheck, found.expired ? kAgain : stale_check_period(config_));
}

void ControllerNode::run_preferred_elections(sim::Context& ctx) {
    const Decision<ElectionRun> decision = decide_preferred_elections(view(ctx));
    static_cast<void>(write(ctx, decision));
    schedule(ctx,
             TimerKind::kPreferredElection,
             decision.result.more ? kAgain : preferred_election_period(config_));
}

void ControllerNode::run_unclean_elections(sim::Context& ctx) {
    const Decision<ElectionRun> decision = decide_unclean_elections(view(ctx));
    static_cast<void>(write(ctx, decision));
    schedule(ctx,
             TimerKind::kUncleanElection,
             decision.result.more ? kAgain : unclean_election_period(config_));
}

}  // namespace klab::controller
