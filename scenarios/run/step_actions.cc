// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/step_actions.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/kafka_world/cluster_view.h"
#include "model/protocol/app_call.h"
#include "model/protocol/delete_records.h"
#include "model/protocol/metadata.h"
#include "model/protocol/partition_admin.h"
#include "model/protocol/topic_admin.h"
#include "scenarios/run/world_plan.h"
#include "sim/base/overloaded.h"
#include "sim/trace/kernel_events.h"

namespace klab::scenario {

namespace {

using Outcome = ActionOutcome;

/// Calls `act` with the node, or fails when the role is held by nobody.
template <typename F>
Outcome on_node(const At<Target>& target, const ActionContext& context, F&& act) {
    const Result<sim::NodeId, std::string> node = resolve(target.value, context.world);
    if (!node.ok()) {
        return failed_action(node.error());
    }
    return act(*node);
}

/// The triggering event, if it happened on that node: disk calls behind it did not happen.
const sim::Event* trigger_on(sim::NodeId node, const ActionContext& context) {
    const bool here = context.trigger && context.trigger->node == node &&
                      context.trigger->time == context.world.time();
    return here ? &*context.trigger : nullptr;
}

bool is_client(sim::NodeId node, const world::KafkaWorld& world) {
    for (const types::ClientSpec& client : world.data().cluster.clients) {
        if (client.node == node) {
            return true;
        }
    }
    return false;
}

Outcome start_again(sim::NodeId node, ActionContext& context) {
    if (!context.world.kernel().slot(node).process_alive()) {
        context.world.boot(node);
        if (is_client(node, context.world)) {
            context.world.kernel().call(node, sim::make_message(protocol::StartClient{}));
        }
    }
    return {};
}

Outcome perform_node(const NodeAction& act, ActionContext& context) {
    return on_node(act.node, context, [&](sim::NodeId node) -> Outcome {
        sim::Kernel& kernel = context.world.kernel();
        switch (act.verb) {
            case NodeVerb::kCrash:
                kernel.crash(node, trigger_on(node, context), act.torn);
                return {};
            case NodeVerb::kRestart:
            case NodeVerb::kStart:
                return start_again(node, context);
            case NodeVerb::kStop:
                kernel.call(node, sim::make_message(protocol::StopNode{}));
                return {};
            case NodeVerb::kWipe:
                if (kernel.slot(node).process_alive()) {
                    return failed_action(fmt::format(
                        "{} runs: crash or stop it before its disk is wiped", kernel.name(node)));
                }
                kernel.wipe(node);
                return {};
            case NodeVerb::kLeave:
                return failed_action("there are no groups");  // refused by the checks
        }
        return {};
    });
}

sim::PowerOffKeep keep_of(KeepUnsynced keep) {
    switch (keep) {
        case KeepUnsynced::kSynced:
            return sim::PowerOffKeep::synced;
        case KeepUnsynced::kRandom:
            return sim::PowerOffKeep::random;
        case KeepUnsynced::kAll:
            return sim::PowerOffKeep::all;
    }
    return sim::PowerOffKeep::synced;
}

Outcome perform_power_off(const PowerOff& act, ActionContext& context) {
    std::vector<sim::NodeId> nodes;  // all roles are looked up before the first machine falls
    for (const At<Target>& target : act.nodes) {
        const Result<sim::NodeId, std::string> node = resolve(target.value, context.world);
        if (!node.ok()) {
            return failed_action(node.error());
        }
        nodes.push_back(*node);
    }
    for (const sim::NodeId node : nodes) {
        const sim::PowerOff how{keep_of(act.keep), act.torn};
        context.world.kernel().power_off(node, how, trigger_on(node, context));
    }
    return {};
}

Outcome perform_fault(const FaultAction& fault, ActionContext& context) {
    return std::visit(overloaded{
                          [&](const NodeAction& act) { return perform_node(act, context); },
                          [&](const PowerOff& act) { return perform_power_off(act, context); },
                          [&](const Pause& act) {
                              return on_node(act.node, context, [&](sim::NodeId node) -> Outcome {
                                  context.world.kernel().pause(node, act.length.value);
                                  return {};
                              });
                          },
                          [&](const SlowCpu& act) {
                              return on_node(act.node, context, [&](sim::NodeId node) -> Outcome {
                                  context.world.kernel().slow_cpu(
                                      node, act.factor, act.length.value);
                                  return {};
                              });
                          },
                          [&](const SkewClock& act) {
                              return on_node(act.node, context, [&](sim::NodeId node) -> Outcome {
                                  context.world.kernel().jump_clock(node, act.by.value);
                                  return {};
                              });
                          },
                          [&](const SplitNetwork& act) { return perform_split(act, context); },
                          [&](const LinkAction& act) { return perform_link(act, context); },
                          [&](const DiskAction& act) { return perform_disk(act, context); },
                      },
                      fault);
}

void ask_operator(sim::MessageRef request, ActionContext& context) {
    context.world.kernel().call(context.operator_node,
                                sim::make_message(protocol::AdminCall{std::move(request)}));
}

Outcome perform_alter_config(const AlterConfig& act, ActionContext& context) {
    protocol::AlterConfigsRequest request;
    for (const Setting& setting : act.config) {
        request.entries.push_back({setting.name.value, setting.value.value});
    }
    if (act.topic) {
        request.target = {protocol::ConfigTarget::Kind::kTopic, act.topic->value};
    } else if (act.node) {
        const Result<sim::NodeId, std::string> node = resolve(act.node->value, context.world);
        if (!node.ok()) {
            return failed_action(node.error());
        }
        const std::optional<types::BrokerId> id = broker_id(context.world.kernel().name(*node));
        if (!id) {
            return failed_action("settings are changed of topics and brokers only");
        }
        request.target = {protocol::ConfigTarget::Kind::kBroker, fmt::format("{}", id->value())};
    }
    ask_operator(sim::make_message(std::move(request)), context);
    return {};
}

std::vector<types::BrokerId> to_broker_ids(const std::vector<At<std::int64_t>>& ids) {
    std::vector<types::BrokerId> out;
    out.reserve(ids.size());
    for (const At<std::int64_t>& id : ids) {
        out.emplace_back(static_cast<std::int32_t>(id.value));
    }
    return out;
}

Outcome perform_alter_topic(const AlterTopic& act, ActionContext& context) {
    protocol::AddedPartitions asked;
    asked.topic = act.topic.value;
    asked.count = static_cast<std::int32_t>(act.partitions.value);
    if (!act.assignment.empty()) {
        asked.assignment.emplace();
        for (const std::vector<At<std::int64_t>>& replicas : act.assignment) {
            asked.assignment->push_back(to_broker_ids(replicas));
        }
    }
    protocol::CreatePartitionsRequest request;
    request.topics.push_back(std::move(asked));
    ask_operator(sim::make_message(std::move(request)), context);
    return {};
}

Outcome perform_reassign(const Reassign& act, ActionContext& context) {
    protocol::ReassignedPartition asked;
    asked.partition = to_types(act.partition.value);
    if (act.replicas) {
        asked.replicas = to_broker_ids(*act.replicas);
    }
    protocol::AlterPartitionReassignmentsRequest request;
    request.partitions.push_back(std::move(asked));
    ask_operator(sim::make_message(std::move(request)), context);
    return {};
}

Outcome perform_unregister(const Unregister& act, ActionContext& context) {
    const Result<sim::NodeId, std::string> node = resolve(act.node.value, context.world);
    if (!node.ok()) {
        return failed_action(node.error());
    }
    const std::optional<types::BrokerId> id = broker_id(context.world.kernel().name(*node));
    if (!id) {
        return failed_action("only brokers are unregistered");
    }
    ask_operator(sim::make_message(protocol::UnregisterBrokerRequest{*id}), context);
    return {};
}

Outcome perform_other(const OtherAction& other, ActionContext& context) {
    return std::visit(
        overloaded{
            [&](const CreateTopic& act) -> Outcome {
                ask_operator(
                    sim::make_message(protocol::CreateTopicsRequest{{new_topic(act.topic)}}),
                    context);
                return {};
            },
            [&](const DeleteTopic& act) -> Outcome {
                ask_operator(sim::make_message(protocol::DeleteTopicsRequest{{act.topic.value}}),
                             context);
                return {};
            },
            [&](const AlterConfig& act) { return perform_alter_config(act, context); },
            [&](const Elect& act) -> Outcome {
                protocol::ElectLeadersRequest request;
                request.type = act.unclean ? protocol::ElectionType::kUnclean
                                           : protocol::ElectionType::kPreferred;
                request.partitions = {to_types(act.partition.value)};
                ask_operator(sim::make_message(std::move(request)), context);
                return {};
            },
            [&](const AlterTopic& act) { return perform_alter_topic(act, context); },
            [&](const Reassign& act) { return perform_reassign(act, context); },
            [&](const Unregister& act) { return perform_unregister(act, context); },
            [&](const DeleteRecords& act) -> Outcome {
                protocol::DeleteRecordsPartition asked;
                asked.partition = to_types(act.partition.value);
                if (act.before.value >= 0) {
                    asked.offset = types::Offset(act.before.value);
                }
                ask_operator(sim::make_message(protocol::DeleteRecordsRequest{{asked}}), context);
                return {};
            },
            [&](const Describe& act) -> Outcome {
                protocol::MetadataRequest request;
                if (act.what.value != "cluster") {
                    request.topics = {act.what.value};
                }
                ask_operator(sim::make_message(std::move(request)), context);
                return {};
            },
            [](const Say&) { return Outcome{}; },
            [](const EndRun&) {
                Outcome out;
                out.ends_run = true;
                return out;
            },
            [](const Unsupported&) { return Outcome{}; },  // refused by the checks
        },
        other);
}

std::string with_role(const At<Target>& target, const world::KafkaWorld& world) {
    const std::string text = to_text(target.value);
    const Result<sim::NodeId, std::string> node = resolve(target.value, world);
    if (!node.ok()) {
        return fmt::format("{} -> nobody", text);
    }
    const std::string& name = world.kernel().name(*node);
    return name == text ? name : fmt::format("{} -> {}", text, name);
}

std::string joined(const std::vector<At<Target>>& targets, const world::KafkaWorld& world) {
    std::string out;
    for (const At<Target>& target : targets) {
        out += out.empty() ? "" : ", ";
        out += with_role(target, world);
    }
    return out;
}

std::string describe_link(const LinkAction& act, const world::KafkaWorld& world) {
    if (act.all) {
        return "all";
    }
    std::string out = act.from ? with_role(*act.from, world) : std::string("anyone");
    out += " to ";
    out += act.to ? with_role(*act.to, world) : std::string("anyone");
    if (act.api) {
        out += fmt::format(", {}{}", act.api->value, act.reply ? " replies" : "");
    }
    if (act.by) {
        out += fmt::format(", by {}", klab::to_text(act.by->value));
    }
    if (act.length) {
        out += fmt::format(", for {}", klab::to_text(act.length->value));
    }
    return out;
}

std::string describe_disk(const DiskAction& act, const world::KafkaWorld& world) {
    std::string out = with_role(act.node, world);
    if (act.on) {
        out += *act.on == DiskAccessKind::kRead ? ", reads" : ", writes";
    }
    if (act.path) {
        out += fmt::format(" of {}", act.path->value);
    }
    if (act.by) {
        out += fmt::format(", by {}", klab::to_text(act.by->value));
    }
    if (act.length) {
        out += fmt::format(" for {}", klab::to_text(act.length->value));
    }
    if (act.next) {
        out += fmt::format(", next {}", act.next->value);
    }
    if (act.above) {
        out += fmt::format(", above {} bytes", act.above->value);
    }
    if (act.byte) {
        out += fmt::format(", byte {}", act.byte->value);
    }
    return out;
}

std::string describe_fault(const FaultAction& fault, const world::KafkaWorld& world) {
    return std::visit(
        overloaded{
            [&](const NodeAction& act) {
                return with_role(act.node, world) + (act.torn ? ", torn" : "");
            },
            [&](const PowerOff& act) { return joined(act.nodes, world); },
            [&](const Pause& act) {
                return fmt::format(
                    "{} for {}", with_role(act.node, world), klab::to_text(act.length.value));
            },
            [&](const SlowCpu& act) {
                return fmt::format("{} {} times for {}",
                                   with_role(act.node, world),
                                   act.factor,
                                   klab::to_text(act.length.value));
            },
            [&](const SkewClock& act) {
                return fmt::format(
                    "{} by {}", with_role(act.node, world), klab::to_text(act.by.value));
            },
            [&](const SplitNetwork& act) {
                std::string out;
                for (const std::vector<At<Target>>& group : act.groups) {
                    out += out.empty() ? "" : " | ";
                    out += joined(group, world);
                }
                return out;
            },
            [&](const LinkAction& act) { return describe_link(act, world); },
            [&](const DiskAction& act) { return describe_disk(act, world); },
        },
        fault);
}

std::string describe_reassign(const Reassign& act) {
    const std::string partition = to_text(act.partition.value);
    if (!act.replicas) {
        return fmt::format("{}, taken back", partition);
    }
    std::string ids;
    for (const At<std::int64_t>& id : *act.replicas) {
        ids += fmt::format("{}{}", ids.empty() ? "" : ", ", id.value);
    }
    return fmt::format("{} to {}", partition, ids);
}

std::string describe_other(const OtherAction& other) {
    return std::visit(
        overloaded{
            [](const CreateTopic& act) { return act.topic.name.value; },
            [](const DeleteTopic& act) { return act.topic.value; },
            [](const AlterConfig& act) {
                return act.topic ? act.topic->value : to_text(act.node->value);
            },
            [](const Elect& act) { return to_text(act.partition.value); },
            [](const AlterTopic& act) {
                return fmt::format("{} to {} partitions", act.topic.value, act.partitions.value);
            },
            [](const Reassign& act) { return describe_reassign(act); },
            [](const Unregister& act) { return to_text(act.node.value); },
            [](const DeleteRecords& act) {
                return fmt::format("{} before {}", to_text(act.partition.value), act.before.value);
            },
            [](const Describe& act) { return act.what.value; },
            [](const Say& act) { return act.text; },
            [](const EndRun&) { return std::string(); },
            [](const Unsupported&) { return std::string(); },
        },
        other);
}

}  // namespace

ActionOutcome perform(const Action& action, ActionContext& context) {
    if (const auto* fault = std::get_if<FaultAction>(&action.act)) {
        return perform_fault(*fault, context);
    }
    return perform_other(std::get<OtherAction>(action.act), context);
}

std::string describe(const Action& action, const world::KafkaWorld& world) {
    const auto* fault = std::get_if<FaultAction>(&action.act);
    const std::string what = fault != nullptr ? describe_fault(*fault, world)
                                              : describe_other(std::get<OtherAction>(action.act));
    return what.empty() ? action.verb.value : fmt::format("{} {}", action.verb.value, what);
}

}  // namespace klab::scenario
