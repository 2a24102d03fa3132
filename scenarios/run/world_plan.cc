// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/world_plan.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "model/client/exponential_backoff.h"
#include "model/types/rules.h"
#include "sim/base/assert.h"

namespace klab::scenario {

namespace {

constexpr std::int32_t kFirstControllerId = 3000;
constexpr types::Uuid kClusterId{0x6b6c'6162'0000'4000, 0x8000'0000'0000'0001};

constexpr std::array<sim::ChoiceSite, 10> kSites = {sim::sites::kLatency,
                                                    sim::sites::kLoss,
                                                    sim::sites::kPagesKept,
                                                    sim::sites::kTornAt,
                                                    sim::sites::kBitRot,
                                                    sim::sites::kLostEntry,
                                                    client::sites::kReconnectJitter,
                                                    client::sites::kRetryJitter,
                                                    client::sites::kLeastLoaded,
                                                    client::sites::kStickyPartition};

types::SettingMap settings_of(const std::vector<Setting>& config) {
    types::SettingMap out;
    for (const Setting& setting : config) {
        out[setting.name.value] = setting.value.value;
    }
    return out;
}

const NodeSpec* find_node_spec(const ClusterSpec& cluster, const std::string& name) {
    for (const NodeSpec& node : cluster.nodes) {
        if (node.name.value == name) {
            return &node;
        }
    }
    return nullptr;
}

types::SettingMap settings_of_node(const ClusterSpec& cluster, const std::string& name) {
    types::SettingMap out = settings_of(cluster.config);
    if (const NodeSpec* node = find_node_spec(cluster, name)) {
        for (const auto& [key, value] : settings_of(node->config)) {
            out[key] = value;
        }
    }
    return out;
}

std::optional<std::string> rack_of(const ClusterSpec& cluster, std::int64_t broker) {
    const NodeSpec* node = find_node_spec(cluster, fmt::format("b{}", broker));
    if (node != nullptr && node->rack) {
        return node->rack->value;
    }
    if (cluster.racks.empty()) {
        return std::nullopt;
    }
    const auto index = static_cast<std::size_t>(broker - 1) % cluster.racks.size();
    return cluster.racks[index].value;
}

types::SendPlan send_plan(const SendSpec& send) {
    types::SendPlan out;
    out.count = send.count ? send.count->value : INT64_MAX;
    out.every = send.every;
    out.keys = send.keys;
    out.value_bytes = send.value_bytes ? send.value_bytes->value : 0;
    out.tombstones = send.tombstones;
    std::sort(out.tombstones.begin(), out.tombstones.end());
    if (send.to) {
        out.partition = send.to->value.partition;
    }
    return out;
}

types::ClientSpec client_spec(const ClientSpec& client) {
    types::ClientSpec out;
    out.name = client.name.value;
    out.config = settings_of(client.config);
    if (const auto* producer = std::get_if<ProducerSpec>(&client.kind)) {
        out.kind = types::ClientSpec::Kind::kProducer;
        if (producer->send) {
            const SendSpec& send = producer->send->value;
            out.send = send_plan(send);
            out.topic = send.to ? send.to->value.topic : "";
        }
        if (producer->topic) {
            out.topic = producer->topic->value;
        }
    } else if (const auto* consumer = std::get_if<ConsumerSpec>(&client.kind)) {
        out.kind = types::ClientSpec::Kind::kConsumer;
        for (const At<PartitionName>& partition : consumer->assign) {
            out.assign.push_back({partition.value.topic, partition.value.partition});
        }
        out.work_per_record = consumer->work_per_record;
    } else {
        out.kind = types::ClientSpec::Kind::kAdmin;
    }
    return out;
}

types::ClusterSpec cluster_spec(const Scenario& scenario) {
    const ClusterSpec& cluster = scenario.cluster;
    types::ClusterSpec out;
    out.cluster_id = kClusterId;
    out.config = settings_of(cluster.config);
    for (std::int64_t i = 1; i <= cluster.brokers.value; ++i) {
        types::BrokerSpec broker;
        broker.id = types::BrokerId(static_cast<std::int32_t>(i));
        broker.name = fmt::format("b{}", i);
        broker.rack = rack_of(cluster, i);
        broker.config = settings_of_node(cluster, broker.name);
        out.brokers.push_back(std::move(broker));
    }
    for (std::int64_t i = 1; i <= cluster.controllers.value; ++i) {
        types::ControllerSpec controller;
        controller.id = types::BrokerId(kFirstControllerId + static_cast<std::int32_t>(i));
        controller.name = fmt::format("k{}", i);
        controller.config = settings_of_node(cluster, controller.name);
        out.controllers.push_back(std::move(controller));
    }
    for (const ClientSpec& client : scenario.clients) {
        out.clients.push_back(client_spec(client));
    }
    types::ClientSpec operator_client;
    operator_client.name = kOperatorName;
    operator_client.kind = types::ClientSpec::Kind::kAdmin;
    out.clients.push_back(std::move(operator_client));
    return out;
}

types::Rules rules_of_scenario(const Scenario& scenario) {
    std::vector<std::string> mutants;
    if (scenario.cluster.mutant) {
        mutants.push_back(scenario.cluster.mutant->value);
    }
    const std::map<std::string, std::string> features = settings_of(scenario.cluster.features);
    const auto rules = types::make_rules(scenario.kafka.value, features, mutants);
    KLAB_ASSERT(rules.ok(), "the rules of the scenario were not checked");
    return *rules;
}

sim::NetworkSpec network_spec(const NetworkSpec& network) {
    sim::NetworkSpec out;
    if (network.latency) {
        out.latency_low = network.latency->value.low;
        out.latency_high = network.latency->value.high;
    }
    if (network.bytes_per_second) {
        out.bytes_per_second = static_cast<std::uint64_t>(network.bytes_per_second->value);
    }
    return out;
}

std::vector<std::pair<std::string, sim::ClockState>> clocks_of(const ClusterSpec& cluster) {
    std::vector<std::pair<std::string, sim::ClockState>> out;
    for (const NodeSpec& node : cluster.nodes) {
        sim::ClockState clock;
        if (node.clock_offset) {
            clock.offset = node.clock_offset->value;
        }
        if (node.drift_ppm) {
            clock.drift_per_billion = node.drift_ppm->value * 1'000;
        }
        if (clock != sim::ClockState{}) {
            out.emplace_back(node.name.value, clock);
        }
    }
    return out;
}

sim::DeviceCosts device_of(DiskKind kind) {
    static constexpr std::array<std::string_view, 3> kNames = {"hdd", "ssd", "nvme"};
    const auto costs = sim::find_device(kNames[static_cast<std::size_t>(kind)]);
    KLAB_ASSERT(costs.has_value(), "a disk that sim/ does not know");
    return *costs;
}

/// The cluster's kind of disk for brokers and controllers, unless a node has its own.
std::vector<std::pair<std::string, sim::DeviceCosts>> devices_of(const ClusterSpec& cluster,
                                                                 const types::ClusterSpec& nodes) {
    std::vector<std::pair<std::string, sim::DeviceCosts>> out;
    const auto add = [&](const std::string& name) {
        const NodeSpec* node = find_node_spec(cluster, name);
        if (node != nullptr && node->disk) {
            out.emplace_back(name, device_of(node->disk->value));
        } else if (cluster.disk && cluster.disk->value.kind) {
            out.emplace_back(name, device_of(cluster.disk->value.kind->value));
        }
    };
    for (const types::BrokerSpec& broker : nodes.brokers) {
        add(broker.name);
    }
    for (const types::ControllerSpec& controller : nodes.controllers) {
        add(controller.name);
    }
    return out;
}

/// "b1", or "b1->b2" for a decision about a link.
void place_override(const std::string& text,
                    const types::ClusterSpec& cluster,
                    sim::ChoiceKey& key) {
    const auto node_number = [&](const std::string& name) -> std::int64_t {
        for (const types::BrokerSpec& node : cluster.brokers) {
            if (node.name == name) {
                return node.node.value();
            }
        }
        for (const types::ControllerSpec& node : cluster.controllers) {
            if (node.name == name) {
                return node.node.value();
            }
        }
        for (const types::ClientSpec& node : cluster.clients) {
            if (node.name == name) {
                return node.node.value();
            }
        }
        return sim::kAbsent;
    };
    const std::size_t arrow = text.find("->");
    key.node = node_number(text.substr(0, arrow));
    if (arrow != std::string::npos) {
        key.peer = node_number(text.substr(arrow + 2));
    }
}

std::vector<sim::ChoiceRecord> overrides_of(const Scenario& scenario,
                                            const types::ClusterSpec& cluster) {
    std::vector<sim::ChoiceRecord> out;
    for (const Override& fixed : scenario.overrides) {
        const std::optional<std::uint16_t> site = find_choice_site(fixed.site.value);
        if (!site) {
            continue;  // refused by the checks
        }
        sim::ChoiceRecord record;
        record.key.site = *site;
        record.key.occurrence = fixed.n;
        record.pick = static_cast<std::uint32_t>(std::min<std::uint64_t>(fixed.pick, UINT32_MAX));
        if (fixed.node) {
            place_override(fixed.node->value, cluster, record.key);
        }
        out.push_back(record);
    }
    return out;
}

}  // namespace

std::optional<std::uint16_t> find_choice_site(std::string_view name) {
    for (const sim::ChoiceSite& site : kSites) {
        if (site.name == name) {
            return site.number;
        }
    }
    return std::nullopt;
}

std::vector<std::string> choice_site_names() {
    std::vector<std::string> names;
    names.reserve(kSites.size());
    for (const sim::ChoiceSite& site : kSites) {
        names.emplace_back(site.name);
    }
    return names;
}

protocol::NewTopic new_topic(const TopicSpec& topic) {
    protocol::NewTopic out;
    out.name = topic.name.value;
    if (topic.assignment.empty()) {
        out.partitions = static_cast<std::int32_t>(topic.partitions.value);
        out.replication_factor = static_cast<std::int16_t>(topic.replicas.value);
    }
    for (const std::vector<At<std::int64_t>>& replicas : topic.assignment) {
        std::vector<types::BrokerId> ids;
        ids.reserve(replicas.size());
        for (const At<std::int64_t>& id : replicas) {
            ids.emplace_back(static_cast<std::int32_t>(id.value));
        }
        out.assignment.push_back(std::move(ids));
    }
    for (const Setting& setting : topic.config) {
        out.config.push_back({setting.name.value, setting.value.value});
    }
    return out;
}

WorldPlan plan_world(const Scenario& scenario) {
    WorldPlan plan;
    plan.setup.seed = scenario.seed;
    plan.setup.data.rules = rules_of_scenario(scenario);
    plan.setup.data.cluster = cluster_spec(scenario);
    world::number_nodes(plan.setup.data.cluster);
    plan.setup.network = network_spec(scenario.cluster.network);
    plan.setup.clocks = clocks_of(scenario.cluster);
    plan.setup.devices = devices_of(scenario.cluster, plan.setup.data.cluster);
    for (const TopicSpec& topic : scenario.topics) {
        plan.topics.push_back(new_topic(topic));
    }
    plan.operator_node = plan.setup.data.cluster.clients.back().node;
    plan.overrides = overrides_of(scenario, plan.setup.data.cluster);
    if (scenario.cluster.network.loss) {
        plan.loss_millionths = scenario.cluster.network.loss->value.millionths;
    }
    return plan;
}

}  // namespace klab::scenario
