// SPDX-License-Identifier: Apache-2.0
//
// Steps that can never fire, as far as that can be decided without running: waiting in a circle,
// waiting for more records than anybody sends, for a time beyond the limit, for a replica set that
// the partition cannot have. What depends on retries or restarts is left to the run.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/run/json_values.h"
#include "scenarios/run/semantic_checks.h"
#include "sim/base/overloaded.h"

namespace klab::scenario {

namespace {

/// Why a trigger can never hold, and where it says so. Nothing: it may.
struct Never {
    Span where;
    std::string reason;
};

using Verdict = std::optional<Never>;

const std::string* config_value(const std::vector<Setting>& config, std::string_view name) {
    for (const Setting& setting : config) {
        if (setting.name.value == name) {
            return &setting.value.value;
        }
    }
    return nullptr;
}

/// A client that is started again by the timeline may send its records twice.
bool is_started_again(const std::string& client, const Scenario& scenario) {
    for (const Step& step : scenario.timeline) {
        for (const Action& action : step.actions) {
            const auto* fault = std::get_if<FaultAction>(&action.act);
            const auto* act = fault == nullptr ? nullptr : std::get_if<NodeAction>(fault);
            const auto* node = act == nullptr ? nullptr : std::get_if<NodeTarget>(&act->node.value);
            const bool starts = act != nullptr &&
                                (act->verb == NodeVerb::kStart || act->verb == NodeVerb::kRestart);
            if (node != nullptr && starts && node->name == client) {
                return true;
            }
        }
    }
    return false;
}

class Reach {
  public:
    explicit Reach(const CheckContext& context) : context_(context) {}

    /// Reports every step that cannot fire.
    void report();

  private:
    Verdict judge(const Trigger& trigger) const;
    Verdict all_of(const std::vector<Trigger>& parts) const;
    Verdict any_of(const std::vector<Trigger>& parts, Span where) const;
    Verdict after(const AfterStep& form) const;
    Verdict partition(const PartitionReaches& form) const;
    Verdict client(const ClientReaches& form) const;
    Verdict records(const PartitionName& partition, const At<std::int64_t>& wanted) const;
    std::optional<std::int64_t> most_records(const PartitionName& partition) const;
    std::optional<std::vector<std::string>> assigned(const PartitionName& partition) const;
    std::optional<std::int64_t> replica_count(const PartitionName& partition) const;

