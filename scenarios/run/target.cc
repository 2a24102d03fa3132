// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/target.h"

#include <utility>

#include <fmt/format.h>

#include "sim/base/overloaded.h"

namespace klab::scenario {

namespace {

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    return text;
}

/// A number from 1 to 2^31-1 without leading zeros.
std::optional<std::int32_t> parse_ordinal(std::string_view text) {
    if (text.empty() || text.size() > 10 || text.front() == '0') {
        return std::nullopt;
    }
    std::int64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') {
            return std::nullopt;
        }
        number = number * 10 + (c - '0');
    }
    if (number > INT32_MAX) {
        return std::nullopt;
    }
    return static_cast<std::int32_t>(number);
}

std::optional<Target> parse_follower(std::string_view inside) {
    const std::size_t comma = inside.find(',');
    const std::string_view name = trim(inside.substr(0, comma));
    std::optional<PartitionName> partition = parse_partition(name);
    if (!partition) {
        return std::nullopt;
    }
    std::uint32_t number = 1;
    if (comma != std::string_view::npos) {
        const std::optional<std::int32_t> given = parse_ordinal(trim(inside.substr(comma + 1)));
        if (!given) {
            return std::nullopt;
        }
        number = static_cast<std::uint32_t>(*given);
    }
    return FollowerRole{std::move(*partition), number};
}

std::optional<Target> parse_role(std::string_view role, std::string_view inside) {
    if (role == "leader") {
        std::optional<PartitionName> partition = parse_partition(inside);
        if (!partition) {
            return std::nullopt;
        }
        return LeaderRole{std::move(*partition)};
    }
    if (role == "follower") {
        return parse_follower(inside);
    }
    if (role == "controller" && inside.empty()) {
        return ControllerRole{};
    }
    if (role == "coordinator" && !inside.empty()) {
        return CoordinatorRole{std::string(inside)};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Target> parse_target(std::string_view text) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos) {
        if (!matches(TextRule::kName, text)) {
            return std::nullopt;
        }
        return NodeTarget{std::string(text)};
    }
    if (text.back() != ')') {
        return std::nullopt;
    }
    const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    return parse_role(text.substr(0, open), trim(inside));
}

std::string to_text(const Target& target) {
    return std::visit(
        overloaded{
            [](const NodeTarget& t) { return t.name; },
            [](const LeaderRole& t) { return fmt::format("leader({})", to_text(t.partition)); },
            [](const FollowerRole& t) {
                return fmt::format("follower({},{})", to_text(t.partition), t.number);
            },
            [](const ControllerRole&) { return std::string("controller()"); },
            [](const CoordinatorRole& t) { return fmt::format("coordinator({})", t.group); },
        },
        target);
}

std::optional<NumberedNode> parse_numbered_node(std::string_view name) {
    if (name.size() < 2) {
        return std::nullopt;
    }
    const std::optional<std::int32_t> number = parse_ordinal(name.substr(1));
    if (!number) {
        return std::nullopt;
    }
    switch (name.front()) {
        case 'b':
            return NumberedNode{NodeKind::kBroker, *number};
        case 'k':
            return NumberedNode{NodeKind::kController, *number};
        case 'z':
            return NumberedNode{NodeKind::kZookeeper, *number};
        default:
            return std::nullopt;
    }
}

std::string broker_name(std::int32_t id) { return fmt::format("b{}", id); }

}  // namespace klab::scenario
