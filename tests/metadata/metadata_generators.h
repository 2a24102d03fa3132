// SPDX-License-Identifier: Apache-2.0
//
// Random metadata for properties: single records of every kind, and sequences of records that a
// controller could have written (each fits what came before).
#pragma once

#include <string>
#include <vector>

#include <rapidcheck.h>

#include "model/metadata/image_replay.h"

namespace klab::metadata {

inline rc::Gen<BrokerIds> any_brokers() {
    return rc::gen::container<BrokerIds>(
        rc::gen::map(rc::gen::inRange(0, 2000), [](int id) { return types::BrokerId(id); }));
}

inline rc::Gen<types::Uuid> any_uuid() {
    return rc::gen::map(
        rc::gen::pair(rc::gen::arbitrary<std::uint64_t>(), rc::gen::arbitrary<std::uint64_t>()),
        [](const auto& pair) {
            return types::Uuid{pair.first, pair.second};
        });
}

inline rc::Gen<std::optional<BrokerIds>> maybe_brokers() {
    return rc::gen::oneOf(rc::gen::just(std::optional<BrokerIds>()),
                          rc::gen::map(any_brokers(), [](const BrokerIds& brokers) {
                              return std::optional<BrokerIds>(brokers);
                          }));
}

inline std::optional<types::BrokerId> pick_leader() {
    const int leader = *rc::gen::inRange(-1, 50);
    return leader < 0 ? std::nullopt : std::optional(types::BrokerId(leader));
}

inline PartitionChangeRecord pick_partition_change() {
    PartitionChangeRecord record;
    record.partition_id = *rc::gen::inRange(0, 1000);
    record.topic_id = *any_uuid();
    record.isr = *maybe_brokers();
    if (*rc::gen::arbitrary<bool>()) {
        record.leader = LeaderChange{pick_leader()};
    }
    record.replicas = *maybe_brokers();
    record.removing_replicas = *maybe_brokers();
    record.adding_replicas = *maybe_brokers();
    if (*rc::gen::arbitrary<bool>()) {
        record.recovery =
            *rc::gen::element(LeaderRecoveryState::kRecovered, LeaderRecoveryState::kRecovering);
    }
    record.eligible_leader_replicas = *maybe_brokers();
    record.last_known_elr = *maybe_brokers();
    if (*rc::gen::arbitrary<bool>()) {
        record.directories = *rc::gen::container<std::vector<types::Uuid>>(any_uuid());
    }
    return record;
}

inline PartitionRecord pick_partition() {
    PartitionRecord record;
    record.partition_id = *rc::gen::inRange(0, 1000);
    record.topic_id = *any_uuid();
    record.replicas = *any_brokers();
    record.isr = *any_brokers();
    record.removing_replicas = *any_brokers();
    record.adding_replicas = *any_brokers();
    record.leader = pick_leader();
    record.recovery =
        *rc::gen::element(LeaderRecoveryState::kRecovered, LeaderRecoveryState::kRecovering);
    record.leader_epoch = types::LeaderEpoch(*rc::gen::arbitrary<std::int32_t>());
    record.partition_epoch = types::PartitionEpoch(*rc::gen::arbitrary<std::int32_t>());
    record.directories = *rc::gen::container<std::vector<types::Uuid>>(any_uuid());
    record.eligible_leader_replicas = *maybe_brokers();
    record.last_known_elr = *maybe_brokers();
    return record;
}

inline RegisterBrokerRecord pick_registration() {
    RegisterBrokerRecord record;
    record.broker_id = types::BrokerId(*rc::gen::inRange(0, 2000));
    record.incarnation_id = *any_uuid();
    record.broker_epoch = types::BrokerEpoch(*rc::gen::arbitrary<std::int64_t>());
    const int endpoints = *rc::gen::inRange(0, 4);
    for (int i = 0; i < endpoints; ++i) {
        record.endpoints.push_back({*rc::gen::arbitrary<std::string>(),
                                    *rc::gen::arbitrary<std::string>(),
                                    *rc::gen::arbitrary<std::uint16_t>(),
                                    *rc::gen::arbitrary<std::int16_t>()});
    }
    const int features = *rc::gen::inRange(0, 3);
    for (int i = 0; i < features; ++i) {
        record.features.push_back({*rc::gen::arbitrary<std::string>(),
                                   *rc::gen::arbitrary<std::int16_t>(),
                                   *rc::gen::arbitrary<std::int16_t>()});
    }
    if (*rc::gen::arbitrary<bool>()) {
        record.rack = *rc::gen::arbitrary<std::string>();
    }
    record.fenced = *rc::gen::arbitrary<bool>();
    record.in_controlled_shutdown = *rc::gen::arbitrary<bool>();
    record.is_migrating_zk_broker = *rc::gen::arbitrary<bool>();
    record.log_dirs = *rc::gen::container<std::vector<types::Uuid>>(any_uuid());
    return record;
}

inline MetadataRecord pick_small_record(int kind) {
    const types::BrokerId broker(*rc::gen::inRange(0, 2000));
    const types::BrokerEpoch epoch(*rc::gen::arbitrary<std::int64_t>());
    switch (kind) {
        case 0:
            return UnregisterBrokerRecord{broker, epoch};
        case 1:
            return TopicRecord{*rc::gen::arbitrary<std::string>(), *any_uuid()};
        case 2:
            return ConfigRecord{
                {*rc::gen::element(ConfigResourceKind::kTopic, ConfigResourceKind::kBroker),
                 *rc::gen::arbitrary<std::string>()},
                *rc::gen::arbitrary<std::string>(),
                *rc::gen::element(std::optional<std::string>("v"), std::optional<std::string>())};
        case 3:
            return RemoveTopicRecord{*any_uuid()};
        case 4:
            return FeatureLevelRecord{*rc::gen::arbitrary<std::string>(),
                                      *rc::gen::arbitrary<std::int16_t>()};
        case 5:
            return ProducerIdsRecord{
                broker, epoch, types::ProducerId(*rc::gen::arbitrary<std::int64_t>())};
        case 6: {
            BrokerRegistrationChangeRecord record;
            record.broker_id = broker;
            record.broker_epoch = epoch;
            record.fenced =
                *rc::gen::element(FenceChange::kUnfence, FenceChange::kNone, FenceChange::kFence);
            record.enters_controlled_shutdown = *rc::gen::arbitrary<bool>();
            record.log_dirs = *rc::gen::container<std::vector<types::Uuid>>(any_uuid());
            return record;
        }
        case 7:
            return NoOpRecord{};
        case 8:
            return BeginTransactionRecord{*rc::gen::arbitrary<std::string>()};
        case 9:
            return EndTransactionRecord{};
        default:
            return AbortTransactionRecord{};
    }
}

/// Any record, with every field set as the newest version allows.
inline MetadataRecord pick_record() {
    const int kind = *rc::gen::inRange(0, 14);
    switch (kind) {
        case 0:
            return pick_registration();
        case 1:
            return pick_partition();
        case 2:
            return pick_partition_change();
        default:
            return pick_small_record(kind - 3);
    }
}

/// Records that fit one after the other: a few brokers, topics and partitions that live and die.
class HistoryMaker {
  public:
    MetadataRecord next() {
        const int kind = *rc::gen::inRange(0, 8);
        switch (kind) {
            case 0:
                return make_topic();
            case 1:
                return make_partition_of_topic();
            case 2:
            case 3:
                return change_partition();
            case 4:
                return make_broker();
            case 5:
                return change_broker();
            case 6:
                return ConfigRecord{{ConfigResourceKind::kTopic, name(*rc::gen::inRange(0, 4))},
                                    "min.insync.replicas",
                                    *rc::gen::element(std::optional<std::string>("2"),
                                                      std::optional<std::string>())};
            default:
                return remove_topic();
        }
    }

