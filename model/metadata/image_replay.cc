// SPDX-License-Identifier: Apache-2.0
//
// See image_replay.h.
#include "model/metadata/image_replay.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/overloaded.h"

namespace klab::metadata {

namespace {

/// Notes a change: the first `before` of a thing stays, the last `after` counts.
template <typename K, typename T>
void note(std::map<K, Changed<T>>& changes,
          const K& key,
          std::optional<T> before,
          std::optional<T> after) {
    const auto [at, is_new] = changes.try_emplace(key);
    if (is_new) {
        at->second.before = std::move(before);
    }
    at->second.after = std::move(after);
}

template <typename T>
std::optional<T> copy_of(const T* value) {
    return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

/// Applies one kind of record each. Checks come before the first write.
class Replay {
  public:
    Replay(MetadataImage& image, MetadataDelta& delta) : image_(image), delta_(delta) {}

    using Outcome = std::optional<ReplayError>;

    Outcome operator()(const RegisterBrokerRecord& record) {
        BrokerRegistration broker;
        broker.id = record.broker_id;
        broker.epoch = record.broker_epoch;
        broker.incarnation_id = record.incarnation_id;
        broker.endpoints = record.endpoints;
        broker.features = record.features;
        broker.rack = record.rack;
        broker.fenced = record.fenced;
        broker.in_controlled_shutdown = record.in_controlled_shutdown;
        broker.log_dirs = record.log_dirs;
        put_broker(std::move(broker));
        return std::nullopt;
    }

    Outcome operator()(const UnregisterBrokerRecord& record) {
        if (const Outcome wrong = check_broker(record.broker_id, record.broker_epoch)) {
            return wrong;
        }
        note(delta_.brokers, record.broker_id, copy_of(image_.brokers.find(record.broker_id)), {});
        image_.brokers.erase(record.broker_id);
        return std::nullopt;
    }

    Outcome operator()(const BrokerRegistrationChangeRecord& record) {
        if (const Outcome wrong = check_broker(record.broker_id, record.broker_epoch)) {
            return wrong;
        }
        BrokerRegistration broker = *image_.broker(record.broker_id);
        if (record.fenced != FenceChange::kNone) {
            broker.fenced = record.fenced == FenceChange::kFence;
        }
        if (record.enters_controlled_shutdown) {
            broker.in_controlled_shutdown = true;
        }
        if (!record.log_dirs.empty()) {
            broker.log_dirs = record.log_dirs;
        }
        put_broker(std::move(broker));
        return std::nullopt;
    }

    Outcome operator()(const TopicRecord& record) {
        if (image_.topics.contains(record.topic_id) || image_.topic_ids.contains(record.name)) {
            return ReplayError::kTopicExists;
        }
        TopicImage topic;
        topic.name = record.name;
        topic.id = record.topic_id;
        image_.topics.insert_or_assign(record.topic_id, Cow(std::move(topic)));
        image_.topic_ids.insert_or_assign(record.name, record.topic_id);
        delta_.created_topics[record.topic_id] = record.name;
        return std::nullopt;
    }

    Outcome operator()(const RemoveTopicRecord& record) {
        const TopicImage* found = image_.topic(record.topic_id);
        if (found == nullptr) {
            return ReplayError::kUnknownTopic;
        }
        const TopicImage topic = *found;
        topic.partitions.for_each([&](std::int32_t index, const PartitionRef& partition) {
            note(delta_.partitions,
                 TopicIdPartition{topic.id, index},
                 std::optional(partition),
                 std::optional<PartitionRef>());
        });
        // A topic that comes and goes within one delta stays in both lists: created, then deleted.
        delta_.deleted_topics[topic.id] = topic.name;
        image_.topics.erase(topic.id);
        image_.topic_ids.erase(topic.name);
        // Kafka drops the settings of a topic together with it.
        drop_configs(ConfigResource{ConfigResourceKind::kTopic, topic.name});
        return std::nullopt;
    }

    Outcome operator()(const PartitionRecord& record) {
        const TopicImage* topic = image_.topic(record.topic_id);
        if (topic == nullptr) {
            return ReplayError::kUnknownTopic;
        }
        if (topic->partitions.contains(record.partition_id)) {
            return ReplayError::kPartitionExists;
        }
        put_partition({record.topic_id, record.partition_id}, make_partition(record));
        return std::nullopt;
    }

    Outcome operator()(const PartitionChangeRecord& record) {
        const TopicIdPartition id{record.topic_id, record.partition_id};
        const TopicImage* topic = image_.topic(record.topic_id);
        if (topic == nullptr) {
            return ReplayError::kUnknownTopic;
        }
        const PartitionRegistration* partition = topic->partition(record.partition_id);
        if (partition == nullptr) {
            return ReplayError::kUnknownPartition;
        }
        put_partition(id, merge(*partition, record));
        return std::nullopt;
    }

    Outcome operator()(const ConfigRecord& record) {
        std::optional<std::string> before = copy_of(image_.config(record.resource, record.name));
        note(delta_.configs[record.resource], record.name, before, record.value);
        if (record.value) {
            image_.configs.at_or_insert(record.resource).write()[record.name] = *record.value;
        } else if (before) {
            ConfigMap& left = image_.configs.find_for_write(record.resource)->write();
            left.erase(record.name);
            if (left.empty()) {
                image_.configs.erase(record.resource);
            }
        }
        return std::nullopt;
    }

    Outcome operator()(const FeatureLevelRecord& record) {
        const auto after =
            record.level == 0 ? std::nullopt : std::optional<std::int16_t>(record.level);
        note(delta_.features, record.name, copy_of(image_.features.find(record.name)), after);
        if (after) {
            image_.features.insert_or_assign(record.name, *after);
        } else {
            image_.features.erase(record.name);
        }
        return std::nullopt;
    }

    Outcome operator()(const ProducerIdsRecord& record) {
        image_.next_producer_id = record.next_producer_id;
        delta_.producer_ids = true;
        return std::nullopt;
    }

    Outcome operator()(const NoOpRecord&) { return std::nullopt; }

    Outcome operator()(const BeginTransactionRecord&) { return std::nullopt; }

    Outcome operator()(const EndTransactionRecord&) { return std::nullopt; }

    Outcome operator()(const AbortTransactionRecord&) { return std::nullopt; }

    Outcome operator()(const ClearElrRecord& record) {
        if (record.topic.empty()) {
            std::vector<types::Uuid> all;
            image_.topics.for_each([&](const types::Uuid& id, const auto&) { all.push_back(id); });
            std::ranges::for_each(all, [this](const types::Uuid& id) { clear_elrs(id); });
            return std::nullopt;
        }
        const types::Uuid* id = image_.topic_ids.find(record.topic);
        if (id == nullptr) {
            return ReplayError::kUnknownTopic;
        }
        clear_elrs(types::Uuid(*id));
        return std::nullopt;
    }

  private:
    [[nodiscard]] Outcome check_broker(types::BrokerId id, types::BrokerEpoch epoch) const {
        const BrokerRegistration* broker = image_.broker(id);
        if (broker == nullptr) {
            return ReplayError::kUnknownBroker;
        }
        return broker->epoch == epoch ? std::nullopt : Outcome(ReplayError::kBrokerEpochMismatch);
    }

    void put_broker(BrokerRegistration broker) {
        const types::BrokerId id = broker.id;
        Cow after(std::move(broker));
        note(delta_.brokers, id, copy_of(image_.brokers.find(id)), std::optional(after));
        image_.brokers.insert_or_assign(id, std::move(after));
    }

    void put_partition(const TopicIdPartition& id, PartitionRegistration partition) {
        PartitionRef after(std::move(partition));
        TopicImage& topic = image_.topics.find_for_write(id.topic_id)->write();
        note(delta_.partitions,
             id,
             copy_of(topic.partitions.find(id.partition)),
             std::optional(after));
        topic.partitions.insert_or_assign(id.partition, std::move(after));
    }

    /// Partitions that have nothing to forget stay as they are, their epoch too.
    void clear_elrs(const types::Uuid& topic) {
        std::vector<std::pair<TopicIdPartition, PartitionRegistration>> changed;
        image_.topic(topic)->partitions.for_each(
            [&](std::int32_t index, const PartitionRef& partition) {
                if (partition->elr.empty() && partition->last_known_elr.empty()) {
                    return;
                }
                PartitionChangeRecord change;
                change.eligible_leader_replicas = BrokerIds{};
                change.last_known_elr = BrokerIds{};
                changed.emplace_back(TopicIdPartition{topic, index}, merge(*partition, change));
            });
        for (auto& [id, partition] : changed) {
            put_partition(id, std::move(partition));
        }
    }

    void drop_configs(const ConfigResource& resource) {
        const ConfigMap gone = image_.configs_of(resource);
        for (const auto& [name, value] : gone) {
            note(delta_.configs[resource], name, std::optional(value), {});
        }
        image_.configs.erase(resource);
    }

    MetadataImage& image_;
    MetadataDelta& delta_;
};

}  // namespace

bool MetadataDelta::empty() const {
    return partitions.empty() && created_topics.empty() && deleted_topics.empty() &&
           brokers.empty() && configs.empty() && features.empty() && !producer_ids;
}

std::string_view to_text(ReplayError error) {
    switch (error) {
        case ReplayError::kUnknownTopic:
            return "unknown topic";
        case ReplayError::kUnknownPartition:
            return "unknown partition";
        case ReplayError::kUnknownBroker:
            return "unknown broker";
        case ReplayError::kBrokerEpochMismatch:
            return "broker epoch mismatch";
        case ReplayError::kTopicExists:
            return "topic exists";
        case ReplayError::kPartitionExists:
            return "partition exists";
    }
    return "?";
}

std::optional<ReplayError> apply(MetadataImage& image,
                                 MetadataDelta& delta,
                                 types::Offset offset,
                                 const MetadataRecord& record) {
    const std::optional<ReplayError> error = std::visit(Replay(image, delta), record);
    if (!error) {
        image.offset = offset;
    }
    return error;
}

MetadataDelta everything_new(const MetadataImage& image) {
    MetadataDelta delta;
    image.topics.for_each([&](types::Uuid id, const Cow<TopicImage>& topic) {
        delta.created_topics[id] = topic->name;
        topic->partitions.for_each([&](std::int32_t index, const PartitionRef& partition) {
            delta.partitions[TopicIdPartition{id, index}].after = partition;
        });
    });
    image.brokers.for_each([&](types::BrokerId id, const Cow<BrokerRegistration>& broker) {
        delta.brokers[id].after = broker;
    });
    image.configs.for_each([&](const ConfigResource& resource, const Cow<ConfigMap>& settings) {
        for (const auto& [name, value] : settings.read()) {
            delta.configs[resource][name].after = value;
        }
    });
    image.features.for_each(
        [&](const std::string& name, std::int16_t level) { delta.features[name].after = level; });
    delta.producer_ids = image.next_producer_id.has_value();
    return delta;
}

}  // namespace klab::metadata
