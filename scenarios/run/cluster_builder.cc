// SPDX-License-Identifier: Apache-2.0
//
// Cluster, topics, clients and chaos of a scenario.
#include <charconv>
#include <cmath>
#include <utility>

#include "scenarios/run/scenario_builder.h"

namespace klab::scenario {

namespace {

std::optional<At<DiskKind>> read_disk_kind(const Json* json) {
    const std::optional<At<std::string>> word = read_text(json);
    if (!word) {
        return std::nullopt;
    }
    if (word->value == "hdd") {
        return At<DiskKind>{DiskKind::kHdd, word->where};
    }
    if (word->value == "ssd") {
        return At<DiskKind>{DiskKind::kSsd, word->where};
    }
    if (word->value == "nvme") {
        return At<DiskKind>{DiskKind::kNvme, word->where};
    }
    return std::nullopt;
}

/// A number from 0 to 1 in millionths, rounded.
std::optional<At<Share>> read_share(const Json* json) {
    const bool number =
        json != nullptr && (json->is(JsonKind::kNumber) || json->is(JsonKind::kInteger));
    double share = 0;
    if (number) {
        std::from_chars(json->text.data(), json->text.data() + json->text.size(), share);
    }
    if (!number || share < 0 || share > 1) {
        return std::nullopt;
    }
    return At<Share>{{static_cast<std::uint32_t>(std::llround(share * 1'000'000))}, json->where};
}

NetworkSpec build_network(const Json* json, Findings& findings) {
    NetworkSpec out;
    if (json == nullptr) {
        return out;
    }
    out.latency = read_spread(json->find("latency"), findings);
    out.loss = read_share(json->find("loss"));
    if (const auto bandwidth = read_text(json->find("bandwidth"))) {
        if (const auto bytes = parse_bandwidth(bandwidth->value)) {
            out.bytes_per_second = At<std::int64_t>{*bytes, bandwidth->where};
        }
    }
    return out;
}

NodeSpec build_node(const JsonMember& member, Findings& findings) {
    const Json& json = member.value;
    NodeSpec out;
    out.name = {member.key, member.key_where};
    out.disk = read_disk_kind(json.find("disk"));
    out.rack = read_text(json.find("rack"));
    out.clock_offset = read_shift(json.find("clock"));
    out.drift_ppm = read_integer(json.find("drift_ppm"));
    out.config = read_settings(json.find("config"));
    if (const Json* pause = json.find("heap_pause")) {
        out.heap_pause_every = read_spread(pause->find("every"), findings);
        out.heap_pause_for = read_spread(pause->find("for"), findings);
    }
    return out;
}

SendSpec build_send(const Json& json) {
    SendSpec out;
    out.count = read_integer(json.find("count"));
    if (const auto every = read_duration(json.find("every"))) {
        out.every = every->value;
    }
    out.to = read_partition(json.find("to"));
    out.per_transaction = read_integer(json.find("per_transaction"));
    out.value_bytes = read_integer(json.find("value_bytes"));
    const Json* tombstones = json.find("tombstones");
    if (tombstones != nullptr && tombstones->is(JsonKind::kList)) {
        for (const Json& number : tombstones->elements) {
            if (const auto record = read_integer(&number)) {
                out.tombstones.push_back(record->value);
            }
        }
    }
    const Json* keys = json.find("keys");
    if (keys != nullptr && keys->is(JsonKind::kList)) {
        for (const Json& key : keys->elements) {
            out.keys.push_back(key.is(JsonKind::kText) ? std::optional<std::string>(key.text)
                                                       : std::nullopt);
        }
    }
    return out;
}

ProducerSpec build_producer(const Json& json) {
    ProducerSpec out;
    out.topic = read_text(json.find("topic"));
    const Json* send = json.find("send");
    if (send != nullptr && send->is(JsonKind::kObject)) {
        out.send = At<SendSpec>{build_send(*send), send->where};
    }
    return out;
}

CommitStyle commit_style(const std::string& word) {
    if (word == "before") {
        return CommitStyle::kBefore;
    }
    if (word == "after") {
        return CommitStyle::kAfter;
    }
    return word == "never" ? CommitStyle::kNever : CommitStyle::kAuto;
}

ConsumerSpec build_consumer(const Json& json) {
    ConsumerSpec out;
    out.group = read_text(json.find("group"));
    out.topics = read_texts(json.find("topics"));
    const Json* assign = json.find("assign");
    if (assign != nullptr && assign->is(JsonKind::kList)) {
        for (const Json& element : assign->elements) {
            if (std::optional<At<PartitionName>> partition = read_partition(&element)) {
                out.assign.push_back(std::move(*partition));
            }
        }
    }
    if (const Json* work = json.find("work")) {
        if (const auto time = read_duration(work->find("per_record"))) {
            out.work_per_record = time->value;
        }
        if (const auto commit = read_text(work->find("commit"))) {
            out.commit = commit_style(commit->value);
        }
    }
    return out;
}

std::optional<ClientSpec> build_client(const Json& json) {
    ClientSpec out;
    out.config = read_settings(json.find("config"));
    out.note = read_lines(json.find("note"));
    if (const auto producer = read_text(json.find("producer"))) {
        out.name = *producer;
        out.kind = build_producer(json);
        return out;
    }
    if (const auto consumer = read_text(json.find("consumer"))) {
        out.name = *consumer;
        out.kind = build_consumer(json);
        return out;
    }
    if (const auto admin = read_text(json.find("admin"))) {
        out.name = *admin;
        out.kind = AdminSpec{};
        return out;
    }
    return std::nullopt;
}

DiskSpec build_disk(const Json& json, Findings& findings) {
    DiskSpec out;
    out.kind = read_disk_kind(json.find("kind"));
    out.write = read_spread(json.find("write"), findings);
    out.flush_every = read_duration(json.find("flush_every"));
    return out;
}

}  // namespace

ClusterSpec build_cluster(const Json* json, ReadContext context) {
    ClusterSpec out;
    if (json == nullptr || !json->is(JsonKind::kObject)) {
        return out;
    }
    if (const auto brokers = read_integer(json->find("brokers"))) {
        out.brokers = *brokers;
    }
    if (const auto controllers = read_integer(json->find("controllers"))) {
        out.controllers = *controllers;
    }
    out.combined = read_boolean(json->find("combined"), false);
    out.zookeeper = read_integer(json->find("zookeeper"));
    out.racks = read_texts(json->find("racks"));
    out.config = read_settings(json->find("config"));
    out.features = read_settings(json->find("features"));
    out.mutant = read_text(json->find("mutant"));
    const Json* nodes = json->find("nodes");
    if (nodes != nullptr && nodes->is(JsonKind::kObject)) {
        for (const JsonMember& member : nodes->members) {
            out.nodes.push_back(build_node(member, context.findings));
        }
    }
    out.network = build_network(json->find("network"), context.findings);
    const Json* disk = json->find("disk");
    if (disk != nullptr && disk->is(JsonKind::kObject)) {
        out.disk = At<DiskSpec>{build_disk(*disk, context.findings), disk->where};
    }
    out.note = read_lines(json->find("note"));
    return out;
}

std::vector<At<std::int64_t>> read_broker_ids(const Json& json) {
    std::vector<At<std::int64_t>> ids;
    for (const Json& id : json.elements) {
        if (const auto broker = read_integer(&id)) {
            ids.push_back(*broker);
        }
    }
    return ids;
}

TopicSpec build_topic(const Json& json) {
    TopicSpec out;
    if (const auto name = read_text(json.find("name"))) {
        out.name = *name;
    }
    if (const auto partitions = read_integer(json.find("partitions"))) {
        out.partitions = *partitions;
    }
    if (const auto replicas = read_integer(json.find("replicas"))) {
        out.replicas = *replicas;
    }
    const Json* assignment = json.find("assignment");
    if (assignment != nullptr && assignment->is(JsonKind::kList)) {
        out.assignment_where = assignment->where;
        for (const Json& replicas : assignment->elements) {
            out.assignment.push_back(read_broker_ids(replicas));
        }
    }
    out.config = read_settings(json.find("config"));
    out.note = read_lines(json.find("note"));
    return out;
}

std::vector<TopicSpec> build_topics(const Json* json) {
    std::vector<TopicSpec> out;
    if (json == nullptr) {
        return out;
    }
    for (const Json& element : json->elements) {
        if (element.is(JsonKind::kObject)) {
            out.push_back(build_topic(element));
        }
    }
    return out;
}

std::vector<ClientSpec> build_clients(const Json* json) {
    std::vector<ClientSpec> out;
    if (json == nullptr) {
        return out;
    }
    for (const Json& element : json->elements) {
        if (std::optional<ClientSpec> client = build_client(element)) {
            out.push_back(std::move(*client));
        }
    }
    return out;
}

std::optional<ChaosSpec> build_chaos(const Json* json, ReadContext context) {
    if (json == nullptr || !json->is(JsonKind::kObject)) {
        return std::nullopt;
    }
    ChaosSpec out;
    out.where = json->where;
    if (const auto during = read_spread(json->find("during"), context.findings)) {
        out.from = during->value.low;
        out.to = during->value.high;
    }
    if (const auto quiet = read_duration(json->find("then_quiet"))) {
        out.then_quiet = quiet->value;
    }
    const Json* faults = json->find("faults");
    if (faults == nullptr || !faults->is(JsonKind::kObject)) {
        return out;
    }
    for (const JsonMember& member : faults->members) {
        ChaosFault fault;
        fault.kind = {member.key, member.key_where};
        if (const auto every = read_spread(member.value.find("every"), context.findings)) {
            fault.every = every->value;
        }
        if (const auto down = read_spread(member.value.find("down"), context.findings)) {
            fault.down = down->value;
        }
        if (const auto most = read_integer(member.value.find("at_most"))) {
            fault.at_most = most->value;
        }
        out.faults.push_back(std::move(fault));
    }
    return out;
}

}  // namespace klab::scenario
