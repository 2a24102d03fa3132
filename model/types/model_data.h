// SPDX-License-Identifier: Apache-2.0
//
// ModelData: what is constant during a run and shared by all nodes: the rules of the Kafka version
// and the layout of the cluster. The World holds it; nodes reach it through their Context.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/types/kafka_ids.h"
#include "model/types/rules.h"
#include "sim/base/time.h"
#include "sim/kernel/context.h"

namespace klab::types {

using SettingMap = std::map<std::string, std::string>;  ///< Kafka setting name -> text value

/// One broker process. Node ids of brokers come first in the world: b1 is node 0 with broker id 1.
struct BrokerSpec {
    sim::NodeId node;
    BrokerId id;
    std::string name;  ///< "b1"
    std::optional<std::string> rack;
    SettingMap config;  ///< cluster settings with this node's overrides applied

    friend bool operator==(const BrokerSpec&, const BrokerSpec&) = default;
};

/// One KRaft controller. Its node.id is 3000 + its number, as in Kafka's own examples.
struct ControllerSpec {
    sim::NodeId node;
    BrokerId id;
    std::string name;  ///< "k1"
    SettingMap config;

    friend bool operator==(const ControllerSpec&, const ControllerSpec&) = default;
};

/// What a producer's application does: call send() at 0, every, 2 x every, ...
struct SendPlan {
    std::int64_t count = 0;
    Duration every;
    std::vector<std::optional<std::string>> keys;  ///< in turn; empty: no key
    std::optional<std::int32_t> partition;         ///< explicit partition
    std::int64_t value_bytes = 0;  ///< pads the value to this size; 0: only the record's name
    std::vector<std::int64_t> tombstones;  ///< numbers of records without a value, ascending

    friend bool operator==(const SendPlan&, const SendPlan&) = default;
};

/// One client process.
struct ClientSpec {
    enum class Kind : std::uint8_t { kProducer, kConsumer, kAdmin };

    sim::NodeId node;
    std::string name;
    Kind kind = Kind::kProducer;
    SettingMap config;
    std::string topic;                   ///< producer
    SendPlan send;                       ///< producer
    std::vector<TopicPartition> assign;  ///< consumer
    Duration work_per_record;            ///< consumer

    friend bool operator==(const ClientSpec&, const ClientSpec&) = default;
};

struct ClusterSpec {
    Uuid cluster_id;
    std::vector<BrokerSpec> brokers;          ///< ascending by id
    std::vector<ControllerSpec> controllers;  ///< voters
    std::vector<ClientSpec> clients;
    SettingMap config;  ///< cluster-wide settings of brokers and controllers

    [[nodiscard]] const BrokerSpec* broker(BrokerId id) const {
        for (const BrokerSpec& spec : brokers) {
            if (spec.id == id) {
                return &spec;
            }
        }
        return nullptr;
    }

    friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;
};

struct ModelData {
    Rules rules;
    ClusterSpec cluster;

    friend bool operator==(const ModelData&, const ModelData&) = default;
};

/// Requires (both): a Context of a Kafka world.
[[nodiscard]] inline const Rules& rules(const sim::Context& ctx) {
    return static_cast<const ModelData*>(ctx.model_data())->rules;
}

[[nodiscard]] inline const ClusterSpec& cluster(const sim::Context& ctx) {
    return static_cast<const ModelData*>(ctx.model_data())->cluster;
}

}  // namespace klab::types
