// SPDX-License-Identifier: Apache-2.0
//
// KafkaModel: Kafka as a Model of the kernel. A node is a broker, a controller, or a client; which
// one follows from the layout of the cluster. KafkaWorld is the world that scenarios, tests and
// benchmarks run.
//
// Called by: everything above the model. Kafka: none, this is the glue.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "model/broker/broker.h"
#include "model/client/admin_client.h"
#include "model/client/consumer.h"
#include "model/client/producer.h"
#include "model/controller/controller_node.h"
#include "model/types/model_data.h"
#include "sim/kernel/world.h"

namespace klab::world {

struct KafkaModel {
    using Node = std::variant<std::monostate,
                              broker::Broker,
                              controller::ControllerNode,
                              client::Producer,
                              client::Consumer,
                              client::AdminClient>;
    using Data = types::ModelData;

    [[nodiscard]] static Node make_node(const Data& data, sim::NodeId id);
    static void step(Node& node, const sim::Input& input, sim::Context& ctx);
};

using KafkaWorld = sim::World<KafkaModel>;

/// Everything that defines a world: cluster, network, seed.
struct WorldSetup {
    std::uint64_t seed = 0;
    types::ModelData data;  ///< node ids as number_nodes() gives them
    sim::NetworkSpec network;
    /// Clock of each node by name, where it differs from true time.
    std::vector<std::pair<std::string, sim::ClockState>> clocks;
    /// Device of each node by name, where it is not the default.
    std::vector<std::pair<std::string, sim::DeviceCosts>> devices;
};

/// Gives node ids in the one order klab uses: brokers, controllers, clients. Requires: at least one
/// broker and one controller. Names must be unique (the scenario checks them).
void number_nodes(types::ClusterSpec& cluster);

/// A world with all nodes down. Requires: settings valid, node ids as from number_nodes().
[[nodiscard]] KafkaWorld make_world(const WorldSetup& setup);

/// Starts controllers, brokers, then clients (which wait for StartClient), at the world's time.
void boot_all(KafkaWorld& world);

/// The joined event table, shared by all worlds.
[[nodiscard]] const std::shared_ptr<const sim::EventTable>& event_table();

}  // namespace klab::world

extern template class klab::sim::World<klab::world::KafkaModel>;
