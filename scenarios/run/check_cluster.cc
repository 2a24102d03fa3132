// SPDX-License-Identifier: Apache-2.0
//
// Version, features, mutants, node entries and topics.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/run/json_values.h"
#include "scenarios/run/semantic_checks.h"

namespace klab::scenario {

namespace {

constexpr std::int64_t kPartitionsMax = 1'000'000;
constexpr std::int64_t kNodesMax = 100'000;

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

void check_version(const CheckContext& context) {
    const At<std::string>& kafka = context.scenario.kafka;
    const std::vector<std::string> known = context.words.versions();
    if (known.empty() || contains(known, kafka.value)) {
        return;
    }
    Finding finding = make_finding("S034",
                                   fmt::format("klab has no rules for Kafka \"{}\"", kafka.value),
                                   kafka.where,
                                   fmt::format("known: {}", fmt::join(known, ", ")));
    context.findings.add(std::move(finding));
}

void check_feature(const Setting& feature, const CheckContext& context) {
    const std::vector<FeatureInfo> known = context.words.features();
    if (known.empty()) {
        return;
    }
    const auto found = std::find_if(known.begin(), known.end(), [&](const FeatureInfo& info) {
        return info.name == feature.name.value;
    });
    if (found == known.end()) {
        std::vector<std::string> names;
        names.reserve(known.size());
        for (const FeatureInfo& info : known) {
            names.push_back(info.name);
        }
        context.findings.add(
            unknown_word("S035", "feature", feature.name.value, feature.name.where, names));
        return;
    }
    if (!contains(found->values, feature.value.value)) {
        Finding finding =
            unknown_word("S035", "value", feature.value.value, feature.value.where, found->values);
        finding.message =
            fmt::format("\"{}\" is no value of {}", feature.value.value, feature.name.value);
        context.findings.add(std::move(finding));
    } else if (!found->modelled && feature.value.value != found->values.front()) {
        context.findings.add(
            make_finding("S050",
                         fmt::format("{} = {} is not supported by this version of klab",
                                     feature.name.value,
                                     feature.value.value),
                         feature.value.where,
                         fmt::format("only {} so far", found->values.front())));
    }
}

void check_mutant(const CheckContext& context) {
    const std::optional<At<std::string>>& mutant = context.scenario.cluster.mutant;
    const std::vector<std::string> known = context.words.mutants();
    if (!mutant || known.empty() || contains(known, mutant->value)) {
        return;
    }
    context.findings.add(unknown_word("S036", "mutant", mutant->value, mutant->where, known));
}

void check_nodes(const CheckContext& context) {
    for (const NodeSpec& node : context.scenario.cluster.nodes) {
        check_node(context.names, node.name.value, node.name.where, context.findings);
        const std::vector<At<std::string>>& racks = context.scenario.cluster.racks;
        const bool known = !node.rack || racks.empty() ||
                           std::any_of(racks.begin(), racks.end(), [&](const auto& rack) {
                               return rack.value == node.rack->value;
                           });
        if (!known) {
            std::vector<std::string> names;
            names.reserve(racks.size());
            for (const At<std::string>& rack : racks) {
                names.push_back(rack.value);
            }
            context.findings.add(
                unknown_word("S020", "rack", node.rack->value, node.rack->where, names));
        }
    }
}

/// A decision on a link stands under both ends, every other one under its node.
void check_override_place(const Override& fixed, const CheckContext& context) {
    const bool on_link = fixed.site.value.rfind("net.", 0) == 0;
    const std::string text = fixed.node ? fixed.node->value : "";
    const std::size_t arrow = text.find("->");
    if (!fixed.node || on_link != (arrow != std::string::npos)) {
        context.findings.add(make_finding(
            "S038",
            fmt::format("{} is a choice of {}", fixed.site.value, on_link ? "a link" : "a node"),
            fixed.node ? fixed.node->where : fixed.site.where,
            on_link ? "\"node\": \"p1->b1\"" : "\"node\": \"b1\""));
        return;
    }
    for (const std::string& name :
         on_link ? std::vector<std::string>{text.substr(0, arrow), text.substr(arrow + 2)}
                 : std::vector<std::string>{text}) {
        check_node(context.names, name, fixed.node->where, context.findings);
    }
}

void check_overrides(const CheckContext& context) {
    const std::vector<std::string> known = context.words.choice_sites();
    for (const Override& fixed : context.scenario.overrides) {
        if (!known.empty() && !contains(known, fixed.site.value)) {
            context.findings.add(
                unknown_word("S038", "choice", fixed.site.value, fixed.site.where, known));
            continue;
        }
        check_override_place(fixed, context);
    }
}

void check_replica_list(const TopicSpec& topic,
                        const std::vector<At<std::int64_t>>& replicas,
                        const CheckContext& context) {
    std::set<std::int64_t> seen;
    for (const At<std::int64_t>& id : replicas) {
        if (id.value < 1 || id.value > context.names.brokers) {
            context.findings.add(
                make_finding("S028",
                             fmt::format("topic {} is assigned to broker {}, which does not exist",
                                         topic.name.value,
                                         id.value),
                             id.where,
                             fmt::format("broker ids go from 1 to {}", context.names.brokers)));
        } else if (!seen.insert(id.value).second) {
            context.findings.add(make_finding(
                "S028",
                fmt::format("broker {} stands twice among the replicas of one partition", id.value),
                id.where,
                "a broker holds one replica of a partition"));
        }
    }
    if (replicas.empty()) {
        context.findings.add(
            make_finding("S028",
                         fmt::format("a partition of topic {} has no replica", topic.name.value),
                         topic.assignment_where,
                         "each partition needs at least one broker id"));
    } else if (replicas.size() != topic.assignment.front().size()) {
        context.findings.add(make_finding(
            "S028",
            fmt::format("the partitions of topic {} have different numbers of replicas",
                        topic.name.value),
            replicas.front().where,
            fmt::format("the first has {}", topic.assignment.front().size())));
    }
}

bool is_topic_name(const std::string& name) {
    const bool characters = std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '_' || c == '-';
    });
    return characters && !name.empty() && name.size() <= 249 && name != "." && name != "..";
}

