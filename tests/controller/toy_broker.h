// SPDX-License-Identifier: Apache-2.0
//
// A world of one controller and brokers that only live: they register, send heartbeats, follow the
// metadata log, and pass on what an operator asks. What a controller does shows against them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/controller/controller_node.h"
#include "model/metadata/metadata_loader.h"
#include "model/protocol/app_call.h"
#include "model/storage/record_batch.h"
#include "model/types/kafka_events.h"
#include "sim/base/overloaded.h"
#include "sim/kernel/world.h"

namespace klab::controller {

inline constexpr std::uint32_t kControlPurpose = 1;
inline constexpr std::uint32_t kFetchPurpose = 2;
inline constexpr Duration kHeartbeatInterval = milliseconds(2'000);

/// Ends of a conversation with the controller; everything volatile.
struct ToyBroker {
    types::BrokerId id;
    sim::NodeId controller;
    types::Uuid incarnation;
    std::optional<sim::ConnectionId> control;
    std::optional<sim::ConnectionId> fetch;
    std::optional<types::BrokerEpoch> epoch;
    metadata::MetadataLoader loader;
    std::optional<types::LeaderEpoch> last_epoch;
    bool fenced = true;
    bool wants_shut_down = false;
    bool may_shut_down = false;
    std::vector<types::ErrorCode> registration_errors;
    std::vector<sim::MessageRef> answers;  ///< to what the operator asked
    std::uint64_t fetches = 0;

    friend bool operator==(const ToyBroker&, const ToyBroker&) = default;

    void open(sim::Context& ctx) {
        const sim::Lane lane(0);
        control = ctx.connect(controller, lane, kControlPurpose);
        fetch = ctx.connect(controller, lane, kFetchPurpose);
    }

    void send_registration(sim::Context& ctx) {
        protocol::BrokerRegistrationRequest request;
        request.broker_id = id;
        request.cluster_id = types::cluster(ctx).cluster_id;
        request.incarnation_id = incarnation;
        request.log_dirs = {types::Uuid{77, static_cast<std::uint64_t>(id.value())}};
        ctx.send(*control, sim::make_message(request), 1);
    }

    void send_heartbeat(sim::Context& ctx) {
        protocol::BrokerHeartbeatRequest request;
        request.broker_id = id;
        request.broker_epoch = *epoch;
        request.current_metadata_offset = loader.image().offset;
        request.want_shut_down = wants_shut_down;
        ctx.send(*control, sim::make_message(request), 2);
        ctx.set_timer({1, 0, 0}, fenced ? milliseconds(10) : kHeartbeatInterval);
    }

    void send_fetch(sim::Context& ctx) {
        protocol::FetchPartition partition;
        partition.topic_id = raft::kMetadataTopicId;
        partition.fetch_offset = loader.next_offset();
        partition.last_fetched_epoch = last_epoch;
        protocol::FetchRequest request;
        request.replica_id = id;
        request.partitions.push_back(partition);
        ctx.send(*fetch, sim::make_message(request), 3);
        ++fetches;
    }

    /// The next fetch names the epoch of the last batch, or it would count as divergent.
    void note_epochs(ByteView batches) {
        storage::BatchIterator iterator(batches);
        while (const std::optional<storage::RecordBatchView> batch = iterator.next()) {
            last_epoch = batch->leader_epoch();
        }
    }

    void on_message(sim::Context& ctx, const sim::MessageRef& message) {
        if (message.is<protocol::BrokerRegistrationResponse>()) {
            const auto& answer = message.as<protocol::BrokerRegistrationResponse>();
            registration_errors.push_back(answer.error);
            epoch = answer.broker_epoch;
            if (epoch) {
                send_heartbeat(ctx);
            } else {
                // The controller itself may only just be starting.
                const bool early = answer.error == types::ErrorCode::kNotController;
                ctx.set_timer({1, 0, 0}, early ? milliseconds(50) : kHeartbeatInterval);
            }
        } else if (message.is<protocol::BrokerHeartbeatResponse>()) {
            const auto& answer = message.as<protocol::BrokerHeartbeatResponse>();
            fenced = answer.is_fenced;
            may_shut_down = answer.should_shut_down;
        } else if (message.is<protocol::FetchResponse>()) {
            const auto& answer = message.as<protocol::FetchResponse>();
            KLAB_ASSERT(answer.partitions.front().error == types::ErrorCode::kNone, "fetch failed");
            const Bytes& records = *answer.partitions.front().records;
            KLAB_ASSERT(loader.load(records).ok(), "bad metadata");
            note_epochs(records);
            send_fetch(ctx);
        } else {
            answers.push_back(message);
        }
    }

    void step(const sim::Input& input, sim::Context& ctx) {
        std::visit(
            overloaded{
                [&](const sim::Booted& booted) {
                    incarnation = {booted.incarnation, static_cast<std::uint64_t>(id.value())};
                    open(ctx);
                },
                [&](const sim::Connected& up) {
                    if (up.purpose == kFetchPurpose) {
                        send_fetch(ctx);
                    } else if (epoch) {
                        send_heartbeat(ctx);
                    } else {
                        send_registration(ctx);
                    }
                },
                [&](const sim::Delivered& delivered) { on_message(ctx, delivered.message); },
                [&](const sim::Disconnected& over) {
                    (over.purpose == kFetchPurpose ? fetch : control) =
                        ctx.connect(controller, sim::Lane(0), over.purpose);
                },
                [&](const sim::TimerFired&) {
                    if (epoch) {
                        send_heartbeat(ctx);
                    } else {
                        send_registration(ctx);
                    }
                },
                [&](const sim::Resumed&) {},
                [&](const sim::AppCall& call) {
                    if (call.call.is<protocol::AdminCall>()) {
                        ctx.send(*control, call.call.as<protocol::AdminCall>().request, 4);
                    } else {
                        wants_shut_down = true;
                        send_heartbeat(ctx);
                    }
                },
            },
            input.body);
    }
};

struct ToyClusterModel {
    struct Node {
        std::optional<ControllerNode> controller;
        std::optional<ToyBroker> broker;

        friend bool operator==(const Node&, const Node&) = default;
    };

    using Data = types::ModelData;

    static Node make_node(const Data& data, sim::NodeId id) {
        Node node;
        const types::ControllerSpec& spec = data.cluster.controllers.front();
        if (id == spec.node) {
            node.controller = ControllerNode::boot(data, spec);
        } else {
            node.broker.emplace();
            node.broker->id = data.cluster.brokers[id.value()].id;
            node.broker->controller = spec.node;
        }
        return node;
    }

    static void step(Node& node, const sim::Input& input, sim::Context& ctx) {
        if (node.controller) {
            node.controller->step(input, ctx);
        } else {
            node.broker->step(input, ctx);
        }
    }
};

using ToyWorld = sim::World<ToyClusterModel>;

/// Brokers b1..bn are nodes 0..n-1, the controller is node n.
inline ToyWorld make_toy_world(std::uint64_t seed,
                               std::int32_t brokers,
                               const types::SettingMap& config = {}) {
    auto data = std::make_shared<types::ModelData>();
    data->rules = types::rules_of(types::KafkaVersion::k4_1);
    data->cluster.cluster_id = {5, 5};
    sim::KernelSpec spec;
    spec.seed = seed;
    spec.events = std::make_shared<const sim::EventTable>(types::events::make_event_table());
    for (std::int32_t i = 1; i <= brokers; ++i) {
        types::BrokerSpec broker;
        broker.node = sim::NodeId(static_cast<std::uint32_t>(i - 1));
        broker.id = types::BrokerId(i);
        broker.name = "b" + std::to_string(i);
        data->cluster.brokers.push_back(broker);
        spec.nodes.push_back({broker.name, 1, {}});
    }
    types::ControllerSpec controller;
    controller.node = sim::NodeId(static_cast<std::uint32_t>(brokers));
    controller.id = types::BrokerId(3001);
    controller.name = "k1";
    controller.config = config;
    data->cluster.controllers.push_back(controller);
    spec.nodes.push_back({controller.name, kControllerLaneCount, {}});
    ToyWorld world(spec, data);
    for (std::uint32_t i = 0; i < spec.nodes.size(); ++i) {
        world.boot(sim::NodeId(i));
    }
    return world;
}

}  // namespace klab::controller
