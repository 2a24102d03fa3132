// SPDX-License-Identifier: Apache-2.0
//
// What records do to the image, and what the delta remembers of it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/metadata/metadata_generators.h"

namespace klab::metadata {
namespace {

constexpr types::Uuid kTopic{1, 1};

MetadataImage image_of(const std::vector<MetadataRecord>& records) {
    MetadataImage image;
    MetadataDelta delta;
    std::int64_t offset = 0;
    for (const MetadataRecord& record : records) {
        EXPECT_FALSE(apply(image, delta, types::Offset(offset++), record));
    }
    return image;
}

PartitionRecord partition_zero() {
    PartitionRecord record;
    record.partition_id = 0;
    record.topic_id = kTopic;
    record.replicas = {types::BrokerId(1), types::BrokerId(2)};
    record.isr = record.replicas;
    record.leader = types::BrokerId(1);
    return record;
}

RegisterBrokerRecord broker_one() {
    RegisterBrokerRecord record;
    record.broker_id = types::BrokerId(1);
    record.broker_epoch = types::BrokerEpoch(5);
    return record;
}

TEST(ImageReplay, FindsATopicByNameAndById) {
    const MetadataImage image = image_of({TopicRecord{"t", kTopic}, partition_zero()});
    ASSERT_NE(image.topic("t"), nullptr);
    EXPECT_EQ(image.topic("t"), image.topic(kTopic));
    EXPECT_EQ(image.partition(types::TopicPartition{"t", 0})->leader, types::BrokerId(1));
    EXPECT_EQ(image.partition(types::TopicPartition{"t", 1}), nullptr);
    EXPECT_EQ(image.offset, types::Offset(1));
}

TEST(ImageReplay, ForgetsATopicWithItsPartitionsAndSettings) {
    const MetadataImage image =
        image_of({TopicRecord{"t", kTopic},
                  ConfigRecord{{ConfigResourceKind::kTopic, "t"}, "min.insync.replicas", "2"},
                  partition_zero(),
                  RemoveTopicRecord{kTopic}});
    EXPECT_EQ(image.topic("t"), nullptr);
    EXPECT_TRUE(image.topics.empty());
    EXPECT_TRUE(image.configs.empty());
}

TEST(ImageReplay, RemovesASettingWithANullValue) {
    const ConfigResource cluster{ConfigResourceKind::kBroker, ""};
    const MetadataImage with = image_of({ConfigRecord{cluster, "a", "1"}});
    ASSERT_NE(with.config(cluster, "a"), nullptr);
    const MetadataImage without =
        image_of({ConfigRecord{cluster, "a", "1"}, ConfigRecord{cluster, "a", std::nullopt}});
    EXPECT_EQ(without.config(cluster, "a"), nullptr);
    EXPECT_EQ(without.configs, MetadataImage{}.configs);
}

TEST(ImageReplay, FencesAndUnfencesByRegistrationChange) {
    BrokerRegistrationChangeRecord unfence;
    unfence.broker_id = types::BrokerId(1);
    unfence.broker_epoch = types::BrokerEpoch(5);
    unfence.fenced = FenceChange::kUnfence;
    BrokerRegistrationChangeRecord leaving = unfence;
    leaving.fenced = FenceChange::kNone;
    leaving.enters_controlled_shutdown = true;
    EXPECT_FALSE(image_of({broker_one()}).broker(types::BrokerId(1))->is_active());
    EXPECT_TRUE(image_of({broker_one(), unfence}).broker(types::BrokerId(1))->is_active());
    const MetadataImage image = image_of({broker_one(), unfence, leaving});
    EXPECT_FALSE(image.broker(types::BrokerId(1))->fenced);
    EXPECT_FALSE(image.broker(types::BrokerId(1))->is_active());
}

TEST(ImageReplay, ReplacesARegistrationByANewOne) {
    BrokerRegistrationChangeRecord unfence;
    unfence.broker_id = types::BrokerId(1);
    unfence.broker_epoch = types::BrokerEpoch(5);
    unfence.fenced = FenceChange::kUnfence;
    RegisterBrokerRecord again = broker_one();
    again.broker_epoch = types::BrokerEpoch(8);
    const MetadataImage image = image_of({broker_one(), unfence, again});
    EXPECT_TRUE(image.broker(types::BrokerId(1))->fenced);
    EXPECT_EQ(image.broker(types::BrokerId(1))->epoch, types::BrokerEpoch(8));
}

TEST(ImageReplay, TurnsAFeatureOffWithLevelZero) {
    const MetadataImage image = image_of({FeatureLevelRecord{"metadata.version", 14},
                                          FeatureLevelRecord{"x", 1},
                                          FeatureLevelRecord{"x", 0}});
    EXPECT_EQ(image.metadata_level(), 14);
    EXPECT_EQ(image.features.find("x"), nullptr);
}

TEST(ImageReplay, RefusesRecordsThatDoNotFitAndChangesNothing) {
    MetadataImage image = image_of({TopicRecord{"t", kTopic}, partition_zero(), broker_one()});
    const MetadataImage before = image;
    MetadataDelta delta;
    const types::Offset at(9);
    PartitionChangeRecord change;
    change.topic_id = kTopic;
    change.partition_id = 7;
    EXPECT_EQ(apply(image, delta, at, change), ReplayError::kUnknownPartition);
    change.topic_id = {9, 9};
    EXPECT_EQ(apply(image, delta, at, change), ReplayError::kUnknownTopic);
    EXPECT_EQ(apply(image, delta, at, TopicRecord{"t", {2, 2}}), ReplayError::kTopicExists);
    EXPECT_EQ(apply(image, delta, at, partition_zero()), ReplayError::kPartitionExists);
    EXPECT_EQ(apply(image, delta, at, RemoveTopicRecord{{9, 9}}), ReplayError::kUnknownTopic);
    const UnregisterBrokerRecord unknown{types::BrokerId(4), types::BrokerEpoch(5)};
    EXPECT_EQ(apply(image, delta, at, unknown), ReplayError::kUnknownBroker);
    const UnregisterBrokerRecord stale{types::BrokerId(1), types::BrokerEpoch(4)};
    EXPECT_EQ(apply(image, delta, at, stale), ReplayError::kBrokerEpochMismatch);
    EXPECT_EQ(image, before);
    EXPECT_TRUE(delta.empty());
}

TEST(ImageReplay, RemembersTheFirstBeforeAndTheLastAfter) {
    MetadataImage image = image_of({TopicRecord{"t", kTopic}, partition_zero()});
    const MetadataImage before = image;
    MetadataDelta delta;
    PartitionChangeRecord shrink;
    shrink.topic_id = kTopic;
    shrink.partition_id = 0;
    shrink.isr = BrokerIds{types::BrokerId(1)};
    ASSERT_FALSE(apply(image, delta, types::Offset(2), shrink));
    ASSERT_FALSE(apply(image, delta, types::Offset(3), shrink));
    const Changed<PartitionRef>& change = delta.partitions.at(TopicIdPartition{kTopic, 0});
    EXPECT_EQ(change.before->read(), *before.partition(TopicIdPartition{kTopic, 0}));
    EXPECT_EQ(change.after->read().partition_epoch, types::PartitionEpoch(2));
}

TEST(ImageReplay, TellsOfThePartitionsOfADeletedTopic) {
    MetadataImage image = image_of({TopicRecord{"t", kTopic}, partition_zero()});
    MetadataDelta delta;
    ASSERT_FALSE(apply(image, delta, types::Offset(2), RemoveTopicRecord{kTopic}));
    EXPECT_EQ(delta.deleted_topics.at(kTopic), "t");
    const Changed<PartitionRef>& change = delta.partitions.at(TopicIdPartition{kTopic, 0});
    EXPECT_TRUE(change.before.has_value());
    EXPECT_FALSE(change.after.has_value());
}

/// Applies a delta as data, without the records: what a publisher could do.
MetadataImage with_delta(MetadataImage image, const MetadataDelta& delta) {
    for (const auto& [id, name] : delta.deleted_topics) {
        image.topics.erase(id);
        if (const types::Uuid* named = image.topic_ids.find(name); named && *named == id) {
            image.topic_ids.erase(name);
        }
    }
    for (const auto& [id, name] : delta.created_topics) {
        if (!delta.deleted_topics.contains(id)) {
            image.topics.at_or_insert(id).write().name = name;
            image.topics.at_or_insert(id).write().id = id;
            image.topic_ids.insert_or_assign(name, id);
        }
    }
    for (const auto& [id, change] : delta.partitions) {
        if (change.after) {
            image.topics.find_for_write(id.topic_id)
                ->write()
                .partitions.insert_or_assign(id.partition, *change.after);
        }
    }
    for (const auto& [id, change] : delta.brokers) {
        if (change.after) {
            image.brokers.insert_or_assign(id, *change.after);
        } else {
            image.brokers.erase(id);
        }
    }
    for (const auto& [resource, settings] : delta.configs) {
        for (const auto& [name, change] : settings) {
            ConfigMap& map = image.configs.at_or_insert(resource).write();
            if (change.after) {
                map[name] = *change.after;
            } else {
                map.erase(name);
            }
        }
        if (image.configs_of(resource).empty()) {
            image.configs.erase(resource);
        }
    }
    return image;
}

RC_GTEST_PROP(ImageReplay, DeltaIsTheDifferenceBetweenBeforeAndAfter, ()) {
    HistoryMaker history;
    const int first = *rc::gen::inRange(0, 40);
    const int second = *rc::gen::inRange(0, 40);
    std::int64_t offset = 0;
    for (int i = 0; i < first; ++i) {
        history.apply_next(history.next(), types::Offset(offset++));
    }
    const MetadataImage before = history.image();
    MetadataImage after = before;
    MetadataDelta delta;
    for (int i = 0; i < second; ++i) {
        const MetadataRecord record = history.next();
        const types::Offset at(offset++);
        history.apply_next(record, at);
        RC_ASSERT(!apply(after, delta, at, record));
    }
    // One delta over many records and many deltas of one record give the same image ...
    RC_ASSERT(after == history.image());
    // ... and the delta alone leads from the old one to the new one.
    MetadataImage rebuilt = with_delta(before, delta);
    rebuilt.offset = after.offset;
    RC_ASSERT(rebuilt == after);
}

RC_GTEST_PROP(ImageReplay, EverythingNewLeadsFromNothingToTheImage, ()) {
    HistoryMaker history;
    const int records = *rc::gen::inRange(0, 60);
    for (int i = 0; i < records; ++i) {
        history.apply_next(history.next(), types::Offset(i));
    }
    MetadataImage rebuilt = with_delta(MetadataImage{}, everything_new(history.image()));
    rebuilt.offset = history.image().offset;
    RC_ASSERT(rebuilt == history.image());
}

}  // namespace
}  // namespace klab::metadata
