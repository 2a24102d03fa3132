// SPDX-License-Identifier: Apache-2.0
//
// Questions to a Kafka world.
#include "model/kafka_world/cluster_view.h"

#include <algorithm>
#include <variant>

namespace klab::world {

namespace {

const types::BrokerSpec& spec_of(const KafkaWorld& world, types::BrokerId id) {
    const types::BrokerSpec* spec = world.data().cluster.broker(id);
    KLAB_ASSERT(spec != nullptr, "broker {} is not in the layout", id);
    return *spec;
}

/// Leader, ISR and follower positions of one partition.
bool partition_settled(const KafkaWorld& world,
                       const types::TopicPartition& name,
                       const metadata::PartitionRegistration& partition) {
    if (!partition.leader || partition.isr.size() != partition.replicas.size() ||
        !is_running(world, *partition.leader)) {
        return false;
    }
    const replication::Partition* leader = replica(world, name, *partition.leader);
    if (leader == nullptr || !leader->is_leader() ||
        leader->leader_epoch != partition.leader_epoch ||
        leader->partition_epoch != partition.partition_epoch) {
        return false;
    }
    return std::ranges::all_of(leader->followers, [&](const replication::Follower& follower) {
        return follower.state.log_end_offset == leader->log.log_end_offset();
    });
}

}  // namespace

std::optional<sim::NodeId> active_controller(const KafkaWorld& world) {
    for (const types::ControllerSpec& spec : world.data().cluster.controllers) {
        if (!world.kernel().slot(spec.node).process_alive()) {
            continue;
        }
        const auto& node = std::get<controller::ControllerNode>(world.node(spec.node));
        if (node.is_active()) {
            return spec.node;
        }
    }
    return std::nullopt;
}

const metadata::MetadataImage* committed_image(const KafkaWorld& world) {
    const auto of_controller = [&](sim::NodeId node) {
        return &std::get<controller::ControllerNode>(world.node(node)).committed_image();
    };
    if (const std::optional<sim::NodeId> active = active_controller(world)) {
        return of_controller(*active);
    }
    // What was committed stays committed while nobody leads the quorum.
    const metadata::MetadataImage* newest = nullptr;
    const auto consider = [&](const metadata::MetadataImage* image) {
        if (image->offset && (newest == nullptr || *newest->offset < *image->offset)) {
            newest = image;
        }
    };
    for (const types::ControllerSpec& spec : world.data().cluster.controllers) {
        consider(of_controller(spec.node));
    }
    for (const types::BrokerSpec& spec : world.data().cluster.brokers) {
        consider(&broker_state(world, spec.id).image());
    }
    return newest;
}

const broker::Broker& broker_state(const KafkaWorld& world, types::BrokerId id) {
    return std::get<broker::Broker>(world.node(spec_of(world, id).node));
}

bool is_running(const KafkaWorld& world, types::BrokerId id) {
    return world.kernel().slot(spec_of(world, id).node).process_alive();
}

const replication::Partition* replica(const KafkaWorld& world,
                                      const types::TopicPartition& partition,
                                      types::BrokerId broker) {
    return broker_state(world, broker).replicas().find(partition);
}

const replication::Partition* replica_on_disk(const KafkaWorld& world,
                                              const types::TopicPartition& partition,
                                              types::BrokerId broker) {
    const replication::Partition* hosted = replica(world, partition, broker);
    return hosted != nullptr ? hosted
                             : broker_state(world, broker).replicas().find_offline(partition);
}

bool is_replica_offline(const KafkaWorld& world,
                        const types::TopicPartition& partition,
                        types::BrokerId broker) {
    const metadata::MetadataImage* image = committed_image(world);
    const types::Uuid* topic = image == nullptr ? nullptr : image->topic_ids.find(partition.topic);
    return topic != nullptr && is_running(world, broker) &&
           broker_state(world, broker).replicas().is_offline({*topic, partition.partition});
}

const metadata::PartitionRegistration* registration(const KafkaWorld& world,
                                                    const types::TopicPartition& partition) {
    const metadata::MetadataImage* image = committed_image(world);
    return image == nullptr ? nullptr : image->partition(partition);
}

std::optional<types::BrokerId> committed_leader(const KafkaWorld& world,
                                                const types::TopicPartition& partition) {
    const metadata::PartitionRegistration* found = registration(world, partition);
    return found == nullptr ? std::nullopt : found->leader;
}

const replication::Partition* leader_replica(const KafkaWorld& world,
                                             const types::TopicPartition& partition) {
    const std::optional<types::BrokerId> leader = committed_leader(world, partition);
    if (!leader || !is_running(world, *leader)) {
        return nullptr;
    }
    return replica(world, partition, *leader);
}

std::vector<storage::RecordSight> records_of(const KafkaWorld& world,
                                             const types::TopicPartition& partition,
                                             types::BrokerId broker,
                                             types::Offset from,
                                             types::Offset to) {
    const replication::Partition* found = replica_on_disk(world, partition, broker);
    if (found == nullptr) {
        return {};
    }
    const sim::Disk& disk = world.kernel().slot(spec_of(world, broker).node).disk;
    return storage::list_records(found->log, disk, from, to);
}

std::vector<storage::BatchSight> batches_of(const KafkaWorld& world,
                                            const types::TopicPartition& partition,
                                            types::BrokerId broker) {
    const replication::Partition* found = replica_on_disk(world, partition, broker);
    if (found == nullptr) {
        return {};
    }
    return storage::list_batches(found->log, world.kernel().slot(spec_of(world, broker).node).disk);
}

std::optional<storage::LogLookup> lookup_of(const KafkaWorld& world,
                                            const types::TopicPartition& partition,
                                            types::BrokerId broker,
                                            std::int64_t offset) {
    const replication::Partition* found = replica(world, partition, broker);
    const types::Offset wanted(offset);
    if (found == nullptr || wanted < found->log.log_start_offset() ||
        wanted >= found->log.log_end_offset()) {
        return std::nullopt;
    }
    const sim::Disk& disk = world.kernel().slot(spec_of(world, broker).node).disk;
    auto lookup = found->log.explain_lookup(disk, wanted);
    return lookup ? std::optional(std::move(lookup).value()) : std::nullopt;
}

std::vector<types::TopicPartition> partitions_of(const KafkaWorld& world) {
    std::vector<types::TopicPartition> all;
    const metadata::MetadataImage* image = committed_image(world);
    if (image == nullptr) {
        return all;
    }
    image->topic_ids.for_each([&](const std::string& name, const types::Uuid& id) {
        image->topic(id)->partitions.for_each(
            [&](std::int32_t index, const metadata::PartitionRef&) {
                all.push_back({name, index});
            });
    });
    return all;
}

bool fully_replicated(const KafkaWorld& world) {
    const metadata::MetadataImage* image = committed_image(world);
    if (image == nullptr) {
        return false;
    }
    bool settled = true;
    image->topic_ids.for_each([&](const std::string& name, const types::Uuid& id) {
        image->topic(id)->partitions.for_each(
            [&](std::int32_t index, const metadata::PartitionRef& partition) {
                settled = settled && partition_settled(world, {name, index}, *partition);
            });
    });
    return settled;
}

}  // namespace klab::world
