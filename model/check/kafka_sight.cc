// SPDX-License-Identifier: Apache-2.0
//
// Looking up a Kafka world for the checks. See kafka_sight.h.
#include "model/check/kafka_sight.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "model/kafka_world/cluster_view.h"
#include "model/storage/log_reader.h"
#include "model/types/topic_config.h"

namespace klab::check {

namespace {

bool unclean_enabled(const world::KafkaWorld& world, const std::string& topic) {
    const types::ModelData& data = world.data();
    const metadata::MetadataImage* image = world::committed_image(world);
    if (image == nullptr || !data.rules.unclean_obeyed_in_kraft) {
        return false;
    }
    constexpr std::string_view kName = "unclean.leader.election.enable";
    const std::string* value = image->config({metadata::ConfigResourceKind::kTopic, topic}, kName);
    if (value == nullptr) {
        value = image->config({metadata::ConfigResourceKind::kBroker, ""}, kName);
    }
    if (value != nullptr) {
        const types::Setting* setting = types::find_setting(kName, types::Where::kTopic);
        const auto parsed = types::parse_setting(*setting, *value, data.rules.version);
        return parsed && std::holds_alternative<bool>(*parsed) && std::get<bool>(*parsed);
    }
    return types::topic_defaults_of(data.rules.version, data.cluster.config)
        .unclean_leader_election_enable;
}

const replication::Partition* find_replica(const world::KafkaWorld& world,
                                           const types::TopicPartition& partition,
                                           types::BrokerId broker) {
    return world::is_running(world, broker) ? world::replica(world, partition, broker) : nullptr;
}

/// A node's name and the metadata it has applied.
struct NamedImage {
    std::string name;
    const metadata::MetadataImage* image = nullptr;
};

}  // namespace

const std::string& KafkaSight::text(std::int64_t number) const {
    return world_.kernel().interner().text_of(number);
}

const std::vector<std::int32_t>& KafkaSight::list(std::int64_t number) const {
    return world_.kernel().interner().list_of(number);
}

std::int64_t KafkaSight::find_text(const std::string& text) const {
    return world_.kernel().interner().find_text(text);
}

Time KafkaSight::time() const { return world_.time(); }

bool KafkaSight::is_running(types::BrokerId broker) const {
    return world_.data().cluster.broker(broker) != nullptr && world::is_running(world_, broker);
}

bool KafkaSight::is_whole() const {
    const types::ClusterSpec& cluster = world_.data().cluster;
    const auto runs = [this](const auto& spec) {
        return world_.kernel().slot(spec.node).status == sim::NodeStatus::kRunning;
    };
    const auto open = [](const sim::LinkFault& link) { return !link.cut; };
    return std::ranges::all_of(cluster.brokers, runs) &&
           std::ranges::all_of(cluster.controllers, runs) &&
           std::ranges::all_of(world_.kernel().network().link_faults(), open);
}

std::optional<ReplicaSight> KafkaSight::replica(const types::TopicPartition& partition,
                                                types::BrokerId broker) const {
    const replication::Partition* found = find_replica(world_, partition, broker);
    if (found == nullptr) {
        return std::nullopt;
    }
    ReplicaSight sight;
    sight.is_leader = found->is_leader();
    sight.leader_epoch = found->leader_epoch;
    sight.partition_epoch = found->partition_epoch;
    sight.start = found->log.log_start_offset();
    sight.end = found->log.log_end_offset();
    sight.high_watermark = found->log.high_watermark();
    sight.effective_min_isr = found->effective_min_isr();
    if (found->is_leader()) {
        sight.committed_isr = found->isr.committed();
        sight.maximal_isr = found->isr.maximal();
    }
    return sight;
}

std::optional<RegistrationSight> KafkaSight::registration(
    const types::TopicPartition& partition) const {
    const metadata::PartitionRegistration* found = world::registration(world_, partition);
    if (found == nullptr) {
        return std::nullopt;
    }
    RegistrationSight sight;
    sight.leader = found->leader;
    sight.leader_epoch = found->leader_epoch;
    sight.partition_epoch = found->partition_epoch;
    sight.isr = found->isr;
    sight.elr = found->elr;
    sight.replicas = found->replicas;
    for (const types::BrokerId replica : found->replicas) {
        if (world::is_replica_offline(world_, partition, replica)) {
            sight.offline.push_back(replica);
        }
    }
    sight.is_recovering = found->recovery == metadata::LeaderRecoveryState::kRecovering;
    sight.unclean_enabled = unclean_enabled(world_, partition.topic);
    return sight;
}

std::vector<types::TopicPartition> KafkaSight::partitions() const {
    return world::partitions_of(world_);
}

std::vector<BatchOnDisk> KafkaSight::batches(const types::TopicPartition& partition,
                                             types::BrokerId broker) const {
    std::vector<BatchOnDisk> batches;
    for (const storage::BatchSight& batch : world::batches_of(world_, partition, broker)) {
        BatchOnDisk one;
        one.base = batch.base_offset.value();
        one.last = batch.last_offset.value();
        one.epoch = batch.leader_epoch ? batch.leader_epoch->value() : -1;
        one.crc = batch.crc;
        one.producer_id = batch.producer_id ? batch.producer_id->value() : -1;
        one.producer_epoch = batch.producer_epoch ? batch.producer_epoch->value() : -1;
        one.base_sequence = batch.base_sequence.value_or(-1);
        batches.push_back(one);
    }
    return batches;
}

std::vector<RecordOnDisk> KafkaSight::records(const types::TopicPartition& partition,
                                              types::BrokerId broker) const {
    std::vector<RecordOnDisk> records;
    for (const storage::RecordSight& record : world::records_of(world_, partition, broker)) {
        RecordOnDisk one;
        one.offset = record.offset.value();
        one.key = record.is_control ? std::nullopt : record.key;
        if (record.value && !record.is_control) {
            one.name = types::parse_record_value(*record.value);
        }
        for (const auto& [key, value] : record.headers) {
            if (!record.value && key == types::kRecordNameHeader && value) {
                one.name = types::parse_record_value(*value);
            }
        }
        records.push_back(std::move(one));
    }
    return records;
}

std::optional<types::BrokerEpoch> KafkaSight::follower_epoch(const types::TopicPartition& partition,
                                                             types::BrokerId leader,
                                                             types::BrokerId follower) const {
    const replication::Partition* found = find_replica(world_, partition, leader);
    if (found == nullptr) {
        return std::nullopt;
    }
    for (const replication::Follower& one : found->followers) {
        if (one.broker == follower) {
            return one.state.broker_epoch;
        }
    }
    return std::nullopt;
}

std::optional<types::LeaderEpoch> KafkaSight::position_epoch(
    sim::NodeId consumer, const types::TopicPartition& partition) const {
    const auto* node = std::get_if<client::Consumer>(&world_.node(consumer));
    if (node == nullptr) {
        return std::nullopt;
    }
    for (const client::FetchPosition& position : node->positions()) {
        if (position.partition == partition) {
            return position.leader_epoch;
        }
    }
    return std::nullopt;
}

std::optional<bool> KafkaSight::is_active(types::BrokerId broker) const {
    const metadata::MetadataImage* image = world::committed_image(world_);
    const metadata::BrokerRegistration* found = image == nullptr ? nullptr : image->broker(broker);
    return found == nullptr ? std::nullopt : std::optional(found->is_active());
}

std::vector<std::string> KafkaSight::differing_images() const {
    std::map<std::int64_t, NamedImage> by_offset;
    std::vector<std::string> differing;
    const auto compare = [&](const std::string& name, const metadata::MetadataImage* image) {
        if (image == nullptr || !image->offset) {
            return;
        }
        const auto [known, added] =
            by_offset.emplace(image->offset->value(), NamedImage{name, image});
        if (!added && !(*known->second.image == *image)) {
            differing.push_back(fmt::format(
                "{} and {} differ at offset {}", known->second.name, name, known->first));
        }
    };
    if (const auto active = world::active_controller(world_)) {
        compare(world_.kernel().name(*active), world::committed_image(world_));
    }
    for (const types::BrokerSpec& spec : world_.data().cluster.brokers) {
        if (world::is_running(world_, spec.id)) {
            compare(spec.name, &world::broker_state(world_, spec.id).image());
        }
    }
    return differing;
}

}  // namespace klab::check
