// SPDX-License-Identifier: Apache-2.0
//
// The names that a scenario defines: nodes, topics with their partitions, clients, groups, steps.
// Whoever meets a name asks here, and gets a finding with the nearest name when there is none such.
//
// Called by: the semantic checks and expression_check.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/run/diagnostic.h"
#include "scenarios/run/scenario_ast.h"

namespace klab::scenario {

struct TopicNames {
    std::optional<std::int64_t> partitions;  ///< absent: the file does not say (or says it wrongly)
    std::vector<std::vector<std::string>> replicas;  ///< node names for each partition, if assigned
};

struct NameTable {
    std::int64_t brokers = 0;
    std::int64_t controllers = 0;
    std::int64_t zookeeper = 0;
    std::map<std::string, TopicNames, std::less<>> topics;
    std::map<std::string, ClientRole, std::less<>> clients;
    std::vector<std::string> groups;
    std::vector<std::string> steps;  ///< ids only, in the order of the file

    [[nodiscard]] bool has_node(std::string_view name) const;  ///< broker, controller, client
    [[nodiscard]] bool has_broker(std::string_view name) const;

    /// Node names near enough for did-you-mean; at most a few hundred of them.
    [[nodiscard]] std::vector<std::string> node_names() const;
};

/// Reads the names off a scenario, topics made by create_topic included.
[[nodiscard]] NameTable names_of(const Scenario& scenario);

// Each returns true when the name is right, else reports (S020 to S024) and returns false.
bool check_node(const NameTable& names, std::string_view name, Span where, Findings& findings);
bool check_topic(const NameTable& names, std::string_view name, Span where, Findings& findings);
bool check_partition(const NameTable& names,
                     const PartitionName& partition,
                     Span where,
                     Findings& findings);
bool check_replica(const NameTable& names,
                   const ReplicaName& replica,
                   Span where,
                   Findings& findings);
bool check_client(const NameTable& names, std::string_view name, Span where, Findings& findings);
bool check_step(const NameTable& names, std::string_view name, Span where, Findings& findings);
bool check_group(const NameTable& names, std::string_view name, Span where, Findings& findings);

/// A finding "unknown X "y"" with did-you-mean or, if nothing is near, the known ones in the help.
[[nodiscard]] Finding unknown_word(std::string code,
                                   std::string_view what,
                                   std::string_view word,
                                   Span where,
                                   const std::vector<std::string>& known);

}  // namespace klab::scenario