    const CheckContext& context_;
    std::vector<bool> can_fire_;                             // by index of the step
    std::map<std::string, std::size_t, std::less<>> steps_;  // index of each id
};

/// Could the producer's records reach the log more often than it sends them?
bool may_repeat(const ClientSpec& client, const CheckContext& context) {
    const std::string* idempotence = config_value(client.config, "enable.idempotence");
    const std::string* acks = config_value(client.config, "acks");
    const bool weak =
        (idempotence != nullptr && *idempotence != "true") ||
        (acks != nullptr && *acks != "all" && *acks != "-1") ||
        config_value(client.config, "retries") != nullptr ||
        config_value(client.config, "max.in.flight.requests.per.connection") != nullptr;
    return weak || is_started_again(client.name.value, context.scenario);
}

/// The most records the partition's log can ever hold; nothing when that is open.
std::optional<std::int64_t> Reach::most_records(const PartitionName& partition) const {
    std::int64_t sum = 0;
    for (const ClientSpec& client : context_.scenario.clients) {
        const auto* producer = std::get_if<ProducerSpec>(&client.kind);
        if (producer == nullptr || !producer->send) {
            continue;
        }
        const SendSpec& send = producer->send->value;
        const bool here = send.to ? send.to->value == partition
                                  : producer->topic && producer->topic->value == partition.topic;
        if (!here) {
            continue;
        }
        if (!send.count || send.count->value < 1 || may_repeat(client, context_) ||
            send.per_transaction) {
            return std::nullopt;
        }
        sum += std::min<std::int64_t>(send.count->value, INT32_MAX);
    }
    return sum;
}

Verdict Reach::records(const PartitionName& partition, const At<std::int64_t>& wanted) const {
    const std::optional<std::int64_t> most = most_records(partition);
    if (!most || wanted.value <= *most) {
        return std::nullopt;
    }
    return Never{wanted.where,
                 *most == 0
                     ? fmt::format("nobody sends to {}", to_text(partition))
                     : fmt::format("only {} records are sent to {}", *most, to_text(partition))};
}

std::optional<std::vector<std::string>> Reach::assigned(const PartitionName& partition) const {
    const auto topic = context_.names.topics.find(partition.topic);
    const auto index = static_cast<std::size_t>(partition.partition);
    if (topic == context_.names.topics.end() || index >= topic->second.replicas.size()) {
        return std::nullopt;
    }
    return topic->second.replicas[index];
}

std::optional<std::int64_t> Reach::replica_count(const PartitionName& partition) const {
    if (const auto nodes = assigned(partition)) {
        return static_cast<std::int64_t>(nodes->size());
    }
    const TopicSpec* topic = find_topic(context_.scenario, partition.topic);
    return topic == nullptr ? std::nullopt : std::optional<std::int64_t>(topic->replicas.value);
}

Verdict Reach::partition(const PartitionReaches& form) const {
    if (form.high_watermark) {
        if (Verdict never = records(form.partition.value, *form.high_watermark)) {
            return never;
        }
    }
    const std::optional<std::int64_t> count = replica_count(form.partition.value);
    if (form.isr_size && count && (form.isr_size->value > *count || form.isr_size->value < 1)) {
        return Never{form.isr_size->where,
                     fmt::format("{} has {} replica{}; an ISR has at least one",
                                 to_text(form.partition.value),
                                 *count,
                                 *count == 1 ? "" : "s")};
    }
    const std::optional<std::vector<std::string>> nodes = assigned(form.partition.value);
    std::vector<At<std::string>> wanted = form.isr.value_or(std::vector<At<std::string>>{});
    if (form.leader) {
        wanted.push_back(*form.leader);
    }
    for (const At<std::string>& node : wanted) {
        const bool there =
            !nodes || std::find(nodes->begin(), nodes->end(), node.value) != nodes->end();
        if (!there && context_.names.has_node(node.value)) {
            return Never{
                node.where,
                fmt::format("{} is on {}", to_text(form.partition.value), fmt::join(*nodes, ", "))};
        }
    }
    return std::nullopt;
}

Verdict Reach::client(const ClientReaches& form) const {
    const ClientSpec* client = find_client(context_.scenario, form.client.value);
    const auto* producer = client == nullptr ? nullptr : std::get_if<ProducerSpec>(&client->kind);
    if (!form.acked || producer == nullptr) {
        return std::nullopt;
    }
    if (!producer->send) {
        return form.acked->value == 0
                   ? std::nullopt
                   : Verdict(Never{form.acked->where,
                                   fmt::format("{} sends nothing", form.client.value)});
    }
    const std::optional<At<std::int64_t>>& count = producer->send->value.count;
    if (!count || count->value < 1 || form.acked->value <= count->value ||
        is_started_again(form.client.value, context_.scenario)) {
        return std::nullopt;
    }
    return Never{form.acked->where,
                 fmt::format("{} sends only {} records", form.client.value, count->value)};
}

Verdict Reach::after(const AfterStep& form) const {
    const auto step = steps_.find(form.step.value);
    if (step == steps_.end()) {
        return std::nullopt;  // unknown: reported as S024
    }
    if (!can_fire_[step->second]) {
        return Never{form.step.where,
                     fmt::format("\"{}\" cannot fire before this step", form.step.value)};
    }
    if (form.delay && form.delay->value > context_.scenario.limit.value) {
        return Never{form.delay->where,
                     fmt::format("the run ends at {}", to_text(context_.scenario.limit.value))};
    }
    const Step& waited = context_.scenario.timeline[step->second];
    const bool ends = std::any_of(waited.actions.begin(), waited.actions.end(), [](const auto& a) {
        const auto* other = std::get_if<OtherAction>(&a.act);
        return other != nullptr && std::holds_alternative<EndRun>(*other);
    });
    if (ends) {
        return Never{form.step.where, fmt::format("\"{}\" ends the run", form.step.value)};
    }
    return std::nullopt;
}

Verdict Reach::all_of(const std::vector<Trigger>& parts) const {
    for (const Trigger& part : parts) {
        if (Verdict never = judge(part)) {
            return never;
        }
    }
    return std::nullopt;
}

Verdict Reach::any_of(const std::vector<Trigger>& parts, Span where) const {
    for (const Trigger& part : parts) {
        if (!judge(part)) {
            return std::nullopt;
        }
    }
    return parts.empty() ? Verdict() : Verdict(Never{where, "none of these can happen"});
}

Verdict Reach::judge(const Trigger& trigger) const {
    return std::visit(
        overloaded{
            [&](const AtTime& f) -> Verdict {
                if (f.at.value <= context_.scenario.limit.value) {
                    return std::nullopt;
                }
                return Never{
                    f.at.where,
                    fmt::format("the run ends at {}", to_text(context_.scenario.limit.value))};
            },
            [&](const AfterStep& f) { return after(f); },
            [&](const LeaderAppended& f) { return records(f.partition.value, f.records); },
            [&](const ReplicaFetched& f) { return records(f.replica.value.partition, f.records); },
            [&](const PartitionReaches& f) { return partition(f); },
            [](const GroupReaches&) -> Verdict { return std::nullopt; },
            [&](const ClientReaches& f) { return client(f); },
            [](const EventHappens&) -> Verdict { return std::nullopt; },
            [&](const AllOf& f) { return all_of(f.parts); },
            [&](const AnyOf& f) { return any_of(f.parts, trigger.where); },
        },
        trigger.form);
}

void Reach::report() {
    const std::vector<Step>& steps = context_.scenario.timeline;
    can_fire_.assign(steps.size(), false);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].id) {
            steps_.emplace(steps[i].id->value, i);
        }
    }
    bool changed = true;
    for (std::size_t round = 0; changed && round < 64; ++round) {
        changed = false;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (!can_fire_[i] && !judge(steps[i].when)) {
                can_fire_[i] = true;
                changed = true;
            }
        }
    }
    if (changed) {
        return;  // chains longer than anyone writes: leave it to the run
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Verdict never = judge(steps[i].when);
        if (!can_fire_[i] && never) {
            context_.findings.add(
                make_finding("S030",
                             fmt::format("step \"{}\" can never fire", step_name(steps[i], i)),
                             never->where,
                             never->reason));
        }
    }
}

}  // namespace

void check_reach(const CheckContext& context) {
    if (!context.findings.full()) {
        Reach(context).report();
    }
}

}  // namespace klab::scenario
