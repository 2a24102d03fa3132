// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/name_table.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/run/did_you_mean.h"

namespace klab::scenario {

namespace {

constexpr std::int64_t kNamesMax = 200;  // candidates for did-you-mean
constexpr std::size_t kListedMax = 12;
constexpr std::int64_t kBrokersMax = 100'000;

void add_topic(const TopicSpec& topic, NameTable& names) {
    TopicNames& entry = names.topics[topic.name.value];
    entry.partitions = topic.assignment.empty()
                           ? topic.partitions.value
                           : static_cast<std::int64_t>(topic.assignment.size());
    entry.replicas.clear();
    for (const std::vector<At<std::int64_t>>& replicas : topic.assignment) {
        std::vector<std::string> nodes;
        for (const At<std::int64_t>& id : replicas) {
            nodes.push_back(fmt::format("b{}", id.value));
        }
        entry.replicas.push_back(std::move(nodes));
    }
}

void add_created_topics(const Scenario& scenario, NameTable& names) {
    for (const Step& step : scenario.timeline) {
        for (const Action& action : step.actions) {
            const auto* other = std::get_if<OtherAction>(&action.act);
            const auto* create = other == nullptr ? nullptr : std::get_if<CreateTopic>(other);
            if (create != nullptr && names.topics.count(create->topic.name.value) == 0) {
                add_topic(create->topic, names);
            }
            const auto* alter = other == nullptr ? nullptr : std::get_if<AlterTopic>(other);
            const auto grown =
                alter == nullptr ? names.topics.end() : names.topics.find(alter->topic.value);
            if (grown != names.topics.end() && grown->second.partitions) {
                grown->second.partitions =
                    std::max(*grown->second.partitions, alter->partitions.value);
            }
        }
    }
}

template <typename Map>
std::vector<std::string> keys_of(const Map& map) {
    std::vector<std::string> keys;
    for (const auto& entry : map) {
        if (keys.size() == static_cast<std::size_t>(kNamesMax)) {
            break;
        }
        keys.push_back(entry.first);
    }
    return keys;
}

}  // namespace

bool NameTable::has_broker(std::string_view name) const {
    const std::optional<NumberedNode> node = parse_numbered_node(name);
    return node && node->kind == NodeKind::kBroker && node->number <= brokers;
}

bool NameTable::has_node(std::string_view name) const {
    if (clients.find(name) != clients.end() || has_broker(name)) {
        return true;
    }
    const std::optional<NumberedNode> node = parse_numbered_node(name);
    if (!node) {
        return false;
    }
    return (node->kind == NodeKind::kController && node->number <= controllers) ||
           (node->kind == NodeKind::kZookeeper && node->number <= zookeeper);
}

std::vector<std::string> NameTable::node_names() const {
    std::vector<std::string> out;
    for (std::int64_t i = 1; i <= std::min(brokers, kNamesMax); ++i) {
        out.push_back(fmt::format("b{}", i));
    }
    for (std::int64_t i = 1; i <= std::min(controllers, kNamesMax); ++i) {
        out.push_back(fmt::format("k{}", i));
    }
    for (std::int64_t i = 1; i <= std::min(zookeeper, kNamesMax); ++i) {
        out.push_back(fmt::format("z{}", i));
    }
    const std::vector<std::string> names = keys_of(clients);
    out.insert(out.end(), names.begin(), names.end());
    return out;
}

NameTable names_of(const Scenario& scenario) {
    NameTable names;
    // Without a readable number every broker counts as known: one error is enough.
    const At<std::int64_t>& brokers = scenario.cluster.brokers;
    names.brokers = brokers.where == Span{} || brokers.value < 1 ? kBrokersMax : brokers.value;
    if (scenario.cluster.zookeeper) {
        names.zookeeper = scenario.cluster.zookeeper->value;
    } else {
        names.controllers = scenario.cluster.controllers.value;
    }
    for (const TopicSpec& topic : scenario.topics) {
        add_topic(topic, names);
    }
    add_created_topics(scenario, names);
    for (const ClientSpec& client : scenario.clients) {
        names.clients.emplace(client.name.value, client.role());
        const auto* consumer = std::get_if<ConsumerSpec>(&client.kind);
        if (consumer != nullptr && consumer->group) {
            names.groups.push_back(consumer->group->value);
        }
    }
    for (const Step& step : scenario.timeline) {
        if (step.id) {
            names.steps.push_back(step.id->value);
        }
    }
    return names;
}

Finding unknown_word(std::string code,
                     std::string_view what,
                     std::string_view word,
                     Span where,
                     const std::vector<std::string>& known) {
    Finding finding;
    finding.code = std::move(code);
    finding.message = fmt::format("unknown {} \"{}\"", what, word);
    finding.where = where;
    finding.label = fmt::format("no such {}", what);
    if (const auto near = nearest_word(word, known)) {
        finding.label = fmt::format("did you mean \"{}\"?", *near);
        finding.suggestions.push_back({std::string(word), *near});
    }
    if (!known.empty() && known.size() <= kListedMax) {
        finding.help.push_back(fmt::format("known: {}", fmt::join(known, ", ")));
    }
    return finding;
}

bool check_node(const NameTable& names, std::string_view name, Span where, Findings& findings) {
    if (names.has_node(name)) {
        return true;
    }
    if (findings.full()) {
        return false;
    }
    Finding finding = unknown_word("S020", "node", name, where, names.node_names());
    const std::optional<NumberedNode> node = parse_numbered_node(name);
    if (node && node->kind != NodeKind::kClient) {
        const bool broker = node->kind == NodeKind::kBroker;
        const bool voter = node->kind == NodeKind::kController;
        const std::int64_t count =
            broker ? names.brokers : (voter ? names.controllers : names.zookeeper);
        const std::string_view kind = broker ? "broker" : (voter ? "controller" : "ZooKeeper node");
        const std::string last =
            count == 1 ? std::string() : fmt::format(" to {}{}", name.front(), count);
        finding.label = count == 0 ? fmt::format("the cluster has no {}", kind)
                                   : fmt::format("the cluster has {} {}{}: {}1{}",
                                                 count,
                                                 kind,
                                                 count == 1 ? "" : "s",
                                                 name.front(),
                                                 last);
        finding.suggestions.clear();
        finding.help.clear();
    }
    findings.add(std::move(finding));
    return false;
}

bool check_topic(const NameTable& names, std::string_view name, Span where, Findings& findings) {
    if (names.topics.find(name) != names.topics.end()) {
        return true;
    }
    if (findings.full()) {
        return false;
    }
    findings.add(unknown_word("S022", "topic", name, where, keys_of(names.topics)));
    return false;
}

bool check_partition(const NameTable& names,
                     const PartitionName& partition,
                     Span where,
                     Findings& findings) {
    const auto topic = names.topics.find(partition.topic);
    if (topic == names.topics.end()) {
        return check_topic(names, partition.topic, where, findings);
    }
    const std::optional<std::int64_t>& count = topic->second.partitions;
    if (!count || partition.partition < *count) {
        return true;
    }
    Finding finding;
    finding.code = "S021";
    finding.message = fmt::format("there is no partition {}", to_text(partition));
    finding.where = where;
    finding.label =
        *count == 1 ? fmt::format("{} has one partition: {}-0", partition.topic, partition.topic)
                    : fmt::format("{} has {} partitions: {}-0 to {}-{}",
                                  partition.topic,
                                  *count,
                                  partition.topic,
                                  partition.topic,
                                  *count - 1);
    findings.add(std::move(finding));
    return false;
}

bool check_replica(const NameTable& names,
                   const ReplicaName& replica,
                   Span where,
                   Findings& findings) {
    if (!check_partition(names, replica.partition, where, findings) ||
        !check_node(names, replica.node, where, findings)) {
        return false;
    }
    Finding finding;
    finding.code = "S021";
    finding.message = fmt::format("there is no replica {}", to_text(replica));
    finding.where = where;
    if (!names.has_broker(replica.node)) {
        finding.label = fmt::format("{} is not a broker", replica.node);
        findings.add(std::move(finding));
        return false;
    }
    const auto& assigned = names.topics.find(replica.partition.topic)->second.replicas;
    const auto index = static_cast<std::size_t>(replica.partition.partition);
    if (index >= assigned.size()) {
        return true;
    }
    const std::vector<std::string>& nodes = assigned[index];
    if (std::find(nodes.begin(), nodes.end(), replica.node) != nodes.end()) {
        return true;
    }
    finding.label = fmt::format("{} is on {}", to_text(replica.partition), fmt::join(nodes, ", "));
    findings.add(std::move(finding));
    return false;
}

bool check_client(const NameTable& names, std::string_view name, Span where, Findings& findings) {
    if (names.clients.find(name) != names.clients.end()) {
        return true;
    }
    if (findings.full()) {
        return false;
    }
    findings.add(unknown_word("S023", "client", name, where, keys_of(names.clients)));
    return false;
}

bool check_step(const NameTable& names, std::string_view name, Span where, Findings& findings) {
    if (std::find(names.steps.begin(), names.steps.end(), name) != names.steps.end()) {
        return true;
    }
    if (findings.full()) {
        return false;
    }
    findings.add(unknown_word("S024", "step", name, where, names.steps));
    return false;
}

bool check_group(const NameTable& names, std::string_view name, Span where, Findings& findings) {
    if (std::find(names.groups.begin(), names.groups.end(), name) != names.groups.end()) {
        return true;
    }
    if (findings.full()) {
        return false;
    }
    findings.add(unknown_word("S023", "group", name, where, names.groups));
    return false;
}

}  // namespace klab::scenario
