// SPDX-License-Identifier: Apache-2.0
//
// Broker: routing of inputs, start and stop. Requests are in kafka_apis.cc.
#include "model/broker/broker.h"

#include <utility>
#include <variant>

#include "model/protocol/app_call.h"
#include "model/types/kafka_events.h"
#include "model/types/timer_kinds.h"
#include "sim/base/overloaded.h"

namespace klab::broker {

namespace {

/// BrokerServer gives its channels "forwarding" and "directory-assignments" this retryTimeoutMs,
/// whatever request.timeout.ms is.
constexpr Duration kForwardingTimeout = seconds(60);

constexpr sim::TimerKey kFirstPublish{
    static_cast<std::uint32_t>(types::TimerKind::kFirstPublish), 0, 0};

types::BrokerConfig config_of(const types::ModelData& data, const types::BrokerSpec& spec) {
    Result<types::BrokerConfig, types::SettingErrors> config =
        types::make_broker_config(data.rules.version, spec.config);
    KLAB_ASSERT(config.ok(), "the settings of {} were not checked", spec.name);
    return *config;
}

}  // namespace

Broker::Broker(const types::ModelData& data, const types::BrokerSpec& spec) : id_(spec.id) {
    const types::BrokerConfig config = config_of(data, spec);
    lanes_ = BrokerLanes(config, data.cluster.brokers.size());
    pipeline_ = RequestPipeline(lanes_, config.queued_max_requests);
    lifecycle_ = BrokerLifecycleManager(spec.id, config, lanes_.background());
    const Duration socket_timeout = milliseconds(config.controller_socket_timeout_ms);
    // KAFKA-14392: a heartbeat is given up after half a session, so that a new one can go out.
    heartbeat_channel_ = ControllerChannel({kHeartbeatPurpose,
                                            lanes_.controller_channel(),
                                            milliseconds(config.broker_session_timeout_ms / 2),
                                            milliseconds(config.broker_session_timeout_ms / 2)});
    alter_partition_channel_ = ControllerChannel(
        {kAlterPartitionPurpose, lanes_.controller_channel(), socket_timeout, std::nullopt});
    forwarding_channel_ = ControllerChannel(
        {kForwardingPurpose, lanes_.controller_channel(), socket_timeout, kForwardingTimeout});
    assignments_channel_ = ControllerChannel(
        {kAssignmentsPurpose, lanes_.controller_channel(), socket_timeout, kForwardingTimeout});
    assignments_ = AssignmentsManager(spec.id, lanes_.background());
    follower_ = MetadataFollower(spec.id, lanes_.metadata());
    replicas_ = replication::ReplicaManager(replication::ReplicationOptions{
        spec.id, config, {lanes_.background(), lanes_.fetcher_first(), lanes_.cleaner_first()}});
}

replication::BrokerView Broker::view() const {
    return {follower_.image(), id_, lifecycle_.epoch(), shutting_down_};
}

void Broker::step(const sim::Input& input, sim::Context& ctx) {
    if (halting_) {
        return;
    }
    replication::Answers answers;
    std::visit(overloaded{
                   [&](const sim::Booted&) { boot(ctx); },
                   [&](const sim::Connected& in) { on_connected(in, ctx); },
                   [&](const sim::Delivered& in) { on_delivered(in, ctx, answers); },
                   [&](const sim::Disconnected& in) { on_disconnected(in, ctx); },
                   [&](const sim::TimerFired& in) { on_timer(in, ctx, answers); },
                   [&](const sim::Resumed&) {},
                   [&](const sim::AppCall& in) { on_call(in, ctx); },
               },
               input.body);
    for (const replication::Answer& answer : answers) {
        pipeline_.answer(ctx, answer);
    }
    send_isr_proposals(ctx);
    report_misplaced(ctx);
    handle_disk_failures(ctx);
}

// LogDirFailureChannel -> ReplicaManager.handleLogDirFailure -> BrokerLifecycleManager
// .propagateDirectoryFailure. Kafka's failure handler is a thread of its own; here the answers of
// the step that failed get out first.
void Broker::handle_disk_failures(sim::Context& ctx) {
    const replication::LogDirFailures failures = replicas_.handle_disk_failures(ctx, view());
    if (failures.must_halt) {
        halting_ = true;
        ctx.exit_process();
        return;
    }
    if (!types::rules(ctx).log_dirs_reported) {
        return;
    }
    for (const types::Uuid& directory : failures.failed) {
        lifecycle_.propagate_log_dir_failure(ctx, heartbeat_channel_, directory);
    }
}

void Broker::report_misplaced(sim::Context& ctx) {
    for (const protocol::DirectoryAssignment& replica : replicas_.take_misplaced()) {
        assignments_.on_assignment(ctx, replica);
    }
}

void Broker::boot(sim::Context& ctx) {
    const auto opened = replicas_.open_log_dirs(ctx);
    if (!opened) {
        halting_ = true;
        ctx.exit_process();
        return;
    }
    follower_.start(ctx);
    lifecycle_.start(ctx,
                     heartbeat_channel_,
                     {opened->previous_broker_epoch, replicas_.directories().online_ids()});
}

void Broker::on_connected(const sim::Connected& input, sim::Context& ctx) {
    if (input.incoming) {
        pipeline_.on_connected(ctx, input);
        return;
    }
    const bool taken =
        follower_.on_connected(ctx, input) || heartbeat_channel_.on_connected(ctx, input) ||
        alter_partition_channel_.on_connected(ctx, input) ||
        assignments_channel_.on_connected(ctx, input) ||
        forwarding_channel_.on_connected(ctx, input) || replicas_.on_connected(ctx, view(), input);
    if (!taken) {
        ctx.close(input.connection);  // its owner gave it up while it was opening
    }
}

void Broker::on_disconnected(const sim::Disconnected& input, sim::Context& ctx) {
    if (pipeline_.is_incoming(input.connection)) {
        pipeline_.on_disconnected(input);
        return;
    }
    // The owner takes it; nobody does when it was given up already.
    static_cast<void>(follower_.on_disconnected(ctx, input) ||
                      heartbeat_channel_.on_disconnected(ctx, input) ||
                      alter_partition_channel_.on_disconnected(ctx, input) ||
                      assignments_channel_.on_disconnected(ctx, input) ||
                      forwarding_channel_.on_disconnected(ctx, input) ||
                      replicas_.on_disconnected(ctx, view(), input));
}

void Broker::on_delivered(const sim::Delivered& input,
                          sim::Context& ctx,
                          replication::Answers& answers) {
    if (pipeline_.is_incoming(input.connection)) {
        pipeline_.on_request(ctx, input);
        return;
    }
    if (replicas_.on_reply(ctx, view(), input, answers)) {
        return;
    }
    std::optional<metadata::MetadataDelta> change;
    if (follower_.on_reply(ctx, input, change)) {
        if (const auto offset = follower_.last_offset(); offset && follower_.is_publishing()) {
            lifecycle_.set_loaded(*offset);
        }
        if (change && published_) {
            publish(*change, ctx, answers);
        }
        maybe_publish_first(ctx);
        return;
    }
    std::optional<ControllerChannel::Outcome> outcome;
    if (heartbeat_channel_.on_reply(ctx, input, outcome)) {
        take_outcome(outcome, kHeartbeatPurpose, ctx, answers);
    } else if (alter_partition_channel_.on_reply(ctx, input, outcome)) {
        take_outcome(outcome, kAlterPartitionPurpose, ctx, answers);
    } else if (assignments_channel_.on_reply(ctx, input, outcome)) {
        take_outcome(outcome, kAssignmentsPurpose, ctx, answers);
    } else if (forwarding_channel_.on_reply(ctx, input, outcome)) {
        take_outcome(outcome, kForwardingPurpose, ctx, answers);
    }
}

void Broker::on_timer(const sim::TimerFired& input,
                      sim::Context& ctx,
                      replication::Answers& answers) {
    if (input.key.timer == static_cast<std::uint32_t>(types::TimerKind::kRequestReady)) {
        if (const std::optional<QueuedRequest> request = pipeline_.take(ctx, input.key)) {
            handle_request(*request, ctx, answers);
        }
        pipeline_.handler_done(ctx, input.key);
        return;
    }
    if (pipeline_.on_timer(ctx, input)) {
        return;
    }
    if (input.key == kFirstPublish) {
        first_publish(ctx, answers);
        return;
    }
    if (const auto effect = lifecycle_.on_timer(ctx, heartbeat_channel_, input)) {
        obey(*effect, ctx);
        return;
    }
    if (assignments_.on_timer(ctx, assignments_channel_, follower_.image(), input)) {
        return;
    }
    std::optional<ControllerChannel::Outcome> outcome;
    if (heartbeat_channel_.on_timer(ctx, input, outcome)) {
        take_outcome(outcome, kHeartbeatPurpose, ctx, answers);
    } else if (alter_partition_channel_.on_timer(ctx, input, outcome)) {
        take_outcome(outcome, kAlterPartitionPurpose, ctx, answers);
    } else if (assignments_channel_.on_timer(ctx, input, outcome)) {
        take_outcome(outcome, kAssignmentsPurpose, ctx, answers);
    } else if (forwarding_channel_.on_timer(ctx, input, outcome)) {
        take_outcome(outcome, kForwardingPurpose, ctx, answers);
    } else if (!follower_.on_timer(ctx, input)) {
        // Whatever is left belongs to replication.
        static_cast<void>(replicas_.on_timer(ctx, view(), input, answers));
    }
}

void Broker::on_call(const sim::AppCall& input, sim::Context& ctx) {
    if (!input.call.is<protocol::StopNode>() || shutting_down_) {
        return;
    }
    begin_stop(ctx);
}

void Broker::begin_stop(sim::Context& ctx) {
    shutting_down_ = true;
    obey(lifecycle_.begin_controlled_shutdown(ctx, heartbeat_channel_), ctx);
}

void Broker::publish(const metadata::MetadataDelta& change,
                     sim::Context& ctx,
                     replication::Answers& answers) {
    replicas_.apply_delta(ctx, view(), change, answers);
    emit_published(ctx);
}

void Broker::emit_published(sim::Context& ctx) const {
    if (const std::optional<types::Offset> offset = follower_.last_offset()) {
        ctx.emit(types::events::kMetadataPublished, {offset->value()});
    }
}

void Broker::maybe_publish_first(sim::Context& ctx) {
    // Not before the controller has said that this broker has seen its own registration: until then
    // the metadata may still name its former life as leader of logs that it has lost (KIP-631). The
    // thread that loads metadata publishes, so that heartbeats go on while logs are recovered.
    if (!published_ && follower_.is_publishing() && lifecycle_.is_caught_up()) {
        ctx.set_timer(kFirstPublish, Duration{}, lanes_.metadata());
    }
}

void Broker::first_publish(sim::Context& ctx, replication::Answers& answers) {
    if (published_) {
        return;
    }
    if (replicas_.apply_image(ctx, view(), answers)) {
        halting_ = true;
        ctx.exit_process();
        return;
    }
    replicas_.start(ctx);
    emit_published(ctx);
    published_ = true;
    pipeline_.open(ctx);
    lifecycle_.set_ready_to_unfence(ctx, heartbeat_channel_);
}

void Broker::take_outcome(const std::optional<ControllerChannel::Outcome>& outcome,
                          std::uint32_t purpose,
                          sim::Context& ctx,
                          replication::Answers& answers) {
    if (!outcome) {
        return;
    }
    switch (purpose) {
        case kHeartbeatPurpose:
            obey(lifecycle_.on_outcome(ctx, *outcome), ctx);
            maybe_publish_first(ctx);
            return;
        case kAlterPartitionPurpose:
            if (outcome->response && outcome->response->is<protocol::AlterPartitionResponse>()) {
                replicas_.on_alter_partition_response(
                    ctx,
                    view(),
                    outcome->response->as<protocol::AlterPartitionResponse>(),
                    answers);
            } else {
                replicas_.on_alter_partition_failure(ctx);
            }
            return;
        case kAssignmentsPurpose:
            assignments_.on_outcome(ctx, *outcome);
            return;
        default:
            on_forwarded(*outcome, answers);
            return;
    }
}

void Broker::send_isr_proposals(sim::Context& ctx) {
    if (std::optional<protocol::AlterPartitionRequest> request =
            replicas_.next_alter_partition_request(view())) {
        alter_partition_channel_.submit(ctx, sim::make_message(std::move(*request)), 0);
    }
}

void Broker::obey(BrokerLifecycleManager::Effect effect, sim::Context& ctx) {
    switch (effect) {
        case BrokerLifecycleManager::Effect::kNone:
            return;
        case BrokerLifecycleManager::Effect::kStop:
            if (!shutting_down_) {
                begin_stop(ctx);
            }
            return;
        case BrokerLifecycleManager::Effect::kStartUpFailed:  // BrokerServer.startup: shutdown()
        case BrokerLifecycleManager::Effect::kShutDown:
            replicas_.shutdown(ctx, lifecycle_.epoch());
            ctx.exit_process();
            return;
    }
}

}  // namespace klab::broker