void check_topic_size(const TopicSpec& topic, const CheckContext& context) {
    if (!topic.assignment.empty()) {
        const auto assigned = static_cast<std::int64_t>(topic.assignment.size());
        const bool said = topic.partitions.where != Span{};
        if (said && topic.partitions.value != assigned) {
            context.findings.add(
                make_finding("S028",
                             fmt::format("topic {} has {} partitions, but {} are assigned",
                                         topic.name.value,
                                         topic.partitions.value,
                                         assigned),
                             topic.partitions.where,
                             fmt::format("the assignment has {}", assigned)));
        }
        return;
    }
    if (topic.partitions.value > kPartitionsMax) {
        context.findings.add(make_finding("S017",
                                          "more partitions than memory can hold",
                                          topic.partitions.where,
                                          fmt::format("at most {}", kPartitionsMax)));
    }
    if (topic.replicas.value > context.names.brokers && context.names.brokers > 0) {
        const bool said = topic.replicas.where != Span{};
        Finding finding = make_finding(
            "S029",
            fmt::format("topic {} wants {} replicas, the cluster has {} broker{}",
                        topic.name.value,
                        topic.replicas.value,
                        context.names.brokers,
                        context.names.brokers == 1 ? "" : "s"),
            said ? topic.replicas.where : topic.name.where,
            said ? "at most one replica a broker" : "the default is 3: say \"replicas\"");
        context.findings.add(std::move(finding));
    }
}

}  // namespace

void check_topic_spec(const TopicSpec& topic, const CheckContext& context) {
    if (topic.name.where != Span{} && !is_topic_name(topic.name.value)) {
        context.findings.add(
            make_finding("S019",
                         fmt::format("\"{}\" is no name for a topic", topic.name.value),
                         topic.name.where,
                         "letters, digits, . _ and -, at most 249 of them"));
    }
    check_topic_size(topic, context);
    for (const std::vector<At<std::int64_t>>& replicas : topic.assignment) {
        check_replica_list(topic, replicas, context);
    }
}

void check_cluster(const CheckContext& context) {
    check_version(context);
    const ClusterSpec& cluster = context.scenario.cluster;
    if (cluster.brokers.value > kNodesMax) {
        context.findings.add(make_finding("S017",
                                          "more brokers than memory can hold",
                                          cluster.brokers.where,
                                          fmt::format("at most {}", kNodesMax)));
    }
    for (const Setting& feature : context.scenario.cluster.features) {
        check_feature(feature, context);
    }
    check_mutant(context);
    check_nodes(context);
    check_overrides(context);
    std::set<std::string> seen;
    for (const TopicSpec& topic : context.scenario.topics) {
        check_topic_spec(topic, context);
        if (!seen.insert(topic.name.value).second) {
            context.findings.add(
                make_finding("S025",
                             fmt::format("two topics are called \"{}\"", topic.name.value),
                             topic.name.where,
                             "given before"));
        }
    }
}

}  // namespace klab::scenario
