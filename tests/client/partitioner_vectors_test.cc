// SPDX-License-Identifier: Apache-2.0
//
// Rows 8 to 11 and 22 to 32 of the client vectors: which partition a key has, which one a record
// without a key gets. Rows that need the accumulator behind it go through a whole producer.
// Kafka: BuiltInPartitionerTest, RecordAccumulatorTest; KIP-794.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/client/partitioner.h"
#include "model/types/murmur2.h"
#include "tests/client/accumulator_lab.h"
#include "tests/client/client_rig.h"

namespace klab::client {
namespace {

std::string partitions_of_key(std::string_view key) {
    std::string text;
    for (const std::int32_t count : {2, 3, 6, 12, 50}) {
        const Bytes bytes(key.begin(), key.end());
        text += (text.empty() ? "" : ",") +
                std::to_string(types::partition_for_key(ByteView(bytes), count));
    }
    return text;
}

TEST(PartitionerVectors, R08_Key21) { EXPECT_EQ(partitions_of_key("21"), "0,0,0,0,40"); }

TEST(PartitionerVectors, R09_KeyFoobar) { EXPECT_EQ(partitions_of_key("foobar"), "0,0,0,6,16"); }

TEST(PartitionerVectors, R10_KeyAbc) { EXPECT_EQ(partitions_of_key("abc"), "1,0,3,3,7"); }

TEST(PartitionerVectors, R11_AKeyedProducerSendsThere) {
    // Through the producer: keys key-0, key-1, key-2 of three partitions.
    types::SendPlan plan;
    plan.count = 3;
    plan.keys = {"key-0", "key-1", "key-2"};
    ClientRig rig(producer_spec(plan), 1, 3);
    rig.start();
    rig.run(milliseconds(10));
    EXPECT_EQ(rig.on_wire(1), "p0 r1 e0 s0 + p1 r0 e0 s0 + p2 r2 e0 s0");
}

/// Draws until the partitioner is told to change, by a fresh client.
std::int32_t next_partition(Partitioner& partitioner, const CachedTopic& topic, ClientRig& rig) {
    std::int32_t partition = 0;
    rig.with_context([&](sim::Context& ctx) { partition = partitioner.sticky(ctx, topic); });
    return partition;
}

TEST(PartitionerVectors, R22_StaysForABatchOfBytes) {
    // Sticky size 3, three updates of one byte: the third one lets go.
    ClientRig rig(producer_spec(sends(0)));
    rig.set_draws(sites::kStickyPartition, {1, 2});
    const CachedTopic topic = topic_of({{1}, {1}, {1}});
    Partitioner partitioner;
    EXPECT_EQ(next_partition(partitioner, topic, rig), 1);
    partitioner.update(1, 3, true);
    EXPECT_EQ(next_partition(partitioner, topic, rig), 1);
    partitioner.update(1, 3, true);
    EXPECT_EQ(next_partition(partitioner, topic, rig), 1);
    partitioner.update(1, 3, true);
    EXPECT_EQ(next_partition(partitioner, topic, rig), 2);
}

TEST(PartitionerVectors, R22_WithSwitchingDisabledTwoBatchesOfBytes) {
    // 1.4: without a batch boundary the change comes at twice batch.size.
    ClientRig rig(producer_spec(sends(0)));
    rig.set_draws(sites::kStickyPartition, {1, 2});
    const CachedTopic topic = topic_of({{1}, {1}, {1}});
    Partitioner partitioner;
    EXPECT_EQ(next_partition(partitioner, topic, rig), 1);
    partitioner.update(5, 3, false);
    EXPECT_EQ(next_partition(partitioner, topic, rig), 1);
    partitioner.update(1, 3, false);
    EXPECT_EQ(next_partition(partitioner, topic, rig), 2);
}

TEST(PartitionerVectors, R23_FrequenciesAreTheInverseOfTheQueues) {
    const auto statistics = load_statistics({5, 0, 3, 0, 1}, {0, 1, 2, 3, 4}, 5);
    ASSERT_TRUE(statistics.has_value());
    std::map<std::int32_t, std::int32_t> hits;
    for (std::int64_t draw = 1000; draw < 1021; ++draw) {
        ++hits[partition_for_draw(*statistics, draw)];
    }
    EXPECT_EQ(hits, (std::map<std::int32_t, std::int32_t>{{0, 1}, {1, 6}, {2, 3}, {3, 6}, {4, 5}}));
}

TEST(PartitionerVectors, R24_CumulativeTable) {
    const auto statistics = load_statistics({0, 3, 1}, {0, 1, 2}, 3);
    ASSERT_TRUE(statistics.has_value());
    EXPECT_EQ(statistics->cumulative, (std::vector<std::int64_t>{4, 5, 8}));
}

TEST(PartitionerVectors, R25_OnlyPartitionsWithALeaderAreDrawn) {
    ClientRig rig(producer_spec(sends(0)));
    rig.set_draws(sites::kStickyPartition, {0, 1, 7});
    const CachedTopic topic = topic_of({{std::nullopt}, {1}, {std::nullopt}, {1}});
    std::vector<std::int32_t> drawn;
    for (int i = 0; i < 3; ++i) {
        Partitioner partitioner;
        drawn.push_back(next_partition(partitioner, topic, rig));
    }
    EXPECT_EQ(drawn, (std::vector<std::int32_t>{1, 3, 3}));
}

TEST(PartitionerVectors, R26_WithoutAnyLeaderAllAreDrawn) {
    ClientRig rig(producer_spec(sends(0)));
    rig.set_draws(sites::kStickyPartition, {0, 1, 2});
    const CachedTopic topic = topic_of({{std::nullopt}, {std::nullopt}, {std::nullopt}});
    std::vector<std::int32_t> drawn;
    for (int i = 0; i < 3; ++i) {
        Partitioner partitioner;
        drawn.push_back(next_partition(partitioner, topic, rig));
    }
    EXPECT_EQ(drawn, (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(PartitionerVectors, R27_OnePartitionIsAlwaysZero) {
    ClientRig rig(producer_spec(sends(0)));
    rig.set_draws(sites::kStickyPartition, {9});
    Partitioner partitioner;
    EXPECT_EQ(next_partition(partitioner, topic_of({{1}}), rig), 0);
}

TEST(PartitionerVectors, R28_EqualQueuesAndSinglePartitionsSayNothing) {
    EXPECT_FALSE(load_statistics({2, 2, 2}, {0, 1, 2}, 3).has_value());
    EXPECT_FALSE(load_statistics({7}, {0}, 1).has_value());
    EXPECT_FALSE(load_statistics({}, {}, 3).has_value());
    // Kafka: updatePartitionLoadStats. Equal queues speak when partitions were left out.
    EXPECT_TRUE(load_statistics({2, 2}, {0, 2}, 3).has_value());
}

/// Partitions of the records of a producer without keys, in order of sending.
std::vector<std::int32_t> partitions_sent(ClientRig& rig) {
    std::vector<std::int32_t> partitions;
    for (const sim::Event& event : rig.events(types::events::kRecordSent)) {
        partitions.push_back(sim::unpack_index(event.fields[1]));
    }
    return partitions;
}

TEST(PartitionerVectors, R29_R30_SwitchesAtABatchBoundary) {
    // A small record, then large ones (their keys are large, and ignored). The second goes where
    // the first is, although batch.size is exceeded: too few bytes were produced before it. Each
    // further one finds a batch that has no room and batch.size bytes, and moves on.
    const std::string large(1024, 'k');
    types::SendPlan plan;
    plan.count = 5;
    plan.keys = {"s", large, large, large, large};
    ClientRig rig(
        producer_spec(
            plan,
            {{"batch.size", "1024"}, {"linger.ms", "1000"}, {"partitioner.ignore.keys", "true"}}),
        1,
        3);
    rig.set_draws(sites::kStickyPartition, {0, 1, 2, 0});
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(partitions_sent(rig), (std::vector<std::int32_t>{0, 0, 1, 2, 0}));
}

TEST(PartitionerVectors, R29_AnIncompleteBatchHoldsThePartition) {
    // Values of 600 bytes: the first leaves room, the second does not fit (the batch is closed,
    // but less than batch.size bytes were produced), so it opens a second batch in the same
    // partition. The third finds that one incomplete too small for it, closes it and moves on.
    types::SendPlan plan;
    plan.count = 5;
    plan.value_bytes = 600;
    ClientRig rig(producer_spec(plan, {{"batch.size", "1024"}, {"linger.ms", "1000"}}), 1, 3);
    rig.set_draws(sites::kStickyPartition, {0, 1, 2});
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(partitions_sent(rig), (std::vector<std::int32_t>{0, 0, 1, 1, 2}));
}

TEST(PartitionerVectors, R30_ADrainedBatchIsABoundaryToo) {
    // linger.ms 0: each record leaves at once, so every append meets an empty queue. The header of
    // each batch counts; after batch.size bytes the next append moves on, not after twice that.
    types::SendPlan plan;
    plan.count = 8;
    plan.every = milliseconds(10);
    plan.value_bytes = 300;
    ClientRig rig(
        producer_spec(plan,
                      {{"batch.size", "1024"}, {"max.in.flight.requests.per.connection", "5"}}),
        1,
        3);
    rig.set_draws(sites::kStickyPartition, {0, 1, 2});
    rig.start();
    for (int i = 0; i < 10; ++i) {
        rig.run(milliseconds(10));
        if (rig.held(1) > 0) {
            rig.answer(1, {});
        }
    }
    // 61 + about 307 bytes a batch: three reach 1024.
    EXPECT_EQ(partitions_sent(rig), (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1, 2, 2}));
}

TEST(PartitionerVectors, R30_RecordsOfOneBatchCountWithoutItsHeader) {
    // Fifteen records of 68 bytes in one batch are 61 + 15 x 68 bytes, not 15 x 129. The sixteenth
    // opens a second batch in the same partition, and 20 of them are still below twice batch.size.
    types::SendPlan plan;
    plan.count = 20;
    plan.value_bytes = 60;
    ClientRig rig(producer_spec(plan, {{"batch.size", "1085"}, {"linger.ms", "1000"}}), 1, 3);
    rig.set_draws(sites::kStickyPartition, {0, 1, 2});
    rig.start();
    rig.run(milliseconds(20));
    EXPECT_EQ(partitions_sent(rig), std::vector<std::int32_t>(20, 0));
}

TEST(PartitionerVectors, R31_AdaptiveFrequencies) {
    const auto statistics = load_statistics({1, 7, 2}, {0, 1, 2}, 3);
    ASSERT_TRUE(statistics.has_value());
    std::map<std::int32_t, std::int32_t> hits;
    for (std::int64_t draw = 0; draw < 28; ++draw) {
        ++hits[partition_for_draw(*statistics, draw)];
    }
    EXPECT_EQ(hits, (std::map<std::int32_t, std::int32_t>{{0, 14}, {1, 2}, {2, 12}}));
}

types::ProducerConfig one_record_batches() {
    types::ProducerConfig config;
    config.batch_size = 128;
    config.linger_ms = 0;
    return config;
}

TEST(PartitionerVectors, R31_StatisticsOfTheAccumulator) {
    AccumulatorLab lab(one_record_batches(), topic_of({{1}, {1}, {1}}));
    EXPECT_FALSE(lab.accumulator.load(lab.topic).has_value());
    for (const auto& [partition, count] : {std::pair{0, 1}, {1, 7}}) {
        for (int i = 0; i < count; ++i) {
            lab.append(partition, 128);
        }
    }
    // Not before every partition had a batch.
    EXPECT_FALSE(lab.accumulator.load(lab.topic).has_value());
    lab.append(2, 128);
    lab.append(2, 128);
    const auto statistics = lab.accumulator.load(lab.topic);
    ASSERT_TRUE(statistics.has_value());
    EXPECT_EQ(statistics->cumulative, (std::vector<std::int64_t>{7, 8, 14}));
    EXPECT_EQ(statistics->partitions, (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(PartitionerVectors, R31_PartitionsWithoutLeaderAreLeftOut) {
    AccumulatorLab lab(one_record_batches(), topic_of({{1}, {std::nullopt}, {1}}));
    for (std::int32_t partition = 0; partition < 3; ++partition) {
        lab.append(partition, 128);
    }
    const auto statistics = lab.accumulator.load(lab.topic);
    ASSERT_TRUE(statistics.has_value());
    EXPECT_EQ(statistics->partitions, (std::vector<std::int32_t>{0, 2}));
    EXPECT_EQ(statistics->cumulative, (std::vector<std::int64_t>{1, 2}));
}

RC_GTEST_PROP(PartitionerLaws, EveryDrawFallsOnAListedPartitionInProportion, ()) {
    const auto count = *rc::gen::inRange<std::size_t>(2, 8);
    std::vector<std::int64_t> queues(count);
    std::vector<std::int32_t> partitions(count);
    for (std::size_t i = 0; i < count; ++i) {
        queues[i] = *rc::gen::inRange(0, 9);
        partitions[i] = static_cast<std::int32_t>(2 * i + 1);
    }
    const auto statistics = load_statistics(queues, partitions, count);
    const std::int64_t longest = *std::max_element(queues.begin(), queues.end());
    if (!statistics) {
        RC_ASSERT(std::all_of(queues.begin(), queues.end(), [&](auto q) { return q == longest; }));
        return;
    }
    std::map<std::int32_t, std::int64_t> hits;
    const auto start = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
    for (std::int64_t draw = start; draw < start + statistics->cumulative.back(); ++draw) {
        ++hits[partition_for_draw(*statistics, draw)];
    }
    for (std::size_t i = 0; i < count; ++i) {
        RC_ASSERT(hits[partitions[i]] == longest + 1 - queues[i]);
    }
}

}  // namespace
}  // namespace klab::client
