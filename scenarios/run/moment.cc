// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/moment.h"

#include <fmt/format.h>

#include "model/kafka_world/cluster_view.h"
#include "sim/base/overloaded.h"

namespace klab::scenario {

namespace {

using Resolved = Result<sim::NodeId, std::string>;

Resolved node_named(const std::string& name, const world::KafkaWorld& world) {
    const std::optional<sim::NodeId> node = world.kernel().find_node(name);
    if (!node) {
        return Error{fmt::format("there is no node {}", name)};
    }
    return *node;
}

Resolved leader_of(const PartitionName& partition, const world::KafkaWorld& world) {
    const auto leader = world::committed_leader(world, to_types(partition));
    if (!leader) {
        return Error{fmt::format("{} has no leader", to_text(partition))};
    }
    return node_named(broker_name(leader->value()), world);
}

Resolved follower_of(const FollowerRole& role, const world::KafkaWorld& world) {
    const metadata::PartitionRegistration* found =
        world::registration(world, to_types(role.partition));
    std::uint32_t number = 0;
    if (found != nullptr) {
        for (const types::BrokerId replica : found->replicas) {
            number += found->leader == replica ? 0U : 1U;
            if (found->leader != replica && number == role.number) {
                return node_named(broker_name(replica.value()), world);
            }
        }
    }
    return Error{fmt::format("{} has no follower {}", to_text(role.partition), role.number)};
}

}  // namespace

types::TopicPartition to_types(const PartitionName& partition) {
    return {partition.topic, partition.partition};
}

std::optional<types::BrokerId> broker_id(std::string_view name) {
    const std::optional<NumberedNode> node = parse_numbered_node(name);
    if (!node || node->kind != NodeKind::kBroker) {
        return std::nullopt;
    }
    return types::BrokerId(node->number);
}

Result<sim::NodeId, std::string> resolve(const Target& target, const world::KafkaWorld& world) {
    return std::visit(overloaded{
                          [&](const NodeTarget& t) { return node_named(t.name, world); },
                          [&](const LeaderRole& t) { return leader_of(t.partition, world); },
                          [&](const FollowerRole& t) { return follower_of(t, world); },
                          [&](const ControllerRole&) -> Resolved {
                              const std::optional<sim::NodeId> active =
                                  world::active_controller(world);
                              if (!active) {
                                  return Error{std::string("there is no active controller")};
                              }
                              return *active;
                          },
                          [](const CoordinatorRole& t) -> Resolved {
                              return Error{fmt::format("group {} has no coordinator", t.group)};
                          },
                      },
                      target);
}

}  // namespace klab::scenario
