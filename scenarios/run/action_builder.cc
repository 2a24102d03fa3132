// SPDX-License-Identifier: Apache-2.0
//
// Actions of a scenario: one key, a verb, decides what the value says.
#include <utility>

#include "scenarios/run/scenario_builder.h"

namespace klab::scenario {

namespace {

using Act = std::variant<FaultAction, OtherAction>;
using Built = std::optional<Act>;

Built node_action(NodeVerb verb, const Json& value, ReadContext context) {
    const bool in_full = value.is(JsonKind::kObject);  // only a crash may be
    std::optional<At<Target>> node =
        read_target(in_full ? value.find("node") : &value, context.findings);
    const bool torn = in_full && read_boolean(value.find("torn"), false);
    return node ? Built(FaultAction(NodeAction{verb, std::move(*node), torn})) : std::nullopt;
}

KeepUnsynced keep_of(const std::optional<At<std::string>>& word) {
    if (word && word->value == "random") {
        return KeepUnsynced::kRandom;
    }
    return word && word->value == "all" ? KeepUnsynced::kAll : KeepUnsynced::kSynced;
}

Built power_off(const Json& value, ReadContext context) {
    PowerOff act;
    if (value.is(JsonKind::kObject)) {
        act.nodes = read_targets(value.find("nodes"), context.findings);
        act.keep = keep_of(read_text(value.find("keep")));
        act.torn = read_boolean(value.find("torn"), false);
    } else {
        act.nodes = read_targets(&value, context.findings);
    }
    return FaultAction(std::move(act));
}

Built pause(const Json& value, ReadContext context) {
    std::optional<At<Target>> node = read_target(value.find("node"), context.findings);
    const auto length = read_duration(value.find("for"));
    return node && length ? Built(FaultAction(Pause{std::move(*node), *length})) : std::nullopt;
}

Built slow_cpu(const Json& value, ReadContext context) {
    std::optional<At<Target>> node = read_target(value.find("node"), context.findings);
    const auto length = read_duration(value.find("for"));
    const auto factor = read_integer(value.find("factor"));
    return node && length && factor
               ? Built(FaultAction(SlowCpu{std::move(*node), *length, factor->value}))
               : std::nullopt;
}

Built skew_clock(const Json& value, ReadContext context) {
    std::optional<At<Target>> node = read_target(value.find("node"), context.findings);
    const auto by = read_shift(value.find("by"));
    return node && by ? Built(FaultAction(SkewClock{std::move(*node), *by})) : std::nullopt;
}

Built split_network(const Json& value, ReadContext context) {
    SplitNetwork act;
    for (const Json& group : value.elements) {
        act.groups.push_back(read_targets(&group, context.findings));
    }
    return FaultAction(std::move(act));
}

Built link_action(LinkVerb verb, const Json& value, ReadContext context) {
    LinkAction act;
    act.verb = verb;
    if (value.is(JsonKind::kText)) {
        act.all = true;
        return FaultAction(std::move(act));
    }
    act.from = read_target(value.find("from"), context.findings);
    act.to = read_target(value.find("to"), context.findings);
    act.api = read_text(value.find("api"));
    act.reply = read_boolean(value.find("reply"), false);
    act.by = read_duration(value.find("by"));
    act.next = read_integer(value.find("next"));
    act.length = read_duration(value.find("for"));
    return FaultAction(std::move(act));
}

Built disk_action(DiskVerb verb, const Json& value, ReadContext context) {
    std::optional<At<Target>> node = read_target(value.find("node"), context.findings);
    if (!node) {
        return std::nullopt;
    }
    DiskAction act;
    act.verb = verb;
    act.node = std::move(*node);
    act.path = read_text(value.find("path"));
    if (const auto on = read_text(value.find("on"))) {
        act.on = on->value == "read" ? DiskAccessKind::kRead : DiskAccessKind::kWrite;
    }
    act.by = read_duration(value.find("by"));
    act.length = read_duration(value.find("for"));
    act.next = read_integer(value.find("next"));
    act.above = read_integer(value.find("above"));
    act.byte = read_integer(value.find("byte"));
    return FaultAction(std::move(act));
}

Built alter_config(const Json& value, ReadContext context) {
    AlterConfig act;
    act.topic = read_text(value.find("topic"));
    act.node = read_target(value.find("node"), context.findings);
    act.config = read_settings(value.find("config"));
    return OtherAction(std::move(act));
}

Built elect(const Json& value) {
    const auto partition = read_partition(value.find("partition"));
    const auto type = read_text(value.find("type"));
    return partition && type ? Built(OtherAction(Elect{*partition, type->value == "unclean"}))
                             : std::nullopt;
}

Built alter_topic(const Json& value) {
    const auto topic = read_text(value.find("topic"));
    const auto partitions = read_integer(value.find("partitions"));
    if (!topic || !partitions) {
        return std::nullopt;
    }
    AlterTopic act{*topic, *partitions, {}};
    if (const Json* assignment = value.find("assignment")) {
        for (const Json& replicas : assignment->elements) {
            act.assignment.push_back(read_broker_ids(replicas));
        }
    }
    return OtherAction(std::move(act));
}

Built reassign(const Json& value) {
    const auto partition = read_partition(value.find("partition"));
    if (!partition) {
        return std::nullopt;
    }
    Reassign act{*partition, std::nullopt};
    if (const Json* replicas = value.find("replicas")) {
        act.replicas = read_broker_ids(*replicas);
    }
    return OtherAction(std::move(act));
}

Built unregister(const Json& value, ReadContext context) {
    std::optional<At<Target>> node = read_target(&value, context.findings);
    return node ? Built(OtherAction(Unregister{std::move(*node)})) : std::nullopt;
}

Built delete_records(const Json& value) {
    const auto partition = read_partition(value.find("partition"));
    const auto before = read_integer(value.find("before"));
    return partition && before ? Built(OtherAction(DeleteRecords{*partition, *before}))
                               : std::nullopt;
}

Built fault(const std::string& verb, const Json& value, ReadContext context) {
    struct NodeWord {
        std::string_view word;
        NodeVerb verb;
    };

    static constexpr NodeWord kNodeWords[] = {{"crash", NodeVerb::kCrash},
                                              {"restart", NodeVerb::kRestart},
                                              {"stop", NodeVerb::kStop},
                                              {"wipe", NodeVerb::kWipe},
                                              {"start", NodeVerb::kStart},
                                              {"leave", NodeVerb::kLeave}};
    for (const NodeWord& row : kNodeWords) {
        if (row.word == verb) {
            return node_action(row.verb, value, context);
        }
    }

    struct LinkWord {
        std::string_view word;
        LinkVerb verb;
    };

    static constexpr LinkWord kLinkWords[] = {{"cut", LinkVerb::kCut},
                                              {"heal", LinkVerb::kHeal},
                                              {"drop", LinkVerb::kDrop},
                                              {"duplicate", LinkVerb::kDuplicate},
                                              {"hold", LinkVerb::kHold},
                                              {"release", LinkVerb::kRelease},
                                              {"reset", LinkVerb::kReset},
                                              {"delay", LinkVerb::kDelay},
                                              {"slow_link", LinkVerb::kSlowLink}};
    for (const LinkWord& row : kLinkWords) {
        if (row.word == verb) {
            return link_action(row.verb, value, context);
        }
    }

    struct DiskWord {
        std::string_view word;
        DiskVerb verb;
    };

    static constexpr DiskWord kDiskWords[] = {{"disk_full", DiskVerb::kFull},
                                              {"disk_read_only", DiskVerb::kReadOnly},
                                              {"disk_gone", DiskVerb::kGone},
                                              {"disk_error", DiskVerb::kError},
                                              {"disk_slow", DiskVerb::kSlow},
                                              {"bit_rot", DiskVerb::kBitRot},
                                              {"lose_entry", DiskVerb::kLoseEntry}};
    for (const DiskWord& row : kDiskWords) {
        if (row.word == verb) {
            return disk_action(row.verb, value, context);
        }
    }
    return std::nullopt;
}

Built build_act(const std::string& verb, const Json& value, ReadContext context) {
    if (verb == "power_off") {
        return power_off(value, context);
    }
    if (verb == "pause") {
        return pause(value, context);
    }
    if (verb == "slow_cpu") {
        return slow_cpu(value, context);
    }
    if (verb == "skew_clock") {
        return skew_clock(value, context);
    }
    if (verb == "partition") {
        return split_network(value, context);
    }
    if (verb == "create_topic") {
        return OtherAction(CreateTopic{build_topic(value)});
    }
    if (verb == "delete_topic" && value.is(JsonKind::kText)) {
        return OtherAction(DeleteTopic{*read_text(&value)});
    }
    if (verb == "alter_config") {
        return alter_config(value, context);
    }
    if (verb == "elect") {
        return elect(value);
    }
    if (verb == "alter_topic") {
        return alter_topic(value);
    }
    if (verb == "reassign") {
        return reassign(value);
    }
    if (verb == "unregister") {
        return unregister(value, context);
    }
    if (verb == "delete_records") {
        return delete_records(value);
    }
    if (verb == "describe" && value.is(JsonKind::kText)) {
        return OtherAction(Describe{*read_text(&value)});
    }
    if (verb == "say") {
        return OtherAction(Say{read_lines(&value)});
    }
    if (verb == "end") {
        return OtherAction(EndRun{});
    }
    return fault(verb, value, context);
}

bool is_unsupported(const std::string& verb) {
    for (const std::string_view word : {"reset_offsets", "add_voter", "remove_voter"}) {
        if (verb == word) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::optional<Action> build_action(const Json& json, ReadContext context) {
    if (!json.is(JsonKind::kObject) || json.members.empty()) {
        return std::nullopt;
    }
    const JsonMember& member = json.members.front();
    if (is_unsupported(member.key)) {
        return Action{json.where, {member.key, member.key_where}, OtherAction(Unsupported{})};
    }
    Built act = build_act(member.key, member.value, context);
    if (!act) {
        return std::nullopt;
    }
    return Action{json.where, {member.key, member.key_where}, std::move(*act)};
}

}  // namespace klab::scenario
