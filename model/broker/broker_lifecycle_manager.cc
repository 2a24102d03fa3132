// SPDX-License-Identifier: Apache-2.0
//
// BrokerLifecycleManager: what is sent when, and what each answer leads to.
#include "model/broker/broker_lifecycle_manager.h"

#include "model/protocol/broker_lifecycle.h"
#include "model/types/kafka_events.h"
#include "model/types/model_data.h"
#include "model/types/timer_kinds.h"

namespace klab::broker {

namespace {

/// BrokerLifecycleManager: the heartbeat right after the answer that let the broker catch up.
constexpr Duration kAfterCatchUp = milliseconds(10);
/// The first heartbeat of a controlled shutdown that was not answered with "stop".
constexpr Duration kFirstShutdownHeartbeat = milliseconds(50);
/// BrokerServer.shutdown waits this long for the controller's permission.
constexpr Duration kControlledShutdownMax = seconds(300);
/// Kind of fresh ids that name a process start.
constexpr std::uint32_t kIncarnationIdKind = 1;

sim::TimerKey key_of(types::TimerKind kind) { return {static_cast<std::uint32_t>(kind), 0, 0}; }

}  // namespace

std::string_view to_text(BrokerState state) {
    switch (state) {
        case BrokerState::kNotRunning:
            return "NOT_RUNNING";
        case BrokerState::kStarting:
            return "STARTING";
        case BrokerState::kRecovery:
            return "RECOVERY";
        case BrokerState::kRunning:
            return "RUNNING";
        case BrokerState::kPendingControlledShutdown:
            return "PENDING_CONTROLLED_SHUTDOWN";
        case BrokerState::kShuttingDown:
            return "SHUTTING_DOWN";
    }
    return "?";
}

void BrokerLifecycleManager::transition_to(sim::Context& ctx, BrokerState next) {
    if (next == state_) {
        return;
    }
    const std::int64_t from = ctx.text(to_text(state_));
    const std::int64_t to = ctx.text(to_text(next));
    ctx.emit(types::events::kBrokerStateChanged, {from, to});
    state_ = next;
}

void BrokerLifecycleManager::start(sim::Context& ctx,
                                   ControllerChannel& channel,
                                   Registrant registrant) {
    const sim::FreshId id = ctx.fresh_id(kIncarnationIdKind);
    incarnation_ = {id.high, id.low};
    registrant_ = std::move(registrant);
    transition_to(ctx, BrokerState::kStarting);
    ctx.set_timer(key_of(types::TimerKind::kRegistrationTimeout),
                  milliseconds(config_.initial_broker_registration_timeout_ms),
                  lane_);
    send(ctx, channel);
}

void BrokerLifecycleManager::send(sim::Context& ctx, ControllerChannel& channel) {
    if (request_in_flight_) {
        send_again_at_once_ = true;
        return;
    }
    request_in_flight_ = true;
    ctx.cancel_timer(key_of(types::TimerKind::kHeartbeat));
    if (!epoch_) {
        const types::ClusterSpec& cluster = types::cluster(ctx);
        protocol::BrokerRegistrationRequest request;
        request.broker_id = id_;
        request.cluster_id = cluster.cluster_id;
        request.incarnation_id = incarnation_;
        request.rack = cluster.broker(id_)->rack;
        request.log_dirs = registrant_.log_dirs;
        request.previous_broker_epoch = registrant_.previous_epoch;
        channel.submit(ctx, sim::make_message(std::move(request)), 0);
        return;
    }
    protocol::BrokerHeartbeatRequest request;
    request.broker_id = id_;
    request.broker_epoch = *epoch_;
    request.current_metadata_offset = loaded_;
    request.want_fence = !ready_to_unfence_;
    request.want_shut_down = state_ == BrokerState::kPendingControlledShutdown;
    request.offline_log_dirs = offline_dirs_;
    dirs_sent_ = offline_dirs_.size();
    channel.submit(ctx, sim::make_message(std::move(request)), 0);
}

void BrokerLifecycleManager::propagate_log_dir_failure(sim::Context& ctx,
                                                       ControllerChannel& channel,
                                                       const types::Uuid& directory) {
    ctx.set_timer({static_cast<std::uint32_t>(types::TimerKind::kLogDirFailure),
                   static_cast<std::int64_t>(offline_dirs_.size()),
                   0},
                  types::duration_of_ms(config_.log_dir_failure_timeout_ms),
                  lane_);
    offline_dirs_.push_back(directory);
    if (epoch_) {
        send(ctx, channel);
    }
}

void BrokerLifecycleManager::schedule(sim::Context& ctx, Duration delay) {
    ctx.set_timer(key_of(types::TimerKind::kHeartbeat), delay, lane_);
}

void BrokerLifecycleManager::schedule_after_failure(sim::Context& ctx) {
    send_again_at_once_ = false;  // Kafka never sends again at once after a failure
    schedule(ctx, milliseconds(config_.broker_heartbeat_interval_ms));
}

void BrokerLifecycleManager::set_ready_to_unfence(sim::Context& ctx, ControllerChannel& channel) {
    ready_to_unfence_ = true;
    if (epoch_) {
        send(ctx, channel);
    }
}

BrokerLifecycleManager::Effect BrokerLifecycleManager::begin_controlled_shutdown(
    sim::Context& ctx, ControllerChannel& channel) {
    switch (state_) {
        case BrokerState::kRunning:
            if (!config_.controlled_shutdown_enable) {
                transition_to(ctx, BrokerState::kShuttingDown);
                return Effect::kShutDown;
            }
            transition_to(ctx, BrokerState::kPendingControlledShutdown);
            first_shutdown_heartbeat_ = true;
            ctx.set_timer(
                key_of(types::TimerKind::kShutdownTimeout), kControlledShutdownMax, lane_);
            send(ctx, channel);
            return Effect::kNone;
        case BrokerState::kPendingControlledShutdown:
        case BrokerState::kShuttingDown:
            return Effect::kNone;
        case BrokerState::kNotRunning:
        case BrokerState::kStarting:
        case BrokerState::kRecovery:
            transition_to(ctx, BrokerState::kShuttingDown);
            return Effect::kShutDown;
    }
    return Effect::kNone;
}

BrokerLifecycleManager::Effect BrokerLifecycleManager::on_outcome(
    sim::Context& ctx, const ControllerChannel::Outcome& outcome) {
    request_in_flight_ = false;
    if (state_ == BrokerState::kShuttingDown) {
        return Effect::kNone;
    }
    Effect effect = Effect::kNone;
    if (!outcome.response) {
        schedule_after_failure(ctx);
    } else if (outcome.response->is<protocol::BrokerRegistrationResponse>()) {
        effect = on_registration(ctx, *outcome.response);
    } else {
        effect = on_heartbeat(ctx, *outcome.response);
    }
    if (send_again_at_once_ && effect == Effect::kNone) {
        send_again_at_once_ = false;
        schedule(ctx, Duration{});
    }
    return effect;
}

BrokerLifecycleManager::Effect BrokerLifecycleManager::on_registration(
    sim::Context& ctx, const sim::MessageRef& response) {
    const auto& body = response.as<protocol::BrokerRegistrationResponse>();
    if (body.error != types::ErrorCode::kNone || !body.broker_epoch) {
        // Any error is tried again: a restart within the old session, for example.
        schedule_after_failure(ctx);
        return Effect::kNone;
    }
    epoch_ = body.broker_epoch;
    ctx.cancel_timer(key_of(types::TimerKind::kRegistrationTimeout));
    schedule(ctx, Duration{});
    return Effect::kNone;
}

BrokerLifecycleManager::Effect BrokerLifecycleManager::on_heartbeat(
    sim::Context& ctx, const sim::MessageRef& response) {
    const auto& body = response.as<protocol::BrokerHeartbeatResponse>();
    const Duration interval = milliseconds(config_.broker_heartbeat_interval_ms);
    if (body.error != types::ErrorCode::kNone) {
        schedule_after_failure(ctx);
        return Effect::kNone;
    }
    dirs_told_ = dirs_sent_;
    switch (state_) {
        case BrokerState::kStarting:
            if (body.is_caught_up) {
                transition_to(ctx, BrokerState::kRecovery);
            }
            schedule(ctx, kAfterCatchUp);
            return Effect::kNone;
        case BrokerState::kRecovery:
            if (!body.is_fenced) {
                transition_to(ctx, BrokerState::kRunning);
            }
            schedule(ctx, interval);
            return Effect::kNone;
        case BrokerState::kRunning:
            schedule(ctx, interval);
            return Effect::kNone;
        case BrokerState::kPendingControlledShutdown:
            if (body.should_shut_down) {
                transition_to(ctx, BrokerState::kShuttingDown);
                ctx.cancel_timer(key_of(types::TimerKind::kShutdownTimeout));
                return Effect::kShutDown;
            }
            schedule(ctx, first_shutdown_heartbeat_ ? kFirstShutdownHeartbeat : interval);
            first_shutdown_heartbeat_ = false;
            return Effect::kNone;
        case BrokerState::kNotRunning:
        case BrokerState::kShuttingDown:
            return Effect::kNone;
    }
    return Effect::kNone;
}

std::optional<BrokerLifecycleManager::Effect> BrokerLifecycleManager::on_timer(
    sim::Context& ctx, ControllerChannel& channel, const sim::TimerFired& input) {
    if (input.key == key_of(types::TimerKind::kHeartbeat)) {
        send(ctx, channel);
        return Effect::kNone;
    }
    if (input.key == key_of(types::TimerKind::kRegistrationTimeout)) {
        return epoch_ ? Effect::kNone : Effect::kStartUpFailed;
    }
    if (input.key.timer == static_cast<std::uint32_t>(types::TimerKind::kLogDirFailure)) {
        const bool is_told = static_cast<std::size_t>(input.key.a) < dirs_told_;
        return is_told ? Effect::kNone : Effect::kStop;
    }
    if (input.key == key_of(types::TimerKind::kShutdownTimeout)) {
        if (state_ != BrokerState::kPendingControlledShutdown) {
            return Effect::kNone;
        }
        transition_to(ctx, BrokerState::kShuttingDown);
        return Effect::kShutDown;
    }
    return std::nullopt;
}

}  // namespace klab::broker
