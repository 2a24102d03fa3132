// SPDX-License-Identifier: Apache-2.0
//
// Followers that fetch from leaders over the network: the rows TF1..TF19 that this model reaches
// (Kafka: AbstractFetcherThreadTest, ReplicaFetcherThreadTest).
#include <gtest/gtest.h>

#include "tests/replication/replica_rig.h"

namespace klab::replication {
namespace {

using types::ErrorCode;

const std::vector<std::string> kOne = {"x"};

class FetcherVectors : public ::testing::Test {
  protected:
    ReplicaRig rig{2};
    std::int32_t partition_epoch = 0;

    /// Tells one broker who leads t-0 with replicas 1 and 2.
    void tell(std::int32_t broker, std::int32_t leader, std::int32_t epoch) {
        rig.publish({broker}, partition_of({1, 2}, {1, 2}, leader, epoch, ++partition_epoch));
    }

    /// Leads alone on `broker` in `epoch` and writes `values`: makes histories that differ.
    void write_alone(std::int32_t broker,
                     std::int32_t epoch,
                     const std::vector<std::string>& values) {
        rig.publish({broker}, partition_of({1, 2}, {broker}, broker, epoch, ++partition_epoch));
        rig.produce(broker, values);
    }
};

TEST_F(FetcherVectors, CopiesRecordsAndHighWatermark) {
    tell(1, 1, 1);
    tell(2, 1, 1);
    const std::int32_t request = rig.produce(1, {"a", "b"}, -1);
    rig.run(milliseconds(50));
    EXPECT_EQ(rig.records(2), "1:a 1:b");
    EXPECT_EQ(rig.produced(1, request)->error, ErrorCode::kNone);
    EXPECT_EQ(rig.high_watermark(1), 2);
    EXPECT_EQ(rig.high_watermark(2), 0) << "learned with the next answer";
    rig.run(milliseconds(600));
    EXPECT_EQ(rig.high_watermark(2), 2);
}

TEST_F(FetcherVectors, HighWatermarkIsCausedByTheFetchesItRestsOn) {
    tell(1, 1, 1);
    tell(2, 1, 1);
    rig.produce(1, {"a"});
    rig.run(milliseconds(50));
    const auto advanced = rig.events(types::events::kHwAdvanced, 1);
    const auto fetched = rig.events(types::events::kFollowerFetched, 1);
    ASSERT_EQ(advanced.size(), 1U);
    ASSERT_FALSE(fetched.empty());
    EXPECT_EQ(advanced[0].causes[0], fetched.back().id);
}

TEST_F(FetcherVectors, TF1_GivesUpWhenTheLeaderHasANewerEpoch) {
    tell(1, 1, 1);
    tell(2, 1, 0);
    rig.produce(1, kOne);
    rig.run(seconds(3));
    EXPECT_FALSE(rig.fetch_state(2));
    EXPECT_EQ(rig.end(2), 0);
    const auto failed = rig.events(types::events::kFetchFailed, 2);
    ASSERT_EQ(failed.size(), 1U);
    EXPECT_EQ(failed[0].fields[2], types::to_wire(ErrorCode::kFencedLeaderEpoch));
    tell(2, 1, 1);
    rig.run(milliseconds(50));
    EXPECT_EQ(rig.end(2), 1) << "new metadata revive it";
}

TEST_F(FetcherVectors, TF3_WaitsForALeaderThatIsBehind) {
    tell(1, 1, 1);
    tell(2, 1, 2);
    rig.produce(1, kOne);
    rig.run(milliseconds(2'500));
    ASSERT_TRUE(rig.fetch_state(2));
    EXPECT_EQ(rig.fetch_state(2)->phase, FetchPhase::kFetching);
    EXPECT_EQ(rig.end(2), 0);
    EXPECT_EQ(rig.events(types::events::kFetchFailed, 2).size(), 1U)
        << "repeated failures are none";
    tell(1, 1, 2);
    rig.run(milliseconds(1'100));
    EXPECT_EQ(rig.end(2), 1);
    EXPECT_FALSE(rig.fetch_state(2)->failing);
}

TEST_F(FetcherVectors, TF4_MakesLogsEqualWhateverTheirEpochs) {
    for (const std::int32_t epoch : {0, 2, 4}) {
        write_alone(2, epoch, {"f" + std::to_string(epoch)});
    }
    for (const std::int32_t epoch : {1, 3, 5}) {
        write_alone(1, epoch, {"l" + std::to_string(epoch)});
    }
    tell(1, 1, 6);
    tell(2, 1, 6);
    rig.run(seconds(2));
    EXPECT_EQ(rig.records(2), "1:l1 3:l3 5:l5");
    EXPECT_EQ(rig.high_watermark(2), rig.high_watermark(1));
}

TEST_F(FetcherVectors, TF17_GoesBackEpochByEpochWithoutAnEpochRequest) {
    // The two rounds of the worked case: first to where the unknown epoch began, then further.
    write_alone(1, 1, std::vector<std::string>(10, "c"));
    tell(1, 1, 1);
    tell(2, 1, 1);
    rig.run(milliseconds(100));
    write_alone(2, 2, std::vector<std::string>(5, "f2"));
    write_alone(2, 4, std::vector<std::string>(5, "f4"));
    write_alone(1, 3, std::vector<std::string>(3, "l3"));
    write_alone(1, 5, {"l5"});
    EXPECT_EQ(rig.end(2), 20);
    tell(1, 1, 6);
    tell(2, 1, 6);
    rig.run(milliseconds(100));
    const auto cuts = rig.events(types::events::kLogTruncated, 2);
    ASSERT_EQ(cuts.size(), 2U);
    EXPECT_EQ(cuts[0].fields[1], 20);
    EXPECT_EQ(cuts[0].fields[2], 15);
    EXPECT_EQ(cuts[1].fields[2], 10);
    EXPECT_EQ(rig.end(2), 14);
    EXPECT_EQ(rig.records(1), rig.records(2));
}

TEST_F(FetcherVectors, TF19_ContinuesInTheLatestCommonEpoch) {
    write_alone(1, 0, {"a"});
    write_alone(1, 2, {"b"});
    rig.publish({2}, partition_of({1, 2}, {1}, 1, 2, 3));
    rig.publish({1}, partition_of({1, 2}, {1}, 1, 2, 3));
    partition_epoch = 3;
    rig.run(milliseconds(100));
    EXPECT_EQ(rig.records(2), "0:a 2:b");
    write_alone(2, 4, {"f"});
    write_alone(1, 5, {"l"});
    tell(1, 1, 6);
    tell(2, 1, 6);
    rig.run(milliseconds(100));
    EXPECT_EQ(rig.records(2), "0:a 2:b 5:l");
    EXPECT_EQ(rig.fetch_state(2)->last_fetched_epoch, types::LeaderEpoch(5));
}

TEST_F(FetcherVectors, TF5_CutsALogWithoutEpochsToItsHighWatermark) {
    // An empty log has no epochs; nothing above its high watermark is sure.
    tell(2, 1, 1);
    ASSERT_TRUE(rig.fetch_state(2));
    EXPECT_EQ(rig.fetch_state(2)->phase, FetchPhase::kTruncating);
    tell(1, 1, 1);
    rig.run(milliseconds(10));
    EXPECT_EQ(rig.fetch_state(2)->phase, FetchPhase::kFetching);
    EXPECT_EQ(rig.fetch_state(2)->fetch_offset, types::Offset(0));
    EXPECT_EQ(rig.fetch_state(2)->last_fetched_epoch, std::nullopt);
}

TEST_F(FetcherVectors, TF7_DoesNotTruncateAgainInTheSameEpoch) {
    tell(1, 1, 1);
    tell(2, 1, 1);
    rig.produce(1, {"a", "b"});
    rig.run(milliseconds(100));
    const auto before = rig.fetch_state(2);
    tell(2, 1, 1);
    EXPECT_EQ(rig.fetch_state(2), before);
    EXPECT_EQ(before->fetch_offset, types::Offset(2));
}

TEST_F(FetcherVectors, TF9_StartsOverWhenTheLeaderHasNothingLeft) {
    tell(1, 1, 1);
    tell(2, 1, 1);
    rig.produce(1, {"a", "b", "c"});
    rig.run(milliseconds(700));
    EXPECT_EQ(rig.high_watermark(2), 3);
    rig.run_on(1, [](RigNode& node, sim::Context& ctx) {
        // Emptied behind the protocol's back: no path of the model does that in one epoch.
        auto& manager = const_cast<ReplicaManager&>(node.manager);
        auto& partition = const_cast<Partition&>(*manager.find(kRigPartition));
        ASSERT_TRUE(partition.log.truncate_fully_and_start_at(ctx, types::Offset(0)).ok());
    });
    rig.run(seconds(2));
    EXPECT_EQ(rig.end(2), 0);
    EXPECT_EQ(rig.high_watermark(2), 0);
}

TEST_F(FetcherVectors, TF10_StartsWhereTheLeadersLogStarts) {
    write_alone(2, 1, {"f"});
    write_alone(1, 1, {"a"});
    rig.run_on(1, [](RigNode& node, sim::Context& ctx) {
        auto& partition = const_cast<Partition&>(*node.manager.find(kRigPartition));
        ASSERT_TRUE(partition.log.truncate_fully_and_start_at(ctx, types::Offset(2)).ok());
    });
    tell(1, 1, 2);
    rig.produce(1, {"c"});
    tell(2, 1, 2);
    rig.run(seconds(2));
    EXPECT_EQ(rig.partition(2).log.log_start_offset(), types::Offset(2));
    EXPECT_EQ(rig.records(2), "2:c");
}

TEST_F(FetcherVectors, TF13_TakesNoBatchOfANewerEpochThanItAskedUnder) {
    // KAFKA-18723: handled as one answer, because a leader fences before it could happen.
    tell(2, 1, 4);
    rig.run_on(2, [](RigNode& node, sim::Context& ctx) {
        Bytes records;
        for (const std::int32_t epoch : {3, 4, 5}) {
            const Bytes batch = storage::placed(storage::batch_of({"x"}), epoch - 3, epoch);
            records.insert(records.end(), batch.begin(), batch.end());
        }
        protocol::FetchPartition asked;
        asked.topic_id = kRigTopic;
        asked.current_leader_epoch = types::LeaderEpoch(4);
        protocol::FetchPartitionResult result;
        result.topic_id = kRigTopic;
        result.high_watermark = types::Offset(0);
        result.records = SharedBytes(records);
        FollowerFetchState state;
        state.leader_epoch = types::LeaderEpoch(4);
        Answers out;
        auto& hosted = const_cast<HostedPartitions&>(node.manager.partitions());
        LogDirectories directories = node.manager.directories();
        Purgatory purgatory;
        AlterPartitionManager proposals;
        LogCleaner cleaner;
        DataPlane plane{ctx,
                        {types::rules(ctx), node.image, node.id, node.epoch, ctx.now(), {}},
                        node.manager.options(),
                        directories,
                        hosted,
                        purgatory,
                        proposals,
                        cleaner,
                        out};
        const FetchOutcome outcome = handle_fetch_result(plane, state, asked, result);
        EXPECT_EQ(outcome.step, FetchStep::kChanged);
        EXPECT_EQ(outcome.state.fetch_offset, types::Offset(2));
        // TF15: the same answer again is for another offset now.
        EXPECT_EQ(handle_fetch_result(plane, outcome.state, asked, result).step,
                  FetchStep::kIgnored);
    });
    EXPECT_EQ(rig.records(2), "3:x 4:x");
}

TEST_F(FetcherVectors, TF18_LeavesTheHighWatermarkAloneWhenTheLogsDiverge) {
    for (const std::string value : {"a", "b", "c"}) {
        write_alone(2, 1, {value});
    }
    rig.run_on(2, [](RigNode& node, sim::Context&) {
        auto& partition = const_cast<Partition&>(*node.manager.find(kRigPartition));
        partition.log.set_high_watermark(types::Offset(1));
    });
    write_alone(1, 1, {"a"});
    write_alone(1, 2, {"d"});
    tell(2, 1, 3);
    tell(1, 1, 3);
    rig.run(milliseconds(10));
    const auto cut = rig.events(types::events::kLogTruncated, 2);
    ASSERT_EQ(cut.size(), 1U);
    EXPECT_EQ(cut[0].fields[2], 1);
    rig.run(seconds(2));
    EXPECT_EQ(rig.records(2), "1:a 2:d");
}

TEST_F(FetcherVectors, ComesBackAfterTheNetworkHeals) {
    tell(1, 1, 1);
    tell(2, 1, 1);
    rig.run(milliseconds(100));
    rig.cut(1, 2);
    rig.produce(1, {"a"});
    rig.run(seconds(31));
    EXPECT_EQ(rig.end(2), 0);
    const auto failed = rig.events(types::events::kFetchFailed, 2);
    ASSERT_EQ(failed.size(), 1U) << "replica.socket.timeout.ms is over";
    EXPECT_EQ(failed[0].fields[2], types::to_wire(ErrorCode::kNetworkException));
    rig.heal(1, 2);
    rig.run(seconds(40));
    EXPECT_EQ(rig.end(2), 1);
}

TEST_F(FetcherVectors, TriesADeadLeaderEverySecond) {
    tell(1, 1, 1);
    tell(2, 1, 1);
    rig.run(milliseconds(100));
    rig.crash(1);
    rig.run(seconds(5));
    const auto opened = rig.events(sim::events::kConnectionOpened);
    EXPECT_LE(opened.size(), 2U);
    rig.boot(1);
    rig.publish_again(1);
    rig.produce(1, {"a"});
    rig.run(milliseconds(1'500));
    EXPECT_EQ(rig.end(2), 1);
}

TEST_F(FetcherVectors, AForkGoesTheSameWay) {
    tell(1, 1, 1);
    tell(2, 1, 1);
    rig.produce(1, {"a"});
    sim::World<RigModel> fork = rig.world();
    rig.run(seconds(1));
    fork.run_until(rig.world().time());
    fork.kernel().advance_to(rig.world().time());
    EXPECT_EQ(fork.kernel().trace_hash(), rig.world().kernel().trace_hash());
    EXPECT_EQ(fork.node(ReplicaRig::node_id(2)), rig.node(2));
}

}  // namespace
}  // namespace klab::replication
