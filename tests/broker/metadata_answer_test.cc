// SPDX-License-Identifier: Apache-2.0
//
// What a client learns of the cluster. Kafka: KRaftMetadataCache, KafkaApis.handleTopicMetadata.
#include "model/broker/metadata_answer.h"

#include <gtest/gtest.h>

namespace klab::broker {
namespace {

using protocol::MetadataPartition;
using protocol::MetadataRequest;
using protocol::MetadataResponse;
using types::ErrorCode;

std::vector<types::BrokerId> ids(std::initializer_list<std::int32_t> numbers) {
    std::vector<types::BrokerId> found;
    for (const std::int32_t number : numbers) {
        found.emplace_back(number);
    }
    return found;
}

void set_broker(metadata::MetadataImage& image, std::int32_t id, bool fenced = false) {
    metadata::BrokerRegistration registration;
    registration.id = types::BrokerId(id);
    registration.fenced = fenced;
    image.brokers.insert_or_assign(registration.id,
                                   Cow<metadata::BrokerRegistration>(registration));
}

/// A topic with one partition {1,2,3}, ISR {1,2}, leader epoch 4.
void add_topic(metadata::MetadataImage& image,
               const std::string& name,
               const types::Uuid& id,
               std::optional<std::int32_t> leader) {
    metadata::PartitionRegistration partition;
    partition.replicas = ids({1, 2, 3});
    partition.isr = ids({1, 2});
    if (leader) {
        partition.leader = types::BrokerId(*leader);
    }
    partition.leader_epoch = types::LeaderEpoch(4);
    metadata::TopicImage topic;
    topic.name = name;
    topic.id = id;
    topic.partitions.insert_or_assign(0, metadata::PartitionRef(partition));
    image.topics.insert_or_assign(id, Cow<metadata::TopicImage>(topic));
    image.topic_ids.insert_or_assign(name, id);
}

metadata::MetadataImage image_of(std::optional<std::int32_t> leader) {
    metadata::MetadataImage image;
    for (const std::int32_t id : {1, 2, 3}) {
        set_broker(image, id);
    }
    add_topic(image, "t", {9, 1}, leader);
    return image;
}

MetadataPartition partition_of(const metadata::MetadataImage& image) {
    const MetadataResponse answer = answer_metadata(image, {});
    EXPECT_EQ(answer.topics.size(), 1U);
    EXPECT_EQ(answer.topics[0].partitions.size(), 1U);
    return answer.topics[0].partitions[0];
}

TEST(MetadataAnswer, TellsLeaderEpochReplicasAndIsr) {
    const MetadataPartition told = partition_of(image_of(2));
    EXPECT_EQ(told.error, ErrorCode::kNone);
    EXPECT_EQ(told.partition, 0);
    EXPECT_EQ(told.leader, types::BrokerId(2));
    EXPECT_EQ(told.leader_epoch, types::LeaderEpoch(4));
    EXPECT_EQ(told.replicas, ids({1, 2, 3}));
    EXPECT_EQ(told.isr, ids({1, 2}));
    EXPECT_TRUE(told.offline_replicas.empty());
}

TEST(MetadataAnswer, WithoutALeaderItIsNotAvailable) {
    const MetadataPartition told = partition_of(image_of(std::nullopt));
    EXPECT_EQ(told.error, ErrorCode::kLeaderNotAvailable);
    EXPECT_EQ(told.leader, std::nullopt);
    EXPECT_EQ(told.leader_epoch, types::LeaderEpoch(4)) << "the epoch is told all the same";
    EXPECT_EQ(told.replicas, ids({1, 2, 3}));
    EXPECT_EQ(told.isr, ids({1, 2}));
}

TEST(MetadataAnswer, AnUnregisteredLeaderIsNotAvailable) {
    const MetadataPartition told = partition_of(image_of(7));
    EXPECT_EQ(told.error, ErrorCode::kLeaderNotAvailable);
    EXPECT_EQ(told.leader, std::nullopt);
}

TEST(MetadataAnswer, AFencedLeaderIsStillNamed) {
    // getAliveEndpoint asks whether the broker is registered, not whether it is fenced.
    metadata::MetadataImage image = image_of(1);
    set_broker(image, 1, true);
    const MetadataPartition told = partition_of(image);
    EXPECT_EQ(told.error, ErrorCode::kNone);
    EXPECT_EQ(told.leader, types::BrokerId(1));
    EXPECT_EQ(told.offline_replicas, ids({1}));
}

TEST(MetadataAnswer, FencedAndUnknownReplicasAreOffline) {
    metadata::MetadataImage image = image_of(1);
    set_broker(image, 2, true);
    image.brokers.erase(types::BrokerId(3));
    const MetadataPartition told = partition_of(image);
    EXPECT_EQ(told.offline_replicas, ids({2, 3}));
    EXPECT_EQ(told.replicas, ids({1, 2, 3})) << "offline ones are listed as well";
    EXPECT_EQ(told.isr, ids({1, 2}));
}

TEST(MetadataAnswer, FencedBrokersAreLeftOut) {
    metadata::MetadataImage image = image_of(1);
    set_broker(image, 2, true);
    EXPECT_EQ(answer_metadata(image, {}).brokers, ids({1, 3}));
}

TEST(MetadataAnswer, NoListMeansAllTopicsByName) {
    metadata::MetadataImage image = image_of(1);
    add_topic(image, "b", {9, 2}, 1);
    add_topic(image, "a", {9, 3}, 1);
    const MetadataResponse answer = answer_metadata(image, {});
    ASSERT_EQ(answer.topics.size(), 3U);
    EXPECT_EQ(answer.topics[0].name, "a");
    EXPECT_EQ(answer.topics[0].topic_id, (types::Uuid{9, 3}));
    EXPECT_EQ(answer.topics[1].name, "b");
    EXPECT_EQ(answer.topics[2].name, "t");
}

TEST(MetadataAnswer, AnEmptyListMeansNoTopics) {
    const MetadataRequest none{.topics = std::vector<std::string>{}};
    const MetadataResponse answer = answer_metadata(image_of(1), none);
    EXPECT_TRUE(answer.topics.empty());
    EXPECT_EQ(answer.brokers, ids({1, 2, 3}));
}

TEST(MetadataAnswer, AnUnknownTopicIsAnErrorOfItsOwn) {
    const MetadataRequest request{.topics = std::vector<std::string>{"nope", "t"}};
    const MetadataResponse answer = answer_metadata(image_of(1), request);
    ASSERT_EQ(answer.topics.size(), 2U);
    EXPECT_EQ(answer.topics[0].name, "nope");
    EXPECT_EQ(answer.topics[0].error, ErrorCode::kUnknownTopicOrPartition);
    EXPECT_TRUE(answer.topics[0].partitions.empty());
    EXPECT_EQ(answer.topics[1].error, ErrorCode::kNone);
    EXPECT_EQ(answer.topics[1].partitions.size(), 1U);
}

}  // namespace
}  // namespace klab::broker
