// SPDX-License-Identifier: Apache-2.0
//
// What a scenario means is checked before it runs: every name exists, every setting is Kafka's,
// every step can fire, every expectation is a condition.
//
// Called by: scenario_loader. One file a theme: check_cluster, check_settings, check_clients,
// check_timeline, check_reach, check_expectations, check_support.
#pragma once

#include "scenarios/run/diagnostic.h"
#include "scenarios/run/name_table.h"
#include "scenarios/run/scenario_ast.h"
#include "scenarios/run/vocabulary.h"

namespace klab::scenario {

/// What the single checks share.
struct CheckContext {
    const Scenario& scenario;
    const NameTable& names;
    const Vocabulary& words;
    Findings& findings;
};

/// All checks below.
void check_scenario(const Scenario& scenario, const Vocabulary& words, Findings& findings);

/// Version, features, mutant, per-node entries, topics and their replicas (S020, S028, S029, S034
/// to S036).
void check_cluster(const CheckContext& context);

/// Placement of one topic, also of one that a step creates.
void check_topic_spec(const TopicSpec& topic, const CheckContext& context);

/// Settings of brokers, topics and clients (S031 to S033).
void check_settings(const CheckContext& context);
void check_topic_settings(const TopicSpec& topic, const CheckContext& context);

/// Clients: unique names, topics and partitions that exist (S021, S022, S025, S026).
void check_clients(const CheckContext& context);

/// Steps: triggers, targets and arguments of actions (S020 to S027, S037, S038).
void check_timeline(const CheckContext& context);
void check_trigger(const Trigger& trigger, const CheckContext& context);

/// Steps that can never fire (S030).
void check_reach(const CheckContext& context);

/// Expectations and questions (S042 to S045).
void check_expectations(const CheckContext& context);

/// Words of format 1 that this version of klab does not play (S050).
void check_support(const CheckContext& context);

}  // namespace klab::scenario
