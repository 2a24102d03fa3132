// SPDX-License-Identifier: Apache-2.0
//
// Names and arguments in the timeline: what triggers wait for, what actions are aimed at.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenarios/run/json_values.h"
#include "scenarios/run/semantic_checks.h"
#include "sim/base/overloaded.h"

namespace klab::scenario {

namespace {

void check_target(const At<Target>& target, const CheckContext& c) {
    const Span where = target.where;
    std::visit(
        overloaded{
            [&](const NodeTarget& t) { check_node(c.names, t.name, where, c.findings); },
            [&](const LeaderRole& t) { check_partition(c.names, t.partition, where, c.findings); },
            [&](const FollowerRole& t) {
                check_partition(c.names, t.partition, where, c.findings);
            },
            [](const ControllerRole&) {},
            [&](const CoordinatorRole& t) { check_group(c.names, t.group, where, c.findings); },
        },
        target.value);
}

void check_targets(const std::vector<At<Target>>& targets, const CheckContext& c) {
    for (const At<Target>& target : targets) {
        check_target(target, c);
    }
}

bool is_client(const At<Target>& target, const CheckContext& c) {
    const auto* node = std::get_if<NodeTarget>(&target.value);
    return node != nullptr && c.names.clients.count(node->name) > 0;
}

bool is_node_of_cluster(const At<Target>& target, const CheckContext& c) {
    const auto* node = std::get_if<NodeTarget>(&target.value);
    return node == nullptr || (c.names.has_node(node->name) && !is_client(target, c));
}

void report_role(std::string message, Span where, std::string label, const CheckContext& c) {
    c.findings.add(make_finding("S026", std::move(message), where, std::move(label)));
}

/// Kinds of event by name; nothing when the vocabulary knows none.
std::optional<EventInfo> find_event(const At<std::string>& name, const CheckContext& c) {
    std::vector<std::string> known;
    for (EventInfo& event : c.words.events()) {
        if (event.name == name.value) {
            return std::move(event);
        }
        known.push_back(std::move(event.name));
    }
    if (!known.empty()) {
        c.findings.add(unknown_word("S037", "event", name.value, name.where, known));
    }
    return std::nullopt;
}

void check_event(const EventHappens& form, const CheckContext& c) {
    if (form.from) {
        check_target(*form.from, c);
    }
    if (form.to) {
        check_target(*form.to, c);
    }
    const std::optional<EventInfo> event = find_event(form.event, c);
    if (!event) {
        return;
    }
    const auto has_field = [&](const std::string& name) {
        return name == "node" ||
               std::find(event->fields.begin(), event->fields.end(), name) != event->fields.end();
    };
    for (const Setting& field : form.where) {
        if (!has_field(field.name.value)) {
            Finding finding =
                unknown_word("S037", "field", field.name.value, field.name.where, event->fields);
            finding.message = fmt::format("{} has no field \"{}\"", event->name, field.name.value);
            c.findings.add(std::move(finding));
        }
    }
    for (const std::optional<At<Target>>& end : {form.from, form.to}) {
        if (end && !event->is_message) {
            c.findings.add(make_finding("S037",
                                        fmt::format("{} is no message between nodes", event->name),
                                        end->where,
                                        "use \"where\" with its fields"));
        }
    }
}

void check_node_list(const std::vector<At<std::string>>& nodes, const CheckContext& c) {
    for (const At<std::string>& node : nodes) {
        check_node(c.names, node.value, node.where, c.findings);
    }
}

void check_partition_form(const PartitionReaches& form, const CheckContext& c) {
    check_partition(c.names, form.partition.value, form.partition.where, c.findings);
    if (form.isr) {
        check_node_list(*form.isr, c);
    }
    if (form.leader) {
        check_node(c.names, form.leader->value, form.leader->where, c.findings);
    }
}

/// "p1 is a producer: it takes acked, error".
std::string takes_text(const std::string& client, ClientRole role) {
    switch (role) {
        case ClientRole::kProducer:
            return client + " is a producer: it takes acked, error";
        case ClientRole::kConsumer:
            return client + " is a consumer: it takes processed, error";
        case ClientRole::kAdmin:
            break;
    }
    return client + " is an admin: it takes error";
}

void check_client_form(const ClientReaches& form, const CheckContext& c) {
    if (!check_client(c.names, form.client.value, form.client.where, c.findings)) {
        return;
    }
    const ClientRole role = c.names.clients.find(form.client.value)->second;
    if (form.acked && role != ClientRole::kProducer) {
        report_role(fmt::format("{} sends nothing that could be acknowledged", form.client.value),
                    form.acked->where,
                    takes_text(form.client.value, role),
                    c);
    }
    if (form.processed && role != ClientRole::kConsumer) {
        report_role(fmt::format("{} processes nothing", form.client.value),
                    form.processed->where,
                    takes_text(form.client.value, role),
                    c);
    }
    if (form.error) {
        const std::vector<std::string> known = c.words.errors();
        const bool right = known.empty() ||
                           std::find(known.begin(), known.end(), form.error->value) != known.end();
        if (!right) {
            c.findings.add(
                unknown_word("S038", "error", form.error->value, form.error->where, known));
        }
    }
}

std::string_view word_of(NodeVerb verb) {
    switch (verb) {
        case NodeVerb::kCrash:
            return "crash";
        case NodeVerb::kRestart:
            return "restart";
        case NodeVerb::kStop:
            return "stop";
        case NodeVerb::kWipe:
            return "wipe";
        case NodeVerb::kStart:
            return "start";
        case NodeVerb::kLeave:
            return "leave";
    }
    return "";
}

void check_node_action(const NodeAction& act, const CheckContext& c) {
    const bool for_clients = act.verb == NodeVerb::kStart || act.verb == NodeVerb::kLeave;
    check_target(act.node, c);
    if (for_clients && is_node_of_cluster(act.node, c)) {
        report_role(fmt::format("\"{}\" is for clients", word_of(act.verb)),
                    act.node.where,
                    "a node of the cluster: use \"restart\" or \"stop\"",
                    c);
    }
    if (act.verb == NodeVerb::kWipe && is_client(act.node, c)) {
        report_role(
            "\"wipe\" is for nodes of the cluster", act.node.where, "a client has no disk", c);
    }
}

void check_disk_action(const DiskAction& act, const CheckContext& c) {
    check_target(act.node, c);
    if (is_client(act.node, c)) {
        report_role("a fault of the disk of a client", act.node.where, "a client has no disk", c);
    }
}

void check_api(const std::optional<At<std::string>>& api, const CheckContext& c) {
    const std::vector<std::string> known = c.words.apis();
    if (!api || known.empty() || std::find(known.begin(), known.end(), api->value) != known.end()) {
        return;
    }
    c.findings.add(unknown_word("S038", "request", api->value, api->where, known));
}

void check_link_action(const LinkAction& act, const CheckContext& c) {
    if (act.from) {
        check_target(*act.from, c);
    }
    if (act.to) {
        check_target(*act.to, c);
    }
    check_api(act.api, c);
    if (act.from && act.to && act.from->value == act.to->value) {
        report_role("a link from a node to itself", act.to->where, "the same as \"from\"", c);
    }
}

void check_split(const SplitNetwork& act, const CheckContext& c) {
    std::set<std::string> seen;
    for (const std::vector<At<Target>>& group : act.groups) {
        check_targets(group, c);
        for (const At<Target>& target : group) {
            if (!seen.insert(to_text(target.value)).second) {
                report_role(fmt::format("{} stands in two groups", to_text(target.value)),
                            target.where,
                            "a node is on one side of a partition",
                            c);
            }
        }
    }
}

void check_fault(const FaultAction& act, const CheckContext& c) {
    std::visit(overloaded{
                   [&](const NodeAction& a) { check_node_action(a, c); },
                   [&](const PowerOff& a) { check_targets(a.nodes, c); },
                   [&](const Pause& a) { check_target(a.node, c); },
                   [&](const SlowCpu& a) { check_target(a.node, c); },
                   [&](const SkewClock& a) { check_target(a.node, c); },
                   [&](const SplitNetwork& a) { check_split(a, c); },
                   [&](const LinkAction& a) { check_link_action(a, c); },
                   [&](const DiskAction& a) { check_disk_action(a, c); },
               },
               act);
}

void check_alter_config(const AlterConfig& act, const CheckContext& c) {
    if (act.topic) {
        check_topic(c.names, act.topic->value, act.topic->where, c.findings);
        TopicSpec topic;
        const TopicSpec* known = find_topic(c.scenario, act.topic->value);
        if (known != nullptr) {
            topic = *known;
        }
        topic.name = *act.topic;
        topic.config = act.config;
        check_topic_settings(topic, c);
    }
    if (act.node) {
        check_target(*act.node, c);
        c.findings.add(make_finding("S050",
                                    "settings of a running broker are not changed yet",
                                    act.node->where,
                                    "set them under /cluster/config, or change a topic"));
    }
}

void check_broker_ids(const std::vector<At<std::int64_t>>& replicas,
                      Span where,
                      const CheckContext& c) {
    std::set<std::int64_t> seen;
    for (const At<std::int64_t>& id : replicas) {
        if (id.value < 1 || id.value > c.names.brokers) {
            c.findings.add(
                make_finding("S028",
                             fmt::format("there is no broker {}", id.value),
                             id.where,
                             fmt::format("broker ids go from 1 to {}", c.names.brokers)));
        } else if (!seen.insert(id.value).second) {
            c.findings.add(make_finding("S028",
                                        fmt::format("broker {} stands twice", id.value),
                                        id.where,
                                        "a broker holds one replica of a partition"));
        }
    }
    if (replicas.empty()) {
        c.findings.add(make_finding("S028",
                                    "a partition would have no replica",
                                    where,
                                    "give at least one broker id, or leave \"replicas\" out to "
                                    "take a move back"));
    }
}

void check_other(const OtherAction& act, const CheckContext& c) {
    std::visit(overloaded{
                   [&](const CreateTopic& a) {
                       check_topic_spec(a.topic, c);
                       check_topic_settings(a.topic, c);
                   },
                   [&](const DeleteTopic& a) {
                       check_topic(c.names, a.topic.value, a.topic.where, c.findings);
                   },
                   [&](const AlterConfig& a) { check_alter_config(a, c); },
                   [&](const Elect& a) {
                       check_partition(c.names, a.partition.value, a.partition.where, c.findings);
                   },
                   [&](const AlterTopic& a) {
                       check_topic(c.names, a.topic.value, a.topic.where, c.findings);
                       for (const std::vector<At<std::int64_t>>& replicas : a.assignment) {
                           check_broker_ids(replicas, a.topic.where, c);
                       }
                   },
                   [&](const Reassign& a) {
                       check_partition(c.names, a.partition.value, a.partition.where, c.findings);
                       if (a.replicas) {
                           check_broker_ids(*a.replicas, a.partition.where, c);
                       }
                   },
                   [&](const Unregister& a) { check_target(a.node, c); },
                   [&](const DeleteRecords& a) {
                       check_partition(c.names, a.partition.value, a.partition.where, c.findings);
                   },
                   [&](const Describe& a) {
                       if (a.what.value != "cluster") {
                           check_topic(c.names, a.what.value, a.what.where, c.findings);
                       }
                   },
                   [](const Say&) {},
                   [](const EndRun&) {},
                   [](const Unsupported&) {},
               },
               act);
}

void check_parts(const std::vector<Trigger>& parts, const CheckContext& c) {
    for (const Trigger& part : parts) {
        check_trigger(part, c);
    }
}

}  // namespace

void check_trigger(const Trigger& trigger, const CheckContext& c) {
    std::visit(overloaded{
                   [](const AtTime&) {},
                   [&](const AfterStep& f) {
                       check_step(c.names, f.step.value, f.step.where, c.findings);
                   },
                   [&](const LeaderAppended& f) {
                       check_partition(c.names, f.partition.value, f.partition.where, c.findings);
                   },
                   [&](const ReplicaFetched& f) {
                       check_replica(c.names, f.replica.value, f.replica.where, c.findings);
                   },
                   [&](const PartitionReaches& f) { check_partition_form(f, c); },
                   [&](const GroupReaches& f) {
                       check_group(c.names, f.group.value, f.group.where, c.findings);
                   },
                   [&](const ClientReaches& f) { check_client_form(f, c); },
                   [&](const EventHappens& f) { check_event(f, c); },
                   [&](const AllOf& f) { check_parts(f.parts, c); },
                   [&](const AnyOf& f) { check_parts(f.parts, c); },
               },
               trigger.form);
}

void check_timeline(const CheckContext& context) {
    std::set<std::string> seen;
    for (const Step& step : context.scenario.timeline) {
        if (context.findings.full()) {
            return;
        }
        if (step.id && !seen.insert(step.id->value).second) {
            context.findings.add(
                make_finding("S025",
                             fmt::format("two steps are called \"{}\"", step.id->value),
                             step.id->where,
                             "given before"));
        }
        check_trigger(step.when, context);
        for (const Action& action : step.actions) {
            if (const auto* fault = std::get_if<FaultAction>(&action.act)) {
                check_fault(*fault, context);
            } else {
                check_other(std::get<OtherAction>(action.act), context);
            }
        }
    }
}

}  // namespace klab::scenario