    void apply_next(const MetadataRecord& record, types::Offset offset) {
        MetadataDelta delta;
        RC_ASSERT(!apply(image_, delta, offset, record));
    }

    [[nodiscard]] const MetadataImage& image() const { return image_; }

  private:
    static std::string name(int index) { return std::string("t") + std::to_string(index); }

    MetadataRecord make_topic() {
        const std::string topic = name(*rc::gen::inRange(0, 4));
        if (image_.topic(topic) != nullptr) {
            return NoOpRecord{};
        }
        return TopicRecord{topic, types::Uuid{7, ++topics_made_}};
    }

    MetadataRecord make_partition_of_topic() {
        const TopicImage* topic = image_.topic(name(*rc::gen::inRange(0, 4)));
        if (topic == nullptr) {
            return NoOpRecord{};
        }
        PartitionRecord record;
        record.topic_id = topic->id;
        record.partition_id = static_cast<std::int32_t>(topic->partitions.size());
        record.replicas = {types::BrokerId(1), types::BrokerId(2), types::BrokerId(3)};
        record.isr = record.replicas;
        record.leader = types::BrokerId(1);
        return record;
    }

    MetadataRecord change_partition() {
        const TopicImage* topic = image_.topic(name(*rc::gen::inRange(0, 4)));
        if (topic == nullptr || topic->partitions.empty()) {
            return NoOpRecord{};
        }
        PartitionChangeRecord record = pick_partition_change();
        record.topic_id = topic->id;
        record.partition_id = *rc::gen::inRange(0, static_cast<int>(topic->partitions.size()));
        return record;
    }

    MetadataRecord make_broker() {
        RegisterBrokerRecord record;
        record.broker_id = types::BrokerId(*rc::gen::inRange(1, 4));
        record.broker_epoch = types::BrokerEpoch(++epochs_made_);
        return record;
    }

    MetadataRecord change_broker() {
        const BrokerRegistration* broker = image_.broker(types::BrokerId(*rc::gen::inRange(1, 4)));
        if (broker == nullptr) {
            return NoOpRecord{};
        }
        if (*rc::gen::inRange(0, 4) == 0) {
            return UnregisterBrokerRecord{broker->id, broker->epoch};
        }
        BrokerRegistrationChangeRecord record;
        record.broker_id = broker->id;
        record.broker_epoch = broker->epoch;
        record.fenced = *rc::gen::element(FenceChange::kUnfence, FenceChange::kFence);
        record.enters_controlled_shutdown = *rc::gen::arbitrary<bool>();
        return record;
    }

    MetadataRecord remove_topic() {
        const TopicImage* topic = image_.topic(name(*rc::gen::inRange(0, 4)));
        return topic == nullptr ? MetadataRecord(NoOpRecord{})
                                : MetadataRecord(RemoveTopicRecord{topic->id});
    }

    MetadataImage image_;
    std::uint64_t topics_made_ = 0;
    std::int64_t epochs_made_ = 0;
};

}  // namespace klab::metadata
