// SPDX-License-Identifier: Apache-2.0
//
// ClusterBuilder: small Kafka worlds for tests and benchmarks, without a scenario file.
//
//     world::KafkaWorld world = ClusterBuilder().brokers(3).topic("t", 1, 3).producer(...).start();
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/kafka_world/cluster_view.h"
#include "model/kafka_world/prelude.h"
#include "model/protocol/app_call.h"
#include "sim/base/assert.h"

namespace klab::tests {

class ClusterBuilder {
  public:
    ClusterBuilder() {
        setup_.data.rules = types::rules_of(types::kDefaultVersion);
        setup_.data.cluster.cluster_id = {0x6B6C'6162U, 1};
        types::ControllerSpec controller;
        controller.id = types::BrokerId(3001);
        controller.name = "k1";
        setup_.data.cluster.controllers.push_back(controller);
    }

    ClusterBuilder& seed(std::uint64_t seed) {
        setup_.seed = seed;
        return *this;
    }

    ClusterBuilder& rules(const types::Rules& rules) {
        setup_.data.rules = rules;
        return *this;
    }

    ClusterBuilder& brokers(std::int32_t count, const types::SettingMap& config = {}) {
        for (std::int32_t i = 1; i <= count; ++i) {
            types::BrokerSpec spec;
            spec.id = types::BrokerId(i);
            spec.name = "b" + std::to_string(i);
            spec.config = config;
            setup_.data.cluster.brokers.push_back(spec);
        }
        for (types::ControllerSpec& spec : setup_.data.cluster.controllers) {
            spec.config = config;
        }
        return *this;
    }

    /// Replicas of partition p are brokers p+1, p+2, ... in turn.
    ClusterBuilder& topic(const std::string& name,
                          std::int32_t partitions,
                          std::int32_t replicas,
                          std::int32_t min_isr = 1) {
        protocol::NewTopic topic;
        topic.name = name;
        const auto count = static_cast<std::int32_t>(setup_.data.cluster.brokers.size());
        for (std::int32_t p = 0; p < partitions; ++p) {
            std::vector<types::BrokerId> assigned;
            for (std::int32_t r = 0; r < replicas; ++r) {
                assigned.emplace_back((p + r) % count + 1);
            }
            topic.assignment.push_back(std::move(assigned));
        }
        topic.config.push_back({"min.insync.replicas", std::to_string(min_isr)});
        topics_.push_back(std::move(topic));
        return *this;
    }

    ClusterBuilder& producer(const std::string& name,
                             const std::string& topic,
                             const types::SendPlan& plan,
                             const types::SettingMap& config = {}) {
        types::ClientSpec spec;
        spec.name = name;
        spec.topic = topic;
        spec.send = plan;
        spec.config = config;
        setup_.data.cluster.clients.push_back(spec);
        return *this;
    }

    ClusterBuilder& consumer(const std::string& name,
                             const std::vector<types::TopicPartition>& assign,
                             const types::SettingMap& config = {
                                 {"auto.offset.reset", "earliest"}}) {
        types::ClientSpec spec;
        spec.name = name;
        spec.kind = types::ClientSpec::Kind::kConsumer;
        spec.assign = assign;
        spec.config = config;
        setup_.data.cluster.clients.push_back(spec);
        return *this;
    }

    /// Boots, creates the topics and waits until all is replicated. `each_turn` sees the world
    /// after every turn of the queue (checks).
    template <typename Prepare, typename EachTurn>
    world::KafkaWorld start(Prepare&& prepare, EachTurn&& each_turn) {
        types::ClientSpec admin;
        admin.name = "operator";
        admin.kind = types::ClientSpec::Kind::kAdmin;
        setup_.data.cluster.clients.push_back(admin);
        world::number_nodes(setup_.data.cluster);
        world::KafkaWorld made = world::make_world(setup_);
        prepare(made);
        world::Prelude prelude(setup_.data.cluster.clients.back().node, topics_);
        world::boot_all(made);
        while (prelude.state() != world::Prelude::State::kReady) {
            KLAB_ASSERT(made.step() && prelude.state() != world::Prelude::State::kTooLate,
                        "the cluster did not start");
            each_turn(made);
            prelude.advance(made);
        }
        return made;
    }

    world::KafkaWorld start() {
        const auto nothing = [](world::KafkaWorld&) {};
        return start(nothing, nothing);
    }

  private:
    world::WorldSetup setup_;
    std::vector<protocol::NewTopic> topics_;
};

/// Tells every producer and consumer to begin.
inline void start_clients(world::KafkaWorld& world) {
    for (const types::ClientSpec& spec : world.data().cluster.clients) {
        if (spec.kind != types::ClientSpec::Kind::kAdmin) {
            world.kernel().call(spec.node, sim::make_message(protocol::StartClient{}));
        }
    }
}

}  // namespace klab::tests
