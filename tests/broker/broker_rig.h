// SPDX-License-Identifier: Apache-2.0
//
// BrokerRig: a broker, or only its parts, against ends that the test plays. A puppet hears
// everything that is sent to it and says what the test makes it say; nothing answers by itself.
//
//     BrokerRig rig;                                // b1: parts, k1: a puppet as controller
//     BrokerRig rig({.whole_broker = true, .whole_controller = true});
//     const ConnectionId line = rig.connect("c1");
//     rig.send("c1", line, 7, protocol::MetadataRequest{});
//     rig.run(milliseconds(10));
//     EXPECT_EQ(rig.heard("c1").size(), 1U);
//
// Messages take exactly 1 ms each way.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/broker/broker.h"
#include "model/controller/controller_node.h"
#include "model/types/kafka_events.h"
#include "sim/kernel/world.h"
#include "tests/sim/run_on.h"

namespace klab::broker {

/// Something that a puppet was told, and when.
struct Heard {
    Time at;
    sim::ConnectionId connection;
    std::int32_t correlation = 0;
    sim::MessageRef message;

    friend bool operator==(const Heard&, const Heard&) = default;
};

/// The end of a conversation that the test plays.
struct Puppet {
    std::vector<Heard> heard;
    std::vector<std::pair<Time, sim::ConnectionId>> opened;  ///< by others, towards it
    std::vector<std::pair<Time, sim::ConnectionId>> ended;   ///< by the other side

    friend bool operator==(const Puppet&, const Puppet&) = default;
};

/// A request in the hands of a handler.
struct Handled {
    Time at;
    sim::Lane lane;
    QueuedRequest request;

    friend bool operator==(const Handled&, const Handled&) = default;
};

/// Parts of a broker side by side, without what a broker would do with their outcomes.
struct Parts {
    BrokerLanes lanes;
    RequestPipeline pipeline;
    ControllerChannel channel;
    BrokerLifecycleManager lifecycle;
    MetadataFollower follower;
    ControllerChannel assignments_channel;
    AssignmentsManager assignments;
    metadata::MetadataImage image;  ///< what the assignments are checked with

    Duration service;                      ///< how long a handler works on a request
    std::vector<Duration> first_services;  ///< the same for the first requests, where it differs
    bool answers_at_once = true;           ///< else the test answers, as a purgatory would
    std::vector<sim::Lane> arrivals;       ///< network lane of each request
    std::vector<Handled> handled;
    std::vector<std::pair<Time, ControllerChannel::Outcome>> outcomes;
    std::vector<std::pair<Time, BrokerLifecycleManager::Effect>> effects;
    std::uint64_t changes = 0;  ///< metadata changes to publish

    friend bool operator==(const Parts&, const Parts&) = default;
};

struct RigNode {
    std::optional<Parts> parts;
    std::optional<Broker> broker;
    std::optional<controller::ControllerNode> controller;
    Puppet puppet;  ///< when nothing of the above

    friend bool operator==(const RigNode&, const RigNode&) = default;
};

using RigAction = tests::NodeAction<RigNode>;

struct RigModel {
    using Node = RigNode;
    using Data = types::ModelData;

    static Node make_node(const Data& data, sim::NodeId id);
    static void step(Node& node, const sim::Input& input, sim::Context& ctx);
};

class BrokerRig {
  public:
    struct Options {
        types::SettingMap config;
        bool whole_broker = false;      ///< b1 is a Broker, else Parts
        bool whole_controller = false;  ///< k1 is a ControllerNode, else a puppet
        types::Rules rules = types::rules_of(types::kDefaultVersion);
        bool boot = true;
    };

    explicit BrokerRig(const Options& options);

    BrokerRig() : BrokerRig(Options{}) {}

    // --- puppets: c1, c2, c3, and k1 where it is one

    /// A puppet opens a connection to b1 (or k1).
    sim::ConnectionId connect(const std::string& puppet, const std::string& to = "b1");

    template <typename Request>
    void send(const std::string& puppet,
              sim::ConnectionId connection,
              std::int32_t correlation,
              Request request) {
        say(puppet, connection, correlation, sim::make_message(std::move(request)));
    }

    /// The same with a message that is made already.
    void say(const std::string& puppet,
             sim::ConnectionId connection,
             std::int32_t correlation,
             sim::MessageRef message);

    void hang_up(const std::string& puppet, sim::ConnectionId connection);

    [[nodiscard]] const std::vector<Heard>& heard(const std::string& puppet) const {
        return node(puppet).puppet.heard;
    }

    /// The bodies of type T that a puppet heard, in order.
    template <typename T>
    [[nodiscard]] std::vector<T> heard_of(const std::string& puppet) const {
        std::vector<T> found;
        for (const Heard& one : heard(puppet)) {
            if (one.message.is<T>()) {
                found.push_back(one.message.as<T>());
            }
        }
        return found;
    }

    /// When a puppet heard messages of type T, in milliseconds since the start of the rig.
    template <typename T>
    [[nodiscard]] std::vector<std::int64_t> times_of(const std::string& puppet) const {
        std::vector<std::int64_t> found;
        for (const Heard& one : heard(puppet)) {
            if (one.message.is<T>()) {
                found.push_back((one.at - Time{}).ns / 1'000'000);
            }
        }
        return found;
    }

    /// Answers the last message that a puppet heard.
    template <typename Response>
    void reply(const std::string& puppet, Response response) {
        const Heard last = heard(puppet).back();
        say(puppet, last.connection, last.correlation, sim::make_message(std::move(response)));
    }

    // --- the broker

    /// Runs `action` inside a step of the node and delivers what it sends later.
    void run_on(const std::string& name, RigAction action);

    [[nodiscard]] const Parts& parts() const { return *node("b1").parts; }

    /// Changes the parts without a step.
    template <typename Change>
    void with_parts(Change change) {
        run_on("b1", [&](RigNode& node, sim::Context& ctx) { change(*node.parts, ctx); });
    }

    [[nodiscard]] const Broker& broker() const { return *node("b1").broker; }

    // --- time and faults

    void run(Duration length);
    void boot(const std::string& name);
    void crash(const std::string& name);

    [[nodiscard]] std::int64_t now_ms() const { return (world_.time() - Time{}).ns / 1'000'000; }

    /// Events of a kind since the start.
    [[nodiscard]] std::vector<sim::Event> events(sim::EventKind kind);

    /// Text of the n-th field of each event of a kind: "STARTING", ...
    [[nodiscard]] std::vector<std::string> texts(sim::EventKind kind, std::size_t field);

    [[nodiscard]] sim::World<RigModel>& world() { return world_; }

    [[nodiscard]] sim::NodeId id_of(const std::string& name) const {
        return *world_.kernel().find_node(name);
    }

    [[nodiscard]] const RigNode& node(const std::string& name) const {
        return world_.node(id_of(name));
    }

  private:
    void collect();

    sim::World<RigModel> world_;
    std::vector<sim::Event> events_;
};

}  // namespace klab::broker
