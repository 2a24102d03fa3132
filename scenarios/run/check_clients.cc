// SPDX-License-Identifier: Apache-2.0
//
// Clients: their names, and the topics and partitions they use.
#include <set>
#include <string>

#include <fmt/format.h>

#include "scenarios/run/json_values.h"
#include "scenarios/run/semantic_checks.h"

namespace klab::scenario {

namespace {

void check_name(const ClientSpec& client,
                std::set<std::string>& seen,
                const CheckContext& context) {
    const At<std::string>& name = client.name;
    const std::optional<NumberedNode> node = parse_numbered_node(name.value);
    if (node) {
        context.findings.add(
            make_finding("S025",
                         fmt::format("a client cannot be called \"{}\"", name.value),
                         name.where,
                         "b1, k1, z1, ... are brokers, controllers, ZooKeeper nodes"));
    } else if (name.value == "operator") {
        context.findings.add(make_finding("S025",
                                          "a client cannot be called \"operator\"",
                                          name.where,
                                          "klab's own admin client has that name"));
    } else if (!seen.insert(name.value).second) {
        context.findings.add(make_finding("S025",
                                          fmt::format("two clients are called \"{}\"", name.value),
                                          name.where,
                                          "given before"));
    }
}

void check_producer(const ClientSpec& client, const ProducerSpec& producer, const CheckContext& c) {
    if (producer.topic) {
        check_topic(c.names, producer.topic->value, producer.topic->where, c.findings);
    }
    if (!producer.send) {
        return;
    }
    const SendSpec& send = producer.send->value;
    if (!producer.topic && !send.to) {
        c.findings.add(
            make_finding("S012",
                         fmt::format("producer {} does not say where it sends", client.name.value),
                         client.name.where,
                         "needs \"topic\", or \"to\" in \"send\""));
    }
    if (!send.to) {
        return;
    }
    check_partition(c.names, send.to->value, send.to->where, c.findings);
    if (producer.topic && producer.topic->value != send.to->value.topic) {
        c.findings.add(
            make_finding("S015",
                         fmt::format("producer {} sends to topic {}, but to partition {}",
                                     client.name.value,
                                     producer.topic->value,
                                     to_text(send.to->value)),
                         send.to->where,
                         "of another topic"));
    }
}

void check_consumer(const ClientSpec& client, const ConsumerSpec& consumer, const CheckContext& c) {
    for (const At<std::string>& topic : consumer.topics) {
        check_topic(c.names, topic.value, topic.where, c.findings);
    }
    for (const At<PartitionName>& partition : consumer.assign) {
        check_partition(c.names, partition.value, partition.where, c.findings);
    }
    const bool subscribes = !consumer.topics.empty();
    const bool assigns = !consumer.assign.empty();
    if (subscribes == assigns) {
        c.findings.add(make_finding(subscribes ? "S015" : "S012",
                                    fmt::format("consumer {} {}",
                                                client.name.value,
                                                subscribes ? "has both \"topics\" and \"assign\""
                                                           : "does not say what it reads"),
                                    client.name.where,
                                    "\"assign\" partitions, or \"topics\" with a \"group\""));
    } else if (subscribes && !consumer.group) {
        c.findings.add(
            make_finding("S012",
                         fmt::format("consumer {} subscribes without a group", client.name.value),
                         client.name.where,
                         "\"group\" is missing"));
    }
}

}  // namespace

void check_clients(const CheckContext& context) {
    std::set<std::string> seen;
    for (const ClientSpec& client : context.scenario.clients) {
        check_name(client, seen, context);
        if (const auto* producer = std::get_if<ProducerSpec>(&client.kind)) {
            check_producer(client, *producer, context);
        }
        if (const auto* consumer = std::get_if<ConsumerSpec>(&client.kind)) {
            check_consumer(client, *consumer, context);
        }
    }
}

}  // namespace klab::scenario
