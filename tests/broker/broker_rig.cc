// SPDX-License-Identifier: Apache-2.0
//
// See broker_rig.h.
#include "tests/broker/broker_rig.h"

#include <variant>

#include "model/protocol/metadata.h"
#include "model/types/timer_kinds.h"
#include "sim/base/overloaded.h"

namespace klab::broker {

namespace {

/// Not settings of Kafka: how make_node() learns who plays what.
constexpr const char* kPartsKey = "rig.parts";
constexpr const char* kPuppetKey = "rig.puppet";

types::ModelData make_data(const BrokerRig::Options& options) {
    types::ModelData data;
    data.rules = options.rules;
    data.cluster.cluster_id = {5, 5};
    types::BrokerSpec broker;
    broker.node = sim::NodeId(0);
    broker.id = types::BrokerId(1);
    broker.name = "b1";
    broker.config = options.config;
    data.cluster.brokers.push_back(broker);
    types::ControllerSpec controller;
    controller.node = sim::NodeId(1);
    controller.id = types::BrokerId(3001);
    controller.name = "k1";
    controller.config = options.config;
    data.cluster.controllers.push_back(controller);
    if (!options.whole_broker) {
        data.cluster.config[kPartsKey] = "b1";
    }
    if (!options.whole_controller) {
        data.cluster.config[kPuppetKey] = "k1";
    }
    return data;
}

types::BrokerConfig config_of(const types::ModelData& data) {
    auto config =
        types::make_broker_config(data.rules.version, data.cluster.brokers.front().config);
    KLAB_ASSERT(config.ok(), "settings of the rig: {}", types::to_text(config.error().front()));
    return std::move(*config);
}

sim::KernelSpec make_spec(const types::ModelData& data) {
    sim::KernelSpec spec;
    spec.seed = 1;
    spec.network.latency_low = milliseconds(1);
    spec.network.latency_high = milliseconds(1);
    spec.network.bytes_per_second = 1'000'000'000'000;
    spec.events = std::make_shared<const sim::EventTable>(types::events::make_event_table());
    const std::uint16_t lanes = BrokerLanes(config_of(data), data.cluster.brokers.size()).count();
    spec.nodes.push_back({"b1", lanes, {}});
    spec.nodes.push_back({"k1", controller::kControllerLaneCount, {}});
    for (const char* client : {"c1", "c2", "c3"}) {
        spec.nodes.push_back({client, 1, {}});
    }
    return spec;
}

Parts make_parts(const types::ModelData& data) {
    const types::BrokerConfig config = config_of(data);
    Parts parts;
    parts.lanes = BrokerLanes(config, data.cluster.brokers.size());
    parts.pipeline = RequestPipeline(parts.lanes, config.queued_max_requests);
    parts.lifecycle = BrokerLifecycleManager(types::BrokerId(1), config, parts.lanes.background());
    const Duration half_session = milliseconds(config.broker_session_timeout_ms / 2);
    parts.channel = ControllerChannel(
        {kHeartbeatPurpose, parts.lanes.controller_channel(), half_session, half_session});
    parts.follower = MetadataFollower(types::BrokerId(1), parts.lanes.metadata());
    parts.assignments_channel = ControllerChannel(
        {kAssignmentsPurpose, parts.lanes.controller_channel(), seconds(30), seconds(60)});
    parts.assignments = AssignmentsManager(types::BrokerId(1), parts.lanes.background());
    return parts;
}

void take_outcome(Parts& parts,
                  sim::Context& ctx,
                  Time at,
                  const std::optional<ControllerChannel::Outcome>& outcome) {
    if (!outcome) {
        return;
    }
    parts.outcomes.emplace_back(at, *outcome);
    if (parts.lifecycle.state() != BrokerState::kNotRunning) {
        parts.effects.emplace_back(at, parts.lifecycle.on_outcome(ctx, *outcome));
    }
}

void handle(Parts& parts, sim::Context& ctx, const sim::TimerKey& key) {
    replication::Answers answers;
    if (const std::optional<QueuedRequest> request = parts.pipeline.take(ctx, key)) {
        const std::size_t number = parts.handled.size();
        parts.handled.push_back({ctx.monotonic(), ctx.lane(), *request});
        ctx.busy(number < parts.first_services.size() ? parts.first_services[number]
                                                      : parts.service);
        if (parts.answers_at_once) {
            answers.push_back({request->handle,
                               sim::make_message(protocol::MetadataResponse{}),
                               false,
                               std::nullopt});
        }
    }
    parts.pipeline.handler_done(ctx, key);
    for (const replication::Answer& answer : answers) {
        parts.pipeline.answer(ctx, answer);
    }
}

void deliver(Parts& parts, sim::Context& ctx, const sim::Delivered& in) {
    if (parts.pipeline.is_incoming(in.connection)) {
        parts.arrivals.push_back(ctx.lane());
        parts.pipeline.on_request(ctx, in);
        return;
    }
    std::optional<metadata::MetadataDelta> change;
    if (parts.follower.on_reply(ctx, in, change)) {
        parts.changes += change ? 1U : 0U;
        return;
    }
    std::optional<ControllerChannel::Outcome> outcome;
    if (parts.channel.on_reply(ctx, in, outcome)) {
        take_outcome(parts, ctx, ctx.monotonic(), outcome);
    } else if (parts.assignments_channel.on_reply(ctx, in, outcome) && outcome) {
        parts.assignments.on_outcome(ctx, *outcome);
    }
}

void fire(Parts& parts, sim::Context& ctx, const sim::TimerFired& in) {
    if (in.key.timer == static_cast<std::uint32_t>(types::TimerKind::kRequestReady)) {
        handle(parts, ctx, in.key);
        return;
    }
    if (parts.pipeline.on_timer(ctx, in)) {
        return;
    }
    if (const auto effect = parts.lifecycle.on_timer(ctx, parts.channel, in)) {
        parts.effects.emplace_back(ctx.monotonic(), *effect);
        return;
    }
    std::optional<ControllerChannel::Outcome> outcome;
    if (parts.channel.on_timer(ctx, in, outcome)) {
        take_outcome(parts, ctx, ctx.monotonic(), outcome);
        return;
    }
    if (parts.assignments.on_timer(ctx, parts.assignments_channel, parts.image, in)) {
        return;
    }
    if (parts.assignments_channel.on_timer(ctx, in, outcome)) {
        if (outcome) {
            parts.assignments.on_outcome(ctx, *outcome);
        }
        return;
    }
    KLAB_ASSERT(parts.follower.on_timer(ctx, in), "a timer of nobody");
}

void step_parts(Parts& parts, const sim::Input& input, sim::Context& ctx) {
    std::visit(overloaded{
                   [](const sim::Booted&) {},
                   [&](const sim::Connected& in) {
                       if (in.incoming) {
                           parts.pipeline.on_connected(ctx, in);
                       } else if (!parts.follower.on_connected(ctx, in) &&
                                  !parts.channel.on_connected(ctx, in) &&
                                  !parts.assignments_channel.on_connected(ctx, in)) {
                           ctx.close(in.connection);
                       }
                   },
                   [&](const sim::Delivered& in) { deliver(parts, ctx, in); },
                   [&](const sim::Disconnected& in) {
                       if (parts.pipeline.is_incoming(in.connection)) {
                           parts.pipeline.on_disconnected(in);
                       } else if (!parts.follower.on_disconnected(ctx, in)) {
                           static_cast<void>(parts.channel.on_disconnected(ctx, in) ||
                                             parts.assignments_channel.on_disconnected(ctx, in));
                       }
                   },
                   [&](const sim::TimerFired& in) { fire(parts, ctx, in); },
                   [](const sim::Resumed&) {},
                   [](const sim::AppCall&) {},
               },
               input.body);
}

void step_puppet(Puppet& puppet, const sim::Input& input, sim::Context& ctx) {
    std::visit(overloaded{
                   [](const sim::Booted&) {},
                   [&](const sim::Connected& in) {
                       if (in.incoming) {
                           puppet.opened.emplace_back(ctx.monotonic(), in.connection);
                       }
                   },
                   [&](const sim::Delivered& in) {
                       puppet.heard.push_back(
                           {ctx.monotonic(), in.connection, in.correlation, in.message});
                   },
                   [&](const sim::Disconnected& in) {
                       puppet.ended.emplace_back(ctx.monotonic(), in.connection);
                   },
                   [](const sim::TimerFired&) {},
                   [](const sim::Resumed&) {},
                   [](const sim::AppCall&) {},
               },
               input.body);
}

}  // namespace

RigNode RigModel::make_node(const Data& data, sim::NodeId id) {
    RigNode node;
    const types::BrokerSpec& broker = data.cluster.brokers.front();
    const types::ControllerSpec& controller = data.cluster.controllers.front();
    if (id == broker.node && data.cluster.config.contains(kPartsKey)) {
        node.parts = make_parts(data);
    } else if (id == broker.node) {
        node.broker = Broker(data, broker);
    } else if (id == controller.node && !data.cluster.config.contains(kPuppetKey)) {
        node.controller = controller::ControllerNode::boot(data, controller);
    }
    return node;
}

void RigModel::step(RigNode& node, const sim::Input& input, sim::Context& ctx) {
    if (tests::take_call(input, node, ctx)) {
        return;
    }
    if (node.parts) {
        step_parts(*node.parts, input, ctx);
    } else if (node.broker) {
        node.broker->step(input, ctx);
    } else if (node.controller) {
        node.controller->step(input, ctx);
    } else {
        step_puppet(node.puppet, input, ctx);
    }
}

BrokerRig::BrokerRig(const Options& options)
    : world_(make_spec(make_data(options)),
             std::make_shared<const types::ModelData>(make_data(options))) {
    sim::KindSet all;
    all.add_all();
    world_.kernel().subscribe(all);
    for (const char* puppet : {"c1", "c2", "c3"}) {
        boot(puppet);
    }
    if (options.boot) {
        boot("k1");
        boot("b1");
    }
}

sim::ConnectionId BrokerRig::connect(const std::string& puppet, const std::string& to) {
    sim::ConnectionId connection;
    const sim::NodeId peer = id_of(to);
    run_on(puppet, [&connection, peer](RigNode&, sim::Context& ctx) {
        connection = ctx.connect(peer, sim::Lane(0), 77);
    });
    run(milliseconds(3));
    return connection;
}

void BrokerRig::say(const std::string& puppet,
                    sim::ConnectionId connection,
                    std::int32_t correlation,
                    sim::MessageRef message) {
    run_on(puppet,
           [&](RigNode&, sim::Context& ctx) { ctx.send(connection, message, correlation); });
}

void BrokerRig::hang_up(const std::string& puppet, sim::ConnectionId connection) {
    run_on(puppet, [connection](RigNode&, sim::Context& ctx) { ctx.close(connection); });
}

void BrokerRig::run_on(const std::string& name, RigAction action) {
    tests::run_on(world_, id_of(name), std::move(action));
    collect();
}

void BrokerRig::run(Duration length) {
    world_.run_until(world_.time() + length);
    collect();
}

void BrokerRig::boot(const std::string& name) {
    world_.boot(id_of(name));
    collect();
}

void BrokerRig::crash(const std::string& name) {
    world_.kernel().crash(id_of(name), nullptr, false);
    collect();
}

void BrokerRig::collect() {
    std::vector<sim::Event> fresh;
    world_.kernel().take_events(fresh);
    events_.insert(events_.end(), fresh.begin(), fresh.end());
}

std::vector<sim::Event> BrokerRig::events(sim::EventKind kind) {
    collect();
    std::vector<sim::Event> found;
    for (const sim::Event& event : events_) {
        if (event.kind == kind) {
            found.push_back(event);
        }
    }
    return found;
}

std::vector<std::string> BrokerRig::texts(sim::EventKind kind, std::size_t field) {
    std::vector<std::string> found;
    for (const sim::Event& event : events(kind)) {
        found.push_back(world_.kernel().interner().text_of(event.fields[field]));
    }
    return found;
}

}  // namespace klab::broker
