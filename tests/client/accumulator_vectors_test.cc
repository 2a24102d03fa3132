// SPDX-License-Identifier: Apache-2.0
//
// Rows 33 to 42 of the client vectors: when a batch is ready, what a drain takes, how a failed
// batch waits, when one expires. Brokers 1 and 2 play node1 and node2; partitions count from 0, so
// tp1 is partition 0.
// Kafka: RecordAccumulatorTest.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/client/accumulator_lab.h"

namespace klab::client {
namespace {

types::ProducerConfig lingering(std::int64_t linger_ms, std::int64_t batch_size = 16'384) {
    types::ProducerConfig config;
    config.linger_ms = linger_ms;
    config.batch_size = batch_size;
    return config;
}

/// node1 leads tp1, tp2; node2 leads tp3, tp4.
CachedTopic two_brokers() { return topic_of({{1}, {1}, {2}, {2}}); }

TEST(AccumulatorVectors, R33_LingerMakesASmallBatchReady) {
    AccumulatorLab lab(lingering(10), topic_of({{1}}));
    lab.append(0);
    EXPECT_EQ(lab.ready_brokers(), "");
    EXPECT_EQ(lab.ready().look_again, milliseconds(10));
    lab.now = lab.now + milliseconds(10) - nanoseconds(1);
    EXPECT_EQ(lab.ready_brokers(), "");
    lab.now = lab.now + nanoseconds(1);
    EXPECT_EQ(lab.ready_brokers(), "1");
    const std::vector<ProducerBatch> batches = lab.drain(1);
    ASSERT_EQ(batches.size(), 1U);
    EXPECT_EQ(batches[0].records, (std::vector<std::int64_t>{0}));
}

TEST(AccumulatorVectors, R34_NextCheckIsTheShortestLingerLeft) {
    AccumulatorLab lab(lingering(10, 1025 + 61), two_brokers());
    const auto nearly_fill = [&](std::int32_t partition) {
        for (int i = 0; i < 12; ++i) {
            lab.append(partition, 70);
        }
    };
    nearly_fill(0);
    EXPECT_EQ(lab.ready_brokers(), "");
    EXPECT_EQ(lab.ready().look_again, milliseconds(10));
    lab.now = lab.now + milliseconds(5);
    nearly_fill(2);
    EXPECT_EQ(lab.ready_brokers(), "");
    EXPECT_EQ(lab.ready().look_again, milliseconds(5));
    nearly_fill(1);
    lab.append(1, 70);
    EXPECT_EQ(lab.ready_brokers(), "1");
    EXPECT_LE(*lab.ready().look_again, milliseconds(10));
}

TEST(AccumulatorVectors, R35_ARecordWithoutRoomClosesTheBatch) {
    AccumulatorLab lab(lingering(1000, 1024), topic_of({{1}}));
    std::int64_t in_first = 0;
    while (lab.try_append(0, 70) == Appended::kToBatch || in_first == 0) {
        EXPECT_EQ(lab.ready_brokers(), "");
        ++in_first;
    }
    // 61 + 12 x 79 bytes; the thirteenth would make it 1088.
    EXPECT_EQ(in_first, 12);
    EXPECT_EQ(lab.accumulator.queued(0), 2U);
    EXPECT_TRUE(lab.accumulator.has_incomplete_batch(0));
    EXPECT_EQ(lab.ready_brokers(), "1");
    const std::vector<ProducerBatch> batches = lab.drain(1);
    ASSERT_EQ(batches.size(), 1U);
    EXPECT_EQ(batches[0].count(), 12);
    EXPECT_TRUE(batches[0].closed);
    EXPECT_LE(batches[0].builder.size(), 1024U);
}

TEST(AccumulatorVectors, R35_AFullBatchIsReadyWithoutASecondOne) {
    // 61 + 3 x 79 bytes: exactly full, so linger does not matter.
    AccumulatorLab lab(lingering(1000, 298), topic_of({{1}}));
    lab.append(0, 70);
    lab.append(0, 70);
    EXPECT_TRUE(lab.accumulator.has_incomplete_batch(0));
    lab.append(0, 70);
    EXPECT_EQ(lab.accumulator.queued(0), 1U);
    EXPECT_FALSE(lab.accumulator.has_incomplete_batch(0));
    EXPECT_EQ(lab.ready_brokers(), "1");
}

TEST(AccumulatorVectors, R35_ALargeRecordGetsABatchOfItsOwn) {
    // testAppendLarge. Its buffer is the upper bound of its size, so it is not full by itself and
    // lingers; the next record closes it.
    AccumulatorLab lab(lingering(10, 512), topic_of({{1}}));
    lab.append(0, 1024);
    EXPECT_EQ(lab.ready_brokers(), "");
    lab.append(0, 70);
    EXPECT_EQ(lab.accumulator.queued(0), 2U);
    EXPECT_EQ(lab.ready_brokers(), "1");
    const std::vector<ProducerBatch> batches = lab.drain(1);
    ASSERT_EQ(batches.size(), 1U);
    EXPECT_EQ(batches[0].count(), 1);
    EXPECT_GT(batches[0].builder.size(), 512U);
}

/// The limit of a request is one batch: row 36 and 37.
AccumulatorLab one_batch_requests() {
    types::ProducerConfig config = lingering(10, one_record_batch_bytes(70));
    config.max_request_bytes = config.batch_size;
    return {config, two_brokers()};
}

TEST(AccumulatorVectors, R36_DrainsTakeTurns) {
    AccumulatorLab lab = one_batch_requests();
    for (std::int32_t partition = 0; partition < 4; ++partition) {
        lab.append(partition, 70);
    }
    EXPECT_EQ(lab.drained(1), "0");
    EXPECT_EQ(lab.drained(2), "2");
    lab.append(0, 70);
    lab.append(2, 70);
    EXPECT_EQ(lab.drained(1), "1");
    EXPECT_EQ(lab.drained(2), "3");
    EXPECT_EQ(lab.drained(1), "0");
    EXPECT_EQ(lab.drained(2), "2");
}

TEST(AccumulatorVectors, R37_AMutedPartitionIsSkipped) {
    AccumulatorLab lab = one_batch_requests();
    for (const std::int32_t partition : {0, 1, 2, 3, 0, 2}) {
        lab.append(partition, 70);
    }
    for (int drain = 0; drain < 3; ++drain) {
        static_cast<void>(lab.drained(1));
        static_cast<void>(lab.drained(2));
    }
    for (const std::int32_t partition : {1, 2, 3}) {
        lab.append(partition, 70);
    }
    lab.accumulator.mute(3);
    EXPECT_EQ(lab.drained(1), "1");
    EXPECT_EQ(lab.drained(2), "2");
    // And once it is not muted any more:
    lab.accumulator.unmute(3);
    EXPECT_EQ(lab.drained(2), "3");
}

TEST(AccumulatorVectors, R37_WithoutALimitAllPartitionsOfABrokerGo) {
    AccumulatorLab lab(lingering(10), two_brokers());
    for (std::int32_t partition = 0; partition < 4; ++partition) {
        lab.append(partition, 70);
    }
    EXPECT_EQ(lab.drained(1), "0 1");
    EXPECT_EQ(lab.drained(2), "2 3");
}

/// tp1 was sent and failed; tp2 has fresh data that has lingered.
AccumulatorLab after_a_failure() {
    AccumulatorLab lab(lingering(10), topic_of({{1}, {1}}));
    lab.append(0);
    lab.now = lab.now + milliseconds(10);
    std::vector<ProducerBatch> sent = lab.drain(1);
    lab.append(1);
    lab.fail(std::move(sent.at(0)), milliseconds(100));
    lab.now = lab.now + milliseconds(11);
    return lab;
}

TEST(AccumulatorVectors, R38_AFailedBatchBacksOffAloneInItsPartition) {
    AccumulatorLab lab = after_a_failure();
    EXPECT_EQ(lab.ready_brokers(), "1");
    EXPECT_EQ(lab.drained(1), "1");
    EXPECT_EQ(lab.ready_brokers(), "");
    EXPECT_EQ(lab.ready().look_again, milliseconds(89));
}

TEST(AccumulatorVectors, R39_AfterTheBackoffItGoes) {
    AccumulatorLab lab = after_a_failure();
    EXPECT_EQ(lab.drained(1), "1");
    lab.now = lab.now + milliseconds(89);
    EXPECT_EQ(lab.ready_brokers(), "1");
    EXPECT_EQ(lab.drained(1), "0");
}

TEST(AccumulatorVectors, R40_UnderANewLeaderItGoesAtOnce) {
    AccumulatorLab lab = after_a_failure();
    lab.topic = topic_of({{2, 1}, {1}});
    EXPECT_EQ(lab.ready_brokers(), "1 2");
    EXPECT_EQ(lab.drained(2), "0");
}

TEST(AccumulatorVectors, R40_TheEpochCountsNotTheBroker) {
    // Kafka: ProducerBatch.maybeUpdateLeaderEpoch. The same broker elected again is a new leader;
    // another name without a newer epoch is not.
    AccumulatorLab again = after_a_failure();
    again.topic = topic_of({{1, 1}, {1}});
    EXPECT_EQ(again.drained(1), "1 0");
    AccumulatorLab same_epoch = after_a_failure();
    same_epoch.topic = topic_of({{2, 0}, {1}});
    EXPECT_EQ(same_epoch.ready_brokers(), "1");
    EXPECT_EQ(same_epoch.drained(2), "");
}

TEST(AccumulatorVectors, R40_TheNextFailureUnderThatLeaderBacksOff) {
    AccumulatorLab lab = after_a_failure();
    lab.topic = topic_of({{2, 1}, {1}});
    std::vector<ProducerBatch> sent = lab.drain(2);
    ASSERT_EQ(sent.size(), 1U);
    lab.fail(std::move(sent[0]), milliseconds(100));
    EXPECT_EQ(lab.drained(2), "");
    lab.now = lab.now + milliseconds(100);
    EXPECT_EQ(lab.drained(2), "0");
}

TEST(AccumulatorVectors, R41_BatchesExpireMutedOrNot) {
    for (const bool muted : {false, true}) {
        types::ProducerConfig config = lingering(10);
        config.delivery_timeout_ms = 3200;
        AccumulatorLab lab(config, topic_of({{1}}));
        lab.append(0);
        if (muted) {
            lab.accumulator.mute(0);
        }
        lab.now = lab.now + milliseconds(3199);
        EXPECT_EQ(lab.accumulator.next_expiry(), lab.now + milliseconds(1));
        EXPECT_TRUE(lab.accumulator.take_expired(lab.now).empty());
        lab.now = lab.now + milliseconds(2);
        EXPECT_EQ(lab.accumulator.take_expired(lab.now).size(), 1U);
        EXPECT_TRUE(lab.accumulator.empty());
        EXPECT_EQ(lab.accumulator.next_expiry(), std::nullopt);
    }
}

TEST(AccumulatorVectors, R42_WaitersForMemoryMakeIncompleteBatchesReady) {
    types::ProducerConfig config = lingering(1000, 1024);
    config.buffer_memory_bytes = 1024;
    AccumulatorLab lab(config, topic_of({{1}, {1}}));
    EXPECT_EQ(lab.try_append(0, 10), Appended::kNewBatch);
    EXPECT_EQ(lab.ready_brokers(), "");
    EXPECT_EQ(lab.try_append(1, 10), Appended::kNoMemory);
    lab.accumulator.set_waiting_for_memory(true);
    EXPECT_EQ(lab.ready_brokers(), "1");
    // The batch that is done gives its buffer back.
    for (const ProducerBatch& batch : lab.drain(1)) {
        lab.accumulator.release(batch);
    }
    EXPECT_EQ(lab.try_append(1, 10), Appended::kNewBatch);
}

TEST(Accumulator, ClosingMakesEverythingReady) {
    AccumulatorLab lab(lingering(1000), topic_of({{1}}));
    lab.append(0);
    EXPECT_TRUE(lab.ready().brokers.empty());
    EXPECT_EQ(lab.ready(true).brokers.size(), 1U);
}

TEST(Accumulator, APartitionWithoutLeaderAsksForMetadata) {
    AccumulatorLab lab(lingering(0), topic_of({{std::nullopt}, {1}}));
    lab.append(1);
    EXPECT_FALSE(lab.ready().unknown_leader);
    lab.append(0);
    EXPECT_TRUE(lab.ready().unknown_leader);
    EXPECT_EQ(lab.ready_brokers(), "1");
}

TEST(Accumulator, APartitionThatIsGoneHasNoLeader) {
    // The topic was made anew with fewer partitions while records waited for its second one.
    AccumulatorLab lab(lingering(0), topic_of({{1}, {1}}));
    lab.append(1);
    lab.topic = topic_of({{1}});
    EXPECT_TRUE(lab.ready().unknown_leader);
    EXPECT_EQ(lab.ready_brokers(), "");
    EXPECT_EQ(lab.drained(1), "");
}

TEST(Accumulator, ABatchLargerThanARequestGoesAlone) {
    // 1.5: stop when the limit is exceeded and at least one batch is taken.
    types::ProducerConfig config = lingering(0, 4096);
    config.max_request_bytes = 1000;
    AccumulatorLab lab(config, topic_of({{1}, {1}}));
    for (int i = 0; i < 4; ++i) {
        lab.append(0, 500);
        lab.append(1, 500);
    }
    EXPECT_EQ(lab.drained(1), "0");
    EXPECT_EQ(lab.drained(1), "1");
}

TEST(Accumulator, ARetryWithoutSequencesGoesToTheFront) {
    AccumulatorLab lab(lingering(0, 1), topic_of({{1}}));
    for (int i = 0; i < 3; ++i) {
        lab.append(0, 100);
    }
    std::vector<ProducerBatch> first = lab.drain(1);
    std::vector<ProducerBatch> second = lab.drain(1);
    lab.fail(std::move(first.at(0)), {});
    lab.fail(std::move(second.at(0)), {});
    // Two in flight that both fail come back in the wrong order: the classical reorder (1.8).
    std::vector<std::int64_t> order;
    for (int i = 0; i < 3; ++i) {
        order.push_back(lab.drain(1).at(0).records.at(0));
    }
    EXPECT_EQ(order, (std::vector<std::int64_t>{1, 0, 2}));
}

}  // namespace
}  // namespace klab::client
