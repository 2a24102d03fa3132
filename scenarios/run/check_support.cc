// SPDX-License-Identifier: Apache-2.0
//
// Words of format 1 that klab reads but cannot play yet. A file that uses one is refused with S050,
// never played without it. This file shrinks as the model grows.
#include <string>

#include <fmt/format.h>

#include "scenarios/run/json_values.h"
#include "scenarios/run/semantic_checks.h"
#include "sim/base/overloaded.h"

namespace klab::scenario {

namespace {

void refuse(std::string_view word, Span where, std::string reason, const CheckContext& c) {
    c.findings.add(make_finding("S050",
                                fmt::format("{} is not supported by this version of klab", word),
                                where,
                                std::move(reason)));
}

void check_cluster_support(const CheckContext& c) {
    const ClusterSpec& cluster = c.scenario.cluster;
    if (cluster.zookeeper) {
        refuse("\"zookeeper\"", cluster.zookeeper->where, "only KRaft clusters so far", c);
    }
    if (cluster.controllers.where != Span{} && cluster.controllers.value > 1) {
        refuse("more than one controller", cluster.controllers.where, "\"controllers\": 1", c);
    }
    if (cluster.combined) {
        refuse("\"combined\"", cluster.controllers.where, "controllers are nodes of their own", c);
    }
    for (const NodeSpec& node : cluster.nodes) {
        if (node.heap_pause_every) {
            refuse("\"heap_pause\"", node.heap_pause_every->where, "use the action \"pause\"", c);
        }
    }
    if (cluster.disk && cluster.disk->value.write) {
        refuse("\"write\" of a disk", cluster.disk->value.write->where, "choose a \"kind\"", c);
    }
    if (cluster.disk && cluster.disk->value.flush_every) {
        refuse("\"flush_every\" of a disk",
               cluster.disk->value.flush_every->where,
               "dirty pages wait for a sync",
               c);
    }
    if (c.scenario.chaos) {
        refuse("\"chaos\"", c.scenario.chaos->where, "write a timeline", c);
    }
}

void check_client_support(const CheckContext& c) {
    for (const ClientSpec& client : c.scenario.clients) {
        if (const auto* consumer = std::get_if<ConsumerSpec>(&client.kind)) {
            if (consumer->group) {
                refuse("a consumer group",
                       consumer->group->where,
                       "give partitions with \"assign\"",
                       c);
            }
        }
        const auto* producer = std::get_if<ProducerSpec>(&client.kind);
        if (producer != nullptr && producer->send && producer->send->value.per_transaction) {
            refuse("a transaction",
                   producer->send->value.per_transaction->where,
                   "leave \"per_transaction\" out",
                   c);
        }
    }
}

void check_trigger_support(const Trigger& trigger, const CheckContext& c) {
    if (const auto* group = std::get_if<GroupReaches>(&trigger.form)) {
        refuse("a trigger on a group", group->group.where, "needs consumer groups", c);
    }
    if (const auto* all = std::get_if<AllOf>(&trigger.form)) {
        for (const Trigger& part : all->parts) {
            check_trigger_support(part, c);
        }
    }
    if (const auto* any = std::get_if<AnyOf>(&trigger.form)) {
        for (const Trigger& part : any->parts) {
            check_trigger_support(part, c);
        }
    }
}

void check_action_support(const Action& action, const CheckContext& c) {
    const auto* other = std::get_if<OtherAction>(&action.act);
    if (other != nullptr && std::holds_alternative<Unsupported>(*other)) {
        refuse(fmt::format("\"{}\"", action.verb.value), action.verb.where, "comes later", c);
        return;
    }
    const auto* fault = std::get_if<FaultAction>(&action.act);
    const auto* node = fault == nullptr ? nullptr : std::get_if<NodeAction>(fault);
    if (node != nullptr && node->verb == NodeVerb::kLeave) {
        refuse("\"leave\"", action.verb.where, "needs consumer groups", c);
    }
}

}  // namespace

void check_support(const CheckContext& context) {
    if (context.findings.full()) {
        return;
    }
    check_cluster_support(context);
    check_client_support(context);
    for (const Step& step : context.scenario.timeline) {
        check_trigger_support(step.when, context);
        for (const Action& action : step.actions) {
            check_action_support(action, context);
        }
    }
    for (const Expectation& expectation : context.scenario.expect) {
        if (expectation.at) {
            check_trigger_support(*expectation.at, context);
        }
    }
}

}  // namespace klab::scenario
