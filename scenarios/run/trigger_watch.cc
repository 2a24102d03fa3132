// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/trigger_watch.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/kafka_world/cluster_view.h"
#include "model/types/error_code.h"
#include "model/types/kafka_events.h"
#include "scenarios/run/event_match.h"
#include "sim/base/overloaded.h"

namespace klab::scenario {

namespace {

namespace events = types::events;

void want_all(std::initializer_list<sim::EventKind> wanted, sim::KindSet& kinds) {
    for (const sim::EventKind kind : wanted) {
        kinds.add(kind);
    }
}

std::optional<std::int64_t> leader_log_end(const PartitionName& partition, const Moment& moment) {
    const replication::Partition* leader = world::leader_replica(moment.world, to_types(partition));
    return leader == nullptr ? std::nullopt
                             : std::optional<std::int64_t>(leader->log.log_end_offset().value());
}

std::optional<std::int64_t> leader_high_watermark(const PartitionName& partition,
                                                  const Moment& moment) {
    const replication::Partition* leader = world::leader_replica(moment.world, to_types(partition));
    return leader == nullptr ? std::nullopt
                             : std::optional<std::int64_t>(leader->log.high_watermark().value());
}

std::optional<std::int64_t> replica_log_end(const ReplicaName& name, const Moment& moment) {
    const std::optional<types::BrokerId> broker = broker_id(name.node);
    const replication::Partition* found =
        broker ? world::replica(moment.world, to_types(name.partition), *broker) : nullptr;
    return found == nullptr ? std::nullopt
                            : std::optional<std::int64_t>(found->log.log_end_offset().value());
}

bool same_nodes(const std::vector<At<std::string>>& wanted,
                const std::vector<types::BrokerId>& brokers) {
    std::vector<std::string> a;
    a.reserve(wanted.size());
    for (const At<std::string>& node : wanted) {
        a.push_back(node.value);
    }
    std::vector<std::string> b;
    b.reserve(brokers.size());
    for (const types::BrokerId id : brokers) {
        b.push_back(broker_name(id.value()));
    }
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
}

bool end_matches(const std::optional<At<Target>>& wanted,
                 std::string_view end,
                 const sim::Event& event,
                 const Moment& moment) {
    if (!wanted) {
        return true;
    }
    const Result<sim::NodeId, std::string> node = resolve(wanted->value, moment.world);
    const sim::Kernel& kernel = moment.world.kernel();
    return node.ok() && message_end(event, end, kernel) == kernel.name(*node);
}

bool event_matches(const EventHappens& form, const sim::Event& event, const Moment& moment) {
    const sim::Kernel& kernel = moment.world.kernel();
    const bool fields =
        std::all_of(form.where.begin(), form.where.end(), [&](const Setting& field) {
            return field_matches(event, field.name.value, field.value.value, kernel);
        });
    return fields && end_matches(form.from, "from", event, moment) &&
           end_matches(form.to, "to", event, moment);
}

/// What the trigger counts, for people; empty if it counts nothing.
std::string quantity(const Trigger& trigger) {
    return std::visit(
        overloaded{
            [](const LeaderAppended&) { return std::string("has_appended"); },
            [](const ReplicaFetched&) { return std::string("has_fetched"); },
            [](const PartitionReaches& f) {
                return std::string(f.high_watermark ? "hw"
                                   : f.isr_size     ? "isr_size"
                                   : f.leader_epoch ? "leader_epoch"
                                                    : "");
            },
            [](const ClientReaches& f) {
                return std::string(f.acked ? "acked" : f.processed ? "processed" : "");
            },
            [](const EventHappens& f) { return "the number of " + f.event.value; },
            [](const AtTime&) { return std::string(); },
            [](const AfterStep&) { return std::string(); },
            [](const GroupReaches&) { return std::string(); },
            [](const AllOf&) { return std::string(); },
            [](const AnyOf&) { return std::string(); },
        },
        trigger.form);
}

const std::vector<Trigger>* parts_of(const Trigger& trigger) {
    if (const auto* all = std::get_if<AllOf>(&trigger.form)) {
        return &all->parts;
    }
    const auto* any = std::get_if<AnyOf>(&trigger.form);
    return any == nullptr ? nullptr : &any->parts;
}

/// The trigger without `all` and `any`, in the order of the file.
void flatten(const Trigger& trigger, std::vector<const Trigger*>& out) {
    const std::vector<Trigger>* parts = parts_of(trigger);
    if (parts == nullptr) {
        out.push_back(&trigger);
        return;
    }
    for (const Trigger& part : *parts) {
        flatten(part, out);
    }
}

}  // namespace

std::string seconds_text(Duration duration) {
    const std::int64_t hundredths = duration.ns / 10'000'000;
    return fmt::format("{}.{:02} s", hundredths / 100, hundredths % 100);
}

void TriggerWatch::want(const Trigger& trigger, const sim::EventTable& table, sim::KindSet& kinds) {
    std::vector<const Trigger*> leaves;
    flatten(trigger, leaves);
    for (const Trigger* leaf : leaves) {
        std::visit(
            overloaded{
                [](const AtTime&) {},
                [](const AfterStep&) {},
                [&](const LeaderAppended&) {
                    want_all(
                        {events::kLogAppended, events::kPartitionChanged, events::kLogRecovered},
                        kinds);
                },
                [&](const ReplicaFetched&) {
                    want_all({events::kLogAppended, events::kLogRecovered}, kinds);
                },
                [&](const PartitionReaches&) {
                    want_all({events::kPartitionChanged,
                              events::kHwAdvanced,
                              events::kHwMovedBack,
                              events::kLeaderStarted,
                              events::kMetadataCommitted},
                             kinds);
                },
                [](const GroupReaches&) {},
                [&](const ClientReaches&) { ClientCounts::want(kinds); },
                [&](const EventHappens& f) {
                    if (const auto kind = table.find(f.event.value)) {
                        kinds.add(*kind);
                    }
                },
                [](const AllOf&) {},
                [](const AnyOf&) {},
            },
            leaf->form);
    }
}

void TriggerWatch::note(Leaf& leaf, std::int64_t value, const Moment& moment) {
    if (value > leaf.best) {
        leaf.best = value;
        leaf.best_at = moment.since_origin();
    }
}

bool TriggerWatch::partition_holds(const PartitionReaches& form, const Moment& moment, Leaf& leaf) {
    const metadata::PartitionRegistration* found =
        world::registration(moment.world, to_types(form.partition.value));
    if (found == nullptr) {
        return false;
    }
    bool holds = true;
    if (form.leader_epoch) {
        note(leaf, found->leader_epoch.value(), moment);
        holds = holds && found->leader_epoch.value() >= form.leader_epoch->value;
    }
    if (form.isr_size) {
        note(leaf, static_cast<std::int64_t>(found->isr.size()), moment);
        holds = holds && static_cast<std::int64_t>(found->isr.size()) == form.isr_size->value;
    }
    if (form.isr) {
        holds = holds && same_nodes(*form.isr, found->isr);
    }
    if (form.leader) {
        holds = holds && found->leader && broker_name(found->leader->value()) == form.leader->value;
    }
    if (form.high_watermark) {
        const std::optional<std::int64_t> hw = leader_high_watermark(form.partition.value, moment);
        leaf.best = form.isr_size ? -1 : leaf.best;
        note(leaf, hw.value_or(-1), moment);
        holds = holds && hw && *hw >= form.high_watermark->value;
    }
    return holds;
}

bool TriggerWatch::client_holds(const ClientReaches& form, const Moment& moment, Leaf& leaf) {
    const std::optional<sim::NodeId> node = moment.world.kernel().find_node(form.client.value);
    if (!node) {
        return false;
    }
    const ClientTotals totals = moment.counts.of(*node);
    bool holds = true;
    if (form.acked) {
        note(leaf, totals.acked, moment);
        holds = holds && totals.acked >= form.acked->value;
    }
    if (form.processed) {
        note(leaf, totals.processed, moment);
        holds = holds && totals.processed >= form.processed->value;
    }
    if (form.error) {
        const std::optional<types::ErrorCode> code = types::find_error(form.error->value);
        const auto seen =
            code ? totals.errors.find(static_cast<std::int64_t>(*code)) : totals.errors.end();
        holds = holds && seen != totals.errors.end() && seen->second > 0;
    }
    for (const sim::Event& event : moment.events) {
        if (event.node == node) {
            matched_ = event;
        }
    }
    return holds;
}

bool TriggerWatch::event_holds(const EventHappens& form, const Moment& moment, Leaf& leaf) {
    const std::optional<sim::EventKind> kind =
        moment.world.kernel().event_table().find(form.event.value);
    for (const sim::Event& event : moment.events) {
        if (kind == event.kind && leaf.seen < form.nth && event_matches(form, event, moment)) {
            ++leaf.seen;
            matched_ = event;
        }
    }
    note(leaf, leaf.seen, moment);
    return leaf.seen >= form.nth;
}

bool TriggerWatch::judge_leaf(const Trigger& trigger, const Moment& moment, Leaf& leaf) {
    const auto latch = [&](const PartitionName& partition,
                           std::optional<std::int64_t> value,
                           std::int64_t wanted) {
        note(leaf, value.value_or(-1), moment);
        const std::string name = to_text(partition);
        for (const sim::Event& event : moment.events) {
            const sim::Kernel& kernel = moment.world.kernel();
            if (event.kind == events::kLogAppended &&
                field_text(event, "partition", kernel) == name) {
                matched_ = event;
            }
        }
        return leaf.reached || (value && *value >= wanted);
    };
    return std::visit(
        overloaded{
            [&](const AtTime& f) { return moment.since_origin() >= f.at.value; },
            [&](const AfterStep& f) {
                const auto fired = moment.firings.find(f.step.value);
                const Duration delay = f.delay ? f.delay->value : Duration{};
                return fired != moment.firings.end() &&
                       moment.world.time() >= fired->second.first + delay;
            },
            [&](const LeaderAppended& f) {
                return latch(
                    f.partition.value, leader_log_end(f.partition.value, moment), f.records.value);
            },
            [&](const ReplicaFetched& f) {
                return latch(f.replica.value.partition,
                             replica_log_end(f.replica.value, moment),
                             f.records.value);
            },
            [&](const PartitionReaches& f) { return partition_holds(f, moment, leaf); },
            [](const GroupReaches&) { return false; },
            [&](const ClientReaches& f) { return client_holds(f, moment, leaf); },
            [&](const EventHappens& f) { return event_holds(f, moment, leaf); },
            [](const AllOf&) { return false; },
            [](const AnyOf&) { return false; },
        },
        trigger.form);
}

bool TriggerWatch::judge(const Trigger& trigger, const Moment& moment, std::size_t& next_leaf) {
    const std::vector<Trigger>* parts = parts_of(trigger);
    if (parts == nullptr) {
        if (next_leaf == leaves_.size()) {
            leaves_.emplace_back();
        }
        Leaf& leaf = leaves_[next_leaf];
        ++next_leaf;
        leaf.reached = judge_leaf(trigger, moment, leaf);
        return leaf.reached;
    }
    // Every part looks, also behind the one that decides: counts must see all events.
    bool all = !parts->empty();
    bool any = false;
    for (const Trigger& part : *parts) {
        const bool holds = judge(part, moment, next_leaf);
        all = all && holds;
        any = any || holds;
    }
    return std::holds_alternative<AllOf>(trigger.form) ? all : any;
}

bool TriggerWatch::look(const Trigger& trigger, const Moment& moment) {
    matched_.reset();
    std::size_t next_leaf = 0;
    const bool held = holds_;
    holds_ = judge(trigger, moment, next_leaf);
    return holds_ && !held;
}

void TriggerWatch::rearm(const Trigger& trigger, const Moment& moment) {
    for (Leaf& leaf : leaves_) {
        leaf.seen = 0;
    }
    const Moment quiet{moment.world, {}, moment.counts, moment.firings, moment.origin};
    std::size_t next_leaf = 0;
    const std::optional<sim::Event> matched = matched_;
    holds_ = judge(trigger, quiet, next_leaf);
    matched_ = matched;
}

std::optional<Time> TriggerWatch::next_time(const Trigger& trigger, const Moment& moment) const {
    std::vector<const Trigger*> leaves;
    flatten(trigger, leaves);
    std::optional<Time> next;
    for (const Trigger* leaf : leaves) {
        std::optional<Time> at;
        if (const auto* time = std::get_if<AtTime>(&leaf->form)) {
            at = moment.origin + time->at.value;
        }
        if (const auto* after = std::get_if<AfterStep>(&leaf->form)) {
            const auto fired = moment.firings.find(after->step.value);
            if (fired != moment.firings.end()) {
                at = fired->second.first + (after->delay ? after->delay->value : Duration{});
            }
        }
        if (at && *at > moment.world.time() && (!next || *at < *next)) {
            next = at;
        }
    }
    return next;
}

std::string TriggerWatch::nearest(const Trigger& trigger) const {
    std::vector<const Trigger*> leaves;
    flatten(trigger, leaves);
    for (std::size_t i = 0; i < leaves.size() && i < leaves_.size(); ++i) {
        const std::string name = quantity(*leaves[i]);
        if (leaves_[i].reached || name.empty()) {
            continue;
        }
        if (leaves_[i].best < 0) {
            return fmt::format("{} never had a value", name);
        }
        return fmt::format(
            "{} reached {} at {}", name, leaves_[i].best, seconds_text(leaves_[i].best_at));
    }
    return {};
}

}  // namespace klab::scenario
