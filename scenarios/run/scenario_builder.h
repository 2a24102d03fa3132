// SPDX-License-Identifier: Apache-2.0
//
// From the JSON tree to the Scenario value. Shapes are checked before (format_check); what has the
// wrong shape is left out here, so that everything else still reaches the semantic checks.
//
// Called by: scenario_loader. Parts: cluster_builder, timeline_builder, action_builder.
#pragma once

#include <optional>
#include <vector>

#include "scenarios/run/json_values.h"
#include "scenarios/run/scenario_ast.h"

namespace klab::scenario {

/// The whole file. Reports what only reading the parts can show: S027 targets, S042 expressions.
[[nodiscard]] Scenario build_scenario(const Json& file, ReadContext context);

// Parts of it.
[[nodiscard]] ClusterSpec build_cluster(const Json* json, ReadContext context);
[[nodiscard]] std::vector<TopicSpec> build_topics(const Json* json);
[[nodiscard]] TopicSpec build_topic(const Json& json);

/// The integers of a list of broker ids; anything else in it is left out.
[[nodiscard]] std::vector<At<std::int64_t>> read_broker_ids(const Json& json);
[[nodiscard]] std::vector<ClientSpec> build_clients(const Json* json);
[[nodiscard]] std::optional<ChaosSpec> build_chaos(const Json* json, ReadContext context);
[[nodiscard]] std::vector<Step> build_timeline(const Json* json, ReadContext context);
[[nodiscard]] std::optional<Trigger> build_trigger(const Json& json, ReadContext context);
[[nodiscard]] std::optional<Action> build_action(const Json& json, ReadContext context);

}  // namespace klab::scenario
