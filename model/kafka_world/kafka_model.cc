// SPDX-License-Identifier: Apache-2.0
//
// KafkaModel: which node is what, and how a world is set up.
#include "model/kafka_world/kafka_model.h"

#include <utility>

#include "model/broker/broker_lanes.h"
#include "model/types/kafka_events.h"
#include "sim/base/overloaded.h"

template class klab::sim::World<klab::world::KafkaModel>;

namespace klab::world {

namespace {

KafkaModel::Node make_client(const types::ModelData& data, const types::ClientSpec& spec) {
    switch (spec.kind) {
        case types::ClientSpec::Kind::kProducer:
            return client::Producer(data, spec);
        case types::ClientSpec::Kind::kConsumer:
            return client::Consumer(data, spec);
        case types::ClientSpec::Kind::kAdmin:
            return client::AdminClient(data, spec);
    }
    return std::monostate{};
}

std::uint16_t broker_lanes(const types::ModelData& data, const types::BrokerSpec& spec) {
    const Result<types::BrokerConfig, types::SettingErrors> config =
        types::make_broker_config(data.rules.version, spec.config);
    KLAB_ASSERT(config.ok(), "the settings of {} were not checked", spec.name);
    return broker::BrokerLanes(*config, data.cluster.brokers.size()).count();
}

}  // namespace

KafkaModel::Node KafkaModel::make_node(const Data& data, sim::NodeId id) {
    for (const types::BrokerSpec& spec : data.cluster.brokers) {
        if (spec.node == id) {
            return broker::Broker(data, spec);
        }
    }
    for (const types::ControllerSpec& spec : data.cluster.controllers) {
        if (spec.node == id) {
            return controller::ControllerNode::boot(data, spec);
        }
    }
    for (const types::ClientSpec& spec : data.cluster.clients) {
        if (spec.node == id) {
            return make_client(data, spec);
        }
    }
    KLAB_ASSERT(false, "node {} is not in the layout", id);
    return std::monostate{};
}

void KafkaModel::step(Node& node, const sim::Input& input, sim::Context& ctx) {
    std::visit(overloaded{
                   [](std::monostate) {},
                   [&](broker::Broker& it) { it.step(input, ctx); },
                   [&](controller::ControllerNode& it) { it.step(input, ctx); },
                   [&](client::Producer& it) { it.step(input, ctx); },
                   [&](client::Consumer& it) { it.step(input, ctx); },
                   [&](client::AdminClient& it) { it.step(input, ctx); },
               },
               node);
}

void number_nodes(types::ClusterSpec& cluster) {
    std::uint32_t next = 0;
    for (types::BrokerSpec& spec : cluster.brokers) {
        spec.node = sim::NodeId(next++);
    }
    for (types::ControllerSpec& spec : cluster.controllers) {
        spec.node = sim::NodeId(next++);
    }
    for (types::ClientSpec& spec : cluster.clients) {
        spec.node = sim::NodeId(next++);
    }
}

KafkaWorld make_world(const WorldSetup& setup) {
    const types::ClusterSpec& cluster = setup.data.cluster;
    sim::KernelSpec spec;
    spec.seed = setup.seed;
    spec.network = setup.network;
    spec.events = event_table();
    for (const types::BrokerSpec& broker : cluster.brokers) {
        spec.nodes.push_back({broker.name, broker_lanes(setup.data, broker), {}, {}});
    }
    for (const types::ControllerSpec& controller : cluster.controllers) {
        spec.nodes.push_back({controller.name, controller::kControllerLaneCount, {}, {}});
    }
    for (const types::ClientSpec& client : cluster.clients) {
        spec.nodes.push_back({client.name, 1, {}, {}});
    }
    for (const auto& [name, clock] : setup.clocks) {
        for (sim::NodeSpec& node : spec.nodes) {
            if (node.name == name) {
                node.clock = clock;
            }
        }
    }
    for (const auto& [name, device] : setup.devices) {
        for (sim::NodeSpec& node : spec.nodes) {
            if (node.name == name) {
                node.device = device;
            }
        }
    }
    return KafkaWorld(spec, std::make_shared<const types::ModelData>(setup.data));
}

void boot_all(KafkaWorld& world) {
    const types::ClusterSpec& cluster = world.data().cluster;
    for (const types::ControllerSpec& spec : cluster.controllers) {
        world.boot(spec.node);
    }
    for (const types::BrokerSpec& spec : cluster.brokers) {
        world.boot(spec.node);
    }
    for (const types::ClientSpec& spec : cluster.clients) {
        world.boot(spec.node);
    }
}

const std::shared_ptr<const sim::EventTable>& event_table() {
    static const std::shared_ptr<const sim::EventTable> kTable =
        std::make_shared<const sim::EventTable>(types::events::make_event_table());
    return kTable;
}

}  // namespace klab::world
