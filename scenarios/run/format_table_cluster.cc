// SPDX-License-Identifier: Apache-2.0
//
// Cluster, topics, clients and chaos in the format table.
#include <utility>

#include "scenarios/run/format_table.h"

namespace klab::scenario::format {

namespace {

Shape object_shape(std::string name, std::string title, std::vector<Field> fields) {
    Shape out;
    out.name = std::move(name);
    out.title = std::move(title);
    out.kind = ShapeKind::kObject;
    out.fields = std::move(fields);
    return out;
}

Shape choice_shape(std::string name, std::string title, std::vector<std::string> words) {
    Shape out;
    out.name = std::move(name);
    out.title = std::move(title);
    out.kind = ShapeKind::kChoice;
    out.words = std::move(words);
    return out;
}

Shape list_shape(std::string name, std::string title, std::string element, std::uint32_t min) {
    Shape out;
    out.name = std::move(name);
    out.title = std::move(title);
    out.kind = ShapeKind::kList;
    out.element = std::move(element);
    out.items_min = min;
    return out;
}

Shape map_shape(std::string name, std::string title, TextRule keys, std::string element) {
    Shape out;
    out.name = std::move(name);
    out.title = std::move(title);
    out.kind = ShapeKind::kMap;
    out.rule = keys;
    out.element = std::move(element);
    return out;
}

/// Far above any max.message.bytes that is of use.
Shape value_size_shape() {
    Shape out;
    out.name = "value-size";
    out.title = "a size in bytes";
    out.kind = ShapeKind::kInteger;
    out.minimum = 0;
    out.maximum = 16 * 1024 * 1024;
    return out;
}

Shape cluster_shape() {
    Shape out = object_shape(
        "cluster",
        "the cluster",
        {
            {"brokers", "positive", "How many; they are called b1, b2, ...", true},
            {"controllers", "voters", "KRaft voters, called k1, k2, ...", false, "1"},
            {"combined",
             "boolean",
             "Voters run in brokers instead of nodes of their own.",
             false,
             "false"},
            {"zookeeper", "positive", "ZooKeeper nodes, instead of controllers."},
            {"racks", "names", "Racks; broker n stands in rack n modulo their number."},
            {"config", "config", "Broker settings under their Kafka names."},
            {"features", "features", "Protocol rules that differ from the version's."},
            {"mutant", "name", "One deliberately wrong rule."},
            {"nodes", "nodes", "What is different on single nodes."},
            {"network", "network", "Latency, loss and bandwidth of every link."},
            {"disk", "disk", "The disk of every node."},
            {"note", "text", "For the reader of the file."},
        });
    out.comments = true;
    out.not_both = {"controllers", "zookeeper"};
    return out;
}

std::vector<Shape> cluster_parts() {
    Shape voters;
    voters.name = "voters";
    voters.title = "a number of voters";
    voters.kind = ShapeKind::kInteger;
    voters.minimum = 1;
    voters.maximum = 9;
    Shape ratio;
    ratio.name = "ratio";
    ratio.title = "a share";
    ratio.kind = ShapeKind::kNumber;
    ratio.minimum = 0;
    ratio.maximum = 1;
    ratio.doc = "From 0 (never) to 1 (always).";
    Shape scalar;
    scalar.name = "setting";
    scalar.title = "the value of a setting";
    scalar.kind = ShapeKind::kScalar;
    return {
        cluster_shape(),
        voters,
        ratio,
        scalar,
        list_shape("names", "a list of names", "name", 0),
        map_shape("config", "a configuration", TextRule::kAny, "setting"),
        map_shape("features", "a set of protocol rules", TextRule::kAny, "setting"),
        map_shape("nodes", "the nodes", TextRule::kName, "node"),
        object_shape("network",
                     "the network",
                     {{"latency", "spread", "Time of one message from node to node."},
                      {"loss", "ratio", "Share of packets that TCP must send again."},
                      {"bandwidth", "bandwidth", "Of each link, for example 100MB/s."}}),
        choice_shape("disk-kind", "a kind of disk", {"hdd", "ssd", "nvme"}),
        object_shape(
            "disk",
            "a disk",
            {{"kind", "disk-kind", "hdd, ssd or nvme."},
             {"write", "spread", "Time of one write."},
             {"flush_every", "duration", "How often the system writes dirty pages back."}}),
        object_shape("node",
                     "a node",
                     {{"disk", "disk-kind", "Its disk."},
                      {"rack", "name", "Its rack."},
                      {"clock", "shift", "Offset of its wall clock from true time."},
                      {"drift_ppm", "whole", "Millionths by which its wall clock runs fast."},
                      {"heap_pause", "heap-pause", "Pauses like those of garbage collection."},
                      {"config", "config", "Settings of this node only."}}),
        object_shape("heap-pause",
                     "a heap pause",
                     {{"every", "spread", "Time from one to the next.", true},
                      {"for", "spread", "How long one lasts.", true}}),
    };
}

std::vector<Shape> topic_parts() {
    Shape topic = object_shape(
        "topic",
        "a topic",
        {{"name", "string", "Its name.", true},
         {"partitions", "positive", "How many.", false, "1"},
         {"replicas", "positive", "Copies of each partition.", false, "3"},
         {"assignment", "assignment", "Broker ids for each partition, preferred leader first."},
         {"config", "config", "Topic settings under their Kafka names."},
         {"note", "text", "For the reader of the file."}});
    topic.comments = true;
    return {list_shape("topics", "a list of topics", "topic", 0),
            topic,
            list_shape("assignment", "an assignment", "integers", 0)};
}

std::vector<Form> client_forms() {
    const std::vector<Field> shared = {
        {"config", "config", "Client settings under their Kafka names."},
        {"note", "text", "For the reader of the file."},
    };
    std::vector<Form> forms = {
        {"a client with \"producer\"",
         {{"producer", "name", "The name of this producer.", true},
          {"topic", "string", "The topic it sends to."},
          {"send", "send", "What it sends and when."}}},
        {"a client with \"consumer\"",
         {{"consumer", "name", "The name of this consumer.", true},
          {"group", "string", "Its consumer group."},
          {"topics", "strings", "Topics it subscribes to, with a group."},
          {"assign", "partitions", "Its own choice of partitions, instead of topics."},
          {"work", "work", "What it does with a record."}}},
        {"a client with \"admin\"", {{"admin", "name", "The name of this admin client.", true}}},
    };
    for (Form& form : forms) {
        form.fields.insert(form.fields.end(), shared.begin(), shared.end());
    }
    return forms;
}

std::vector<Shape> client_parts() {
    Shape client;
    client.name = "client";
    client.title = "a client";
    client.kind = ShapeKind::kForms;
    client.comments = true;
    client.forms = client_forms();
    Shape key;
    key.name = "key";
    key.title = "a key";
    key.kind = ShapeKind::kAlternatives;
    key.alternatives = {"string", "no-key"};
    Shape no_key;
    no_key.name = "no-key";
    no_key.title = "no key";
    no_key.kind = ShapeKind::kNull;
    return {
        list_shape("clients", "a list of clients", "client", 0),
        client,
        object_shape(
            "send",
            "a send",
            {{"count", "positive", "How many records; without it, no end."},
             {"every", "duration", "Time from one call of send to the next.", false, "\"10ms\""},
             {"keys", "keys", "Keys of the records, taken in turn; null is no key."},
             {"to", "partition-name", "Always this partition."},
             {"value_bytes", "value-size", "Size to which the values are padded."},
             {"tombstones", "numbers", "Records without a value, by their number, counted from 0."},
             {"per_transaction", "positive", "Records in one transaction."}}),
        value_size_shape(),
        list_shape("numbers", "a list of numbers", "not-negative", 0),
        list_shape("keys", "a list of keys", "key", 0),
        key,
        no_key,
        object_shape("work",
                     "the work of a consumer",
                     {{"per_record", "duration", "Time spent on each record."},
                      {"commit", "commit", "When offsets are committed.", false, "\"auto\""}}),
        choice_shape("commit", "a way to commit", {"before", "after", "auto", "never"}),
        list_shape("partitions", "a list of partitions", "partition-name", 1),
    };
}

std::vector<Shape> chaos_parts() {
    Shape faults = map_shape("faults", "the faults", TextRule::kAny, "fault");
    faults.words = {"crash", "power_off", "partition", "pause", "clock", "disk"};
    return {
        object_shape("chaos",
                     "chaos",
                     {{"during", "range", "From when to when faults happen.", true},
                      {"faults", "faults", "Which, and how often.", true},
                      {"then_quiet", "duration", "Time to recover before the end is judged."}}),
        faults,
        object_shape("fault",
                     "a random fault",
                     {{"every", "spread", "Time from one to the next.", true},
                      {"down", "spread", "How long one lasts."},
                      {"at_most", "positive", "Nodes that it may hold at one time."}}),
    };
}

}  // namespace

std::vector<Shape> cluster_shapes() {
    std::vector<Shape> out;
    for (const std::vector<Shape>& part :
         {cluster_parts(), topic_parts(), client_parts(), chaos_parts()}) {
        out.insert(out.end(), part.begin(), part.end());
    }
    return out;
}

}  // namespace klab::scenario::format
