// SPDX-License-Identifier: Apache-2.0
//
// Who an action is aimed at: a node by its name, or a role that is looked up when the step fires:
// leader(t-0), follower(t-0,1), controller(), coordinator(g).
//
// Called by: the builders, the expressions; resolved by the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "scenarios/run/text_rules.h"

namespace klab::scenario {

/// b1, k1, p1: a node or client by its name.
struct NodeTarget {
    std::string name;

    friend bool operator==(const NodeTarget&, const NodeTarget&) = default;
};

/// leader(t-0): whom the committed metadata names as leader at that instant.
struct LeaderRole {
    PartitionName partition;

    friend bool operator==(const LeaderRole&, const LeaderRole&) = default;
};

/// follower(t-0,1): the first (second, ...) replica in assignment order that is not the leader.
struct FollowerRole {
    PartitionName partition;
    std::uint32_t number = 1;  ///< from 1

    friend bool operator==(const FollowerRole&, const FollowerRole&) = default;
};

/// controller(): the active controller.
struct ControllerRole {
    friend bool operator==(const ControllerRole&, const ControllerRole&) = default;
};

/// coordinator(g): the broker that coordinates the group.
struct CoordinatorRole {
    std::string group;

    friend bool operator==(const CoordinatorRole&, const CoordinatorRole&) = default;
};

using Target = std::variant<NodeTarget, LeaderRole, FollowerRole, ControllerRole, CoordinatorRole>;

/// Reads a target; nothing when it is neither a name nor one of the four roles.
[[nodiscard]] std::optional<Target> parse_target(std::string_view text);

/// The target as it is written in a file.
[[nodiscard]] std::string to_text(const Target& target);

/// The kinds of node that a name of the cluster can mean.
enum class NodeKind : std::uint8_t { kBroker, kController, kZookeeper, kClient };

/// "b12" -> broker 12. Nothing when the letter is not b, k or z, or the number is not 1, 2, 3, ...
struct NumberedNode {
    NodeKind kind = NodeKind::kBroker;
    std::int32_t number = 0;

    friend bool operator==(const NumberedNode&, const NumberedNode&) = default;
};

[[nodiscard]] std::optional<NumberedNode> parse_numbered_node(std::string_view name);

/// "b3" for broker 3.
[[nodiscard]] std::string broker_name(std::int32_t id);

}  // namespace klab::scenario
