// SPDX-License-Identifier: Apache-2.0
//
// Produce and fetch through parking and leader changes: the rows TM1..TM17 that this model reaches
// (Kafka: ReplicaManagerTest), and what follows from acks, duplicates and restarts.
#include <gtest/gtest.h>

#include "tests/replication/replica_rig.h"

namespace klab::replication {
namespace {

using types::ErrorCode;

class ReplicaManagerVectors : public ::testing::Test {
  protected:
    ReplicaRig rig{3};

    void lead(std::initializer_list<std::int32_t> replicas,
              std::initializer_list<std::int32_t> isr,
              std::int32_t epoch = 1) {
        rig.publish({1}, partition_of(replicas, isr, 1, epoch, epoch));
    }

    void lose(std::int32_t epoch = 2) {
        rig.publish({1}, partition_of({1, 2}, {1, 2}, 2, epoch, epoch));
    }
};

TEST_F(ReplicaManagerVectors, TM1_RefusesUnknownAcks) {
    lead({1}, {1});
    EXPECT_EQ(rig.produced(1, rig.produce(1, {"a"}, 3))->error, ErrorCode::kInvalidRequiredAcks);
    EXPECT_EQ(rig.end(1), 0);
}

TEST_F(ReplicaManagerVectors, TM2_AnswersPendingProducesWhenLeadershipIsLost) {
    lead({1, 2}, {1, 2});
    const std::int32_t request = rig.produce(1, {"a"}, -1);
    EXPECT_FALSE(rig.produced(1, request));
    lose();
    EXPECT_EQ(rig.produced(1, request)->error, ErrorCode::kNotLeaderOrFollower);
}

TEST_F(ReplicaManagerVectors, TM3_ShowsConsumersCommittedRecordsOnly) {
    lead({1, 2, 3}, {1, 2, 3});
    rig.produce(1, {"a"});
    rig.produce(1, {"b"});
    EXPECT_FALSE(rig.follower_fetch(1, 2, 1).records->empty());
    const auto seen = rig.fetched(1, rig.fetch(1, consumer_fetch(1)));
    EXPECT_EQ(seen->error, ErrorCode::kNone);
    EXPECT_TRUE(seen->records->empty());
    EXPECT_EQ(rig.fetched(1, rig.fetch(1, consumer_fetch(3)))->error, ErrorCode::kOffsetOutOfRange);
}

TEST_F(ReplicaManagerVectors, TM4_NotesNothingOfRefusedOrDivergingFetches) {
    lead({1, 2}, {1, 2}, 5);
    rig.produce(1, {"a", "b", "c", "d", "e"});
    rig.follower_fetch(1, 2, 0, 5);
    const auto end = [&] { return rig.partition(1).followers[0].state.log_end_offset; };
    EXPECT_EQ(end(), types::Offset(0));
    EXPECT_EQ(rig.follower_fetch(1, 2, 3, 4).error, ErrorCode::kFencedLeaderEpoch);
    EXPECT_EQ(end(), types::Offset(0));
    lead({1, 2}, {1, 2}, 6);
    rig.follower_fetch(1, 2, 0, 6);
    protocol::FetchRequest request = replica_fetch(2, 8);
    request.partitions[0].current_leader_epoch = types::LeaderEpoch(6);
    request.partitions[0].last_fetched_epoch = types::LeaderEpoch(5);
    const auto diverged = rig.fetched(1, rig.fetch(1, request));
    EXPECT_EQ(diverged->error, ErrorCode::kNone);
    ASSERT_TRUE(diverged->diverging_epoch);
    EXPECT_EQ(diverged->diverging_epoch->end_offset, types::Offset(5));
    EXPECT_EQ(end(), types::Offset(0));
    EXPECT_EQ(rig.events(types::events::kFetchDiverged).size(), 1U);
}

TEST_F(ReplicaManagerVectors, TM5_TellsAFollowerTheNewHighWatermarkOneFetchLater) {
    lead({1, 2}, {1, 2});
    const std::int32_t request = rig.produce(1, {"a", "b"}, -1);
    EXPECT_FALSE(rig.produced(1, request));
    const auto first = rig.follower_fetch(1, 2, 2);
    EXPECT_EQ(first.high_watermark, types::Offset(0));
    ASSERT_TRUE(rig.produced(1, request));
    EXPECT_EQ(rig.produced(1, request)->error, ErrorCode::kNone);
    EXPECT_EQ(rig.produced(1, request)->base_offset, types::Offset(0));

    protocol::FetchRequest second = replica_fetch(2, 2, 1'000);
    second.min_bytes = 1'000;
    const std::int32_t parked = rig.fetch(1, second);
    EXPECT_FALSE(rig.fetched(1, parked));
    rig.run(milliseconds(1'001));
    ASSERT_TRUE(rig.fetched(1, parked));
    EXPECT_EQ(rig.fetched(1, parked)->high_watermark, types::Offset(2));
}

TEST_F(ReplicaManagerVectors, TM6_TM7_TM8_AnswersParkedFetchesWhenLeadershipIsLost) {
    lead({1, 2}, {1, 2});
    protocol::FetchRequest with_epoch = consumer_fetch(0, 10'000);
    with_epoch.partitions[0].current_leader_epoch = types::LeaderEpoch(1);
    const std::int32_t consumer = rig.fetch(1, with_epoch);
    const std::int32_t follower = rig.fetch(1, replica_fetch(2, 0, 10'000));
    EXPECT_FALSE(rig.fetched(1, consumer));
    EXPECT_FALSE(rig.fetched(1, follower));
    lose();
    EXPECT_EQ(rig.fetched(1, consumer)->error, ErrorCode::kFencedLeaderEpoch);
    EXPECT_EQ(rig.fetched(1, follower)->error, ErrorCode::kNotLeaderOrFollower);
    EXPECT_EQ(rig.node(1).manager.purgatory().fetches(), 0U);
}

TEST_F(ReplicaManagerVectors, TM9_ServesConsumersOnAFollower) {
    // KIP-392: only a follower's own fetch needs the leader.
    rig.publish({1}, partition_of({1, 2}, {1, 2}, 2, 1, 1));
    EXPECT_EQ(rig.fetched(1, rig.fetch(1, consumer_fetch(0)))->error, ErrorCode::kNone);
    EXPECT_EQ(rig.follower_fetch(1, 2, 0).error, ErrorCode::kNotLeaderOrFollower);
}

TEST_F(ReplicaManagerVectors, TM14_MovesTheFetcherWithTheLeader) {
    rig.publish({1}, partition_of({1, 2}, {1, 2}, 2, 0, 0));
    const auto fetcher = [&] { return rig.node(1).manager.fetchers().fetcher_of(kRigPartition); };
    ASSERT_NE(fetcher(), nullptr);
    EXPECT_EQ(fetcher()->id().leader, types::BrokerId(2));
    EXPECT_EQ(rig.fetch_state(1)->leader_epoch, types::LeaderEpoch(0));
    rig.run(milliseconds(10));  // past the cut that an empty log begins with
    const auto before = rig.fetch_state(1);
    rig.publish({1}, partition_of({1, 2, 3}, {1, 2}, 2, 0, 1));
    EXPECT_EQ(rig.fetch_state(1), before);
    EXPECT_EQ(fetcher()->id().leader, types::BrokerId(2));
    rig.publish({1}, partition_of({1, 2, 3}, {1, 3}, 3, 1, 2));
    EXPECT_EQ(fetcher()->id().leader, types::BrokerId(3));
    EXPECT_EQ(rig.fetch_state(1)->leader_epoch, types::LeaderEpoch(1));
    EXPECT_EQ(rig.node(1).manager.fetchers().fetchers().size(), 1U) << "the idle fetcher is gone";
}

TEST_F(ReplicaManagerVectors, TM15_StopsFetchingDuringControlledShutdown) {
    rig.publish({1}, partition_of({1, 2}, {1, 2}, 2, 0, 0));
    rig.publish_partition(1, 1, partition_of({1, 2}, {1}, 1, 0, 0));
    rig.publish_partition(1, 2, partition_of({1, 2}, {2}, 2, 0, 0));
    rig.run_on(1, [](RigNode& node, sim::Context&) { node.in_controlled_shutdown = true; });
    rig.publish({1}, partition_of({1, 2}, {2}, 2, 1, 1));
    rig.publish_partition(1, 1, partition_of({1, 2}, {1}, std::nullopt, 1, 1));
    const FetcherManager& fetchers = rig.node(1).manager.fetchers();
    EXPECT_EQ(fetchers.fetcher_of(kRigPartition), nullptr);
    EXPECT_EQ(fetchers.fetcher_of({kRigTopic, 1}), nullptr);
    EXPECT_NE(fetchers.fetcher_of({kRigTopic, 2}), nullptr);
    EXPECT_EQ(rig.partition(1).leader_epoch, types::LeaderEpoch(1));
}

TEST_F(ReplicaManagerVectors, TM16_DeletesThePartitionsOfADeletedTopic) {
    lead({1, 2, 3}, {1, 2, 3});
    rig.publish_partition(1, 1, partition_of({1, 2}, {1, 2}, 2, 1, 1));
    const std::int32_t produce = rig.produce(1, {"a"}, -1);
    const std::int32_t fetch = rig.fetch(1, replica_fetch(2, 1, 10'000));
    const sim::Disk& disk = rig.world().kernel().slot(ReplicaRig::node_id(1)).disk;
    EXPECT_TRUE(disk.exists("/data/t-0"));
    rig.publish_deletion(1);
    EXPECT_TRUE(rig.node(1).manager.partitions().empty());
    EXPECT_TRUE(rig.node(1).manager.fetchers().fetchers().empty());
    EXPECT_FALSE(disk.exists("/data/t-0"));
    EXPECT_EQ(rig.produced(1, produce)->error, ErrorCode::kUnknownTopicOrPartition);
    EXPECT_EQ(rig.fetched(1, fetch)->error, ErrorCode::kUnknownTopicId);
    EXPECT_EQ(rig.events(types::events::kReplicaStopped).size(), 2U);
}

TEST_F(ReplicaManagerVectors, TM17_DropsAPartitionThatLeftThisBroker) {
    lead({1, 2}, {1, 2});
    rig.publish({1}, partition_of({2, 3}, {2, 3}, 2, 2, 2));
    EXPECT_FALSE(rig.hosts(1));
    EXPECT_EQ(rig.produced(1, rig.produce(1, {"a"}))->error, ErrorCode::kNotLeaderOrFollower);
}

TEST_F(ReplicaManagerVectors, AcksZeroClosesTheConnectionOnAnError) {
    lead({1}, {1});
    const std::int32_t good = rig.produce(1, {"a"}, 0);
    ASSERT_TRUE(rig.answer(1, good)) << "the request is over";
    EXPECT_FALSE(rig.answer(1, good)->response.has_value());
    EXPECT_FALSE(rig.answer(1, good)->close_connection);
    EXPECT_EQ(rig.end(1), 1);
    rig.publish({1}, partition_of({1, 2}, {1, 2}, 2, 2, 2));
    const auto bad = rig.answer(1, rig.produce(1, {"b"}, 0));
    ASSERT_TRUE(bad);
    EXPECT_TRUE(bad->close_connection);
    EXPECT_FALSE(bad->response.has_value());
}

TEST_F(ReplicaManagerVectors, AcksAllTimesOutAndKeepsTheRecords) {
    lead({1, 2}, {1, 2});
    const std::int32_t request = rig.produce(1, {"a"}, -1, 2'000);
    rig.run(milliseconds(1'999));
    EXPECT_FALSE(rig.produced(1, request));
    rig.run(milliseconds(2));
    EXPECT_EQ(rig.produced(1, request)->error, ErrorCode::kRequestTimedOut);
    EXPECT_EQ(rig.end(1), 1);
    rig.follower_fetch(1, 2, 1);
    EXPECT_EQ(rig.high_watermark(1), 1);
}

TEST_F(ReplicaManagerVectors, AcksAllOfALoneLeaderIsAnsweredAtOnce) {
    lead({1}, {1});
    EXPECT_EQ(rig.produced(1, rig.produce(1, {"a"}, -1))->error, ErrorCode::kNone);
    const auto advanced = rig.events(types::events::kHwAdvanced);
    ASSERT_EQ(advanced.size(), 1U);
    const auto appended = rig.events(types::events::kLogAppended);
    ASSERT_EQ(appended.size(), 1U);
    EXPECT_EQ(advanced[0].causes[0], appended[0].id);
}

TEST(ReplicaManagerRules, ReportsAnIsrBelowMinIsrAfterTheAppendBefore3_7) {
    // Without the gate the high watermark passes the batch, and the answer tells the truth.
    ReplicaRig rig(2, types::rules_of(types::KafkaVersion::k3_6));
    rig.set_min_isr(1, 2);
    rig.publish({1}, partition_of({1, 2}, {1, 2}, 1, 1, 1));
    const std::int32_t request = rig.produce(1, {"a"}, -1);
    rig.change_registration(1, 2, [](auto& broker) { broker.fenced = true; });
    rig.publish({1}, partition_of({1, 2}, {1}, 1, 1, 2));
    ASSERT_TRUE(rig.produced(1, request));
    EXPECT_EQ(rig.produced(1, request)->error, ErrorCode::kNotEnoughReplicasAfterAppend);
}

TEST_F(ReplicaManagerVectors, RecognizesTheRetryOfAnIdempotentProducer) {
    lead({1}, {1});
    const Bytes batch = storage::idempotent_batch_of(9, 0, 0, {"a", "b"});
    EXPECT_EQ(rig.produced(1, rig.produce_bytes(1, batch, 1))->base_offset, types::Offset(0));
    EXPECT_EQ(rig.produced(1, rig.produce_bytes(1, batch, 1))->base_offset, types::Offset(0));
    EXPECT_EQ(rig.end(1), 2);
    EXPECT_EQ(rig.events(types::events::kDuplicateRecognized).size(), 1U);
    const Bytes gap = storage::idempotent_batch_of(9, 0, 7, {"c"});
    EXPECT_EQ(rig.produced(1, rig.produce_bytes(1, gap, 1))->error,
              ErrorCode::kOutOfOrderSequenceNumber);
}

TEST_F(ReplicaManagerVectors, WakesAConsumerWhenTheHighWatermarkRises) {
    lead({1, 2}, {1, 2});
    const std::int32_t waiting = rig.fetch(1, consumer_fetch(0, 10'000));
    rig.produce(1, {"a"});
    EXPECT_FALSE(rig.fetched(1, waiting)) << "not committed yet";
    rig.follower_fetch(1, 2, 1);
    ASSERT_TRUE(rig.fetched(1, waiting));
    EXPECT_FALSE(rig.fetched(1, waiting)->records->empty());
    EXPECT_EQ(rig.answer(1, waiting)->because, rig.events(types::events::kHwAdvanced)[0].id);
}

TEST_F(ReplicaManagerVectors, AHighWatermarkAloneDoesNotWakeAFollower) {
    lead({1, 2, 3}, {1, 2, 3});
    rig.produce(1, {"a"});
    const std::int32_t waiting = rig.fetch(1, replica_fetch(2, 1, 10'000));
    rig.follower_fetch(1, 3, 1);
    EXPECT_EQ(rig.high_watermark(1), 1);
    EXPECT_FALSE(rig.fetched(1, waiting));
    rig.produce(1, {"b"});
    EXPECT_TRUE(rig.fetched(1, waiting));
}

TEST_F(ReplicaManagerVectors, WaitsForMinBytesOverAllPartitions) {
    lead({1, 2}, {1, 2});
    rig.publish_partition(1, 1, partition_of({1, 2}, {1, 2}, 1, 1, 1));
    protocol::FetchRequest request = replica_fetch(2, 0, 10'000);
    request.min_bytes = 100;
    request.partitions.push_back(request.partitions[0]);
    request.partitions[1].partition = 1;
    const std::int32_t waiting = rig.fetch(1, request);
    rig.produce(1, {"a"});
    EXPECT_FALSE(rig.answer(1, waiting)) << "one batch of one short record has 69 bytes";
    rig.produce(1, {"b"});
    EXPECT_TRUE(rig.answer(1, waiting));
}

TEST_F(ReplicaManagerVectors, ReturnsOneBatchHoweverSmallTheLimit) {
    lead({1, 2}, {1, 2});
    rig.produce(1, {"a"});
    rig.produce(1, {"b"});
    protocol::FetchRequest request = replica_fetch(2, 0);
    request.max_bytes = 1;
    const auto got = rig.fetched(1, rig.fetch(1, request));
    storage::BatchIterator batches{ByteView(*got->records)};
    EXPECT_TRUE(batches.next());
    EXPECT_FALSE(batches.next());
}

TEST_F(ReplicaManagerVectors, TP25_KeepsTheCheckpointedHighWatermarkOverACrash) {
    lead({1, 2}, {1, 2});
    rig.produce(1, {"a", "b", "c", "d"});
    rig.follower_fetch(1, 2, 4);
    EXPECT_EQ(rig.high_watermark(1), 4);
    rig.run(seconds(6));
    rig.produce(1, {"e", "f"});
    rig.follower_fetch(1, 2, 6);
    EXPECT_EQ(rig.high_watermark(1), 6);
    rig.run(milliseconds(100));
    rig.crash(1);
    rig.boot(1);
    EXPECT_TRUE(rig.events(types::events::kLogRecovered).empty()) << "not before the metadata";
    rig.publish_again(1);
    const auto recovered = rig.events(types::events::kLogRecovered);
    ASSERT_EQ(recovered.size(), 1U);
    EXPECT_EQ(recovered[0].fields[1], 6);
    EXPECT_EQ(recovered[0].fields[2], 4) << "up to five seconds old";
}

TEST_F(ReplicaManagerVectors, AnOrderlyStopMakesTheNextStartClean) {
    lead({1}, {1});
    rig.produce(1, {"a", "b"});
    rig.run_on(1, [](RigNode& node, sim::Context& ctx) {
        node.manager.shutdown(ctx, types::BrokerEpoch(101));
    });
    rig.run(seconds(1));
    rig.crash(1);
    rig.boot(1);
    rig.publish_again(1);
    const auto recovered = rig.events(types::events::kLogRecovered);
    ASSERT_EQ(recovered.size(), 1U);
    EXPECT_EQ(recovered[0].fields[2], 2) << "high watermark";
    EXPECT_EQ(recovered[0].fields[4], 1) << "clean";
    EXPECT_EQ(rig.end(1), 2);
}

TEST_F(ReplicaManagerVectors, DropsLogsThatTheMetadataDoNotPlaceHere) {
    lead({1}, {1});
    rig.produce(1, {"old"});
    rig.run(seconds(1));
    rig.crash(1);
    rig.boot(1);
    rig.publish_deletion(1);
    EXPECT_FALSE(rig.hosts(1));
    EXPECT_FALSE(rig.world().kernel().slot(ReplicaRig::node_id(1)).disk.exists("/data/t-0"));
}

TEST_F(ReplicaManagerVectors, DoesNotTakeTheLogOfADeletedTopicForANewOne) {
    lead({1}, {1});
    rig.produce(1, {"old"});
    rig.run(seconds(1));
    rig.crash(1);
    rig.boot(1);
    const PartitionKey recreated{{3, 4}, 0};
    rig.run_on(1, [&](RigNode& node, sim::Context& ctx) {
        metadata::TopicImage topic;
        topic.name = "t";
        topic.id = recreated.topic_id;
        metadata::PartitionRegistration registration;
        registration.replicas = brokers({1});
        registration.isr = brokers({1});
        registration.leader = types::BrokerId(1);
        topic.partitions.insert_or_assign(0, metadata::PartitionRef(registration));
        node.image = image_with_brokers(3);
        node.image.topics.insert_or_assign(topic.id, Cow<metadata::TopicImage>(topic));
        node.image.topic_ids.insert_or_assign("t", topic.id);
        Answers out;
        EXPECT_EQ(node.manager.apply_image(ctx, node.view(), out), std::nullopt);
    });
    const Partition* partition = rig.node(1).manager.find(recreated);
    ASSERT_NE(partition, nullptr);
    EXPECT_EQ(partition->log.log_end_offset(), types::Offset(0));
}

}  // namespace
}  // namespace klab::replication
