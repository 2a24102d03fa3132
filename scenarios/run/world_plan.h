// SPDX-License-Identifier: Apache-2.0
//
// From a scenario to a world that can boot: the layout of the cluster with Kafka's settings, the
// rules of the version, network, clocks, topics, and the fixed choices.
//
// Called by: scenario_run, draw, export. Requires everywhere: the scenario passed its checks.
#pragma once

#include <string_view>
#include <vector>

#include "model/kafka_world/kafka_model.h"
#include "model/protocol/topic_admin.h"
#include "scenarios/run/scenario_ast.h"
#include "sim/kernel/choices.h"

namespace klab::scenario {

/// The admin client that klab itself adds: it creates the topics and carries out admin actions.
inline constexpr std::string_view kOperatorName = "operator";

struct WorldPlan {
    world::WorldSetup setup;
    std::vector<protocol::NewTopic> topics;  ///< to exist before time 0
    sim::NodeId operator_node;
    std::vector<sim::ChoiceRecord> overrides;
    std::uint32_t loss_millionths = 0;  ///< of every link, from time 0 on
};

[[nodiscard]] WorldPlan plan_world(const Scenario& scenario);

/// A topic as the operator asks for it.
[[nodiscard]] protocol::NewTopic new_topic(const TopicSpec& topic);

/// The number of a choice site by its name ("net.latency"), if it is one of the kernel's or the
/// clients'.
[[nodiscard]] std::optional<std::uint16_t> find_choice_site(std::string_view name);

/// Names of all choice sites that an override may fix.
[[nodiscard]] std::vector<std::string> choice_site_names();

}  // namespace klab::scenario
