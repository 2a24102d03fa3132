// SPDX-License-Identifier: Apache-2.0
//
// Appending to a log as leader and as follower, rolling, and the high watermark: rows V15 to V19
// and U1 to U31, U47, U48, U51 of Kafka's own cases.
#include <limits>

#include <gtest/gtest.h>

#include "model/storage/checkpoint_store.h"
#include "tests/storage/log_fixture.h"
#include "tests/storage/transaction_batches.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;
constexpr std::int64_t kMax32 = 2147483647;

class LogAppend : public LogTest {
  protected:
    std::optional<AppendError> error_of(const Bytes& bytes) {
        const auto done = lead(bytes);
        return done ? std::nullopt : std::optional(done.error().error);
    }
};

TEST_F(LogAppend, V15_LeaderAssignsOffsetsAndStampsItsEpoch) {
    options_.log_start = Offset(1234567);
    open();
    ASSERT_TRUE(lead(batch_of({"a", "b", "c"}), 7).ok());
    ASSERT_TRUE(lead(batch_of({"d"}), 7).ok());
    const auto batches = list_batches(log_, disk_);
    ASSERT_EQ(batches.size(), 2U);
    EXPECT_EQ(batches[0].base_offset, Offset(1234567));
    EXPECT_EQ(batches[1].base_offset, Offset(1234570));
    EXPECT_EQ(batches[1].leader_epoch, LeaderEpoch(7));
    EXPECT_TRUE(batches[0].is_crc_valid);
    EXPECT_EQ(end(), 1234571);
}

TEST_F(LogAppend, V17_BatchLargerThanMaxMessageBytes) {
    options_.config.max_message_bytes = kOne - 1;
    open();
    EXPECT_EQ(error_of(batch_of({"test"})), AppendError::kRecordTooLarge);
    EXPECT_TRUE(follow(placed(batch_of({"test"}), 0, 0)).ok()) << "followers take it";
}

TEST_F(LogAppend, V18_AppendLargerThanTheSegment) {
    options_.config.segment_bytes = kOne - 1;
    open();
    EXPECT_EQ(error_of(batch_of({"test"})), AppendError::kRecordBatchTooLarge);
    EXPECT_EQ(follow(placed(batch_of({"test"}), 0, 0)).error().error,
              AppendError::kRecordBatchTooLarge);
    EXPECT_EQ(end(), 0);
}

TEST_F(LogAppend, V19_ClientBatchMustStartAtZero) {
    open();
    EXPECT_EQ(error_of(placed(batch_of({"a"}), 1, 0)), AppendError::kInvalidRecord);
}

TEST_F(LogAppend, V5_TwoBatchesInOneAppend) {
    open();
    Bytes two = batch_of({"a"});
    const Bytes second = batch_of({"b"});
    two.insert(two.end(), second.begin(), second.end());
    EXPECT_EQ(error_of(two), AppendError::kInvalidRecord);
    EXPECT_EQ(error_of({}), AppendError::kInvalidRecord);
}

TEST_F(LogAppend, V21_DamagedBatchFromAClient) {
    open();
    Bytes bytes = batch_of({"a"});
    bytes.back() ^= 1;
    EXPECT_EQ(error_of(bytes), AppendError::kCorruptRecord);
    EXPECT_EQ(end(), 0);
}

TEST_F(LogAppend, TimestampsOfALogAppendTimeTopicAreTheBrokers) {
    options_.config.timestamp_type = TimestampType::kLogAppendTime;
    open();
    const auto done = lead(batch_of({"a"}, 5));
    ASSERT_TRUE(done.ok());
    EXPECT_EQ(done->log_append_time, now_ms_);
    EXPECT_EQ(list_records(log_, disk_)[0].timestamp, now_ms_);
    EXPECT_TRUE(list_batches(log_, disk_)[0].is_crc_valid);
}

TEST_F(LogAppend, U1_to_U7_RollingByTime) {
    constexpr std::int64_t kSegmentMs = 1000;
    options_.config.segment_ms = kSegmentMs;
    open();
    const auto append_at = [this](std::int64_t timestamp) {
        ASSERT_TRUE(lead(batch_of({"x"}, timestamp)).ok());
    };
    const auto sleep = [this] { now_ms_ += kSegmentMs + 1; };
    sleep();
    append_at(-1);
    EXPECT_EQ(bases().size(), 1U) << "U1: an empty active segment never rolls";
    sleep();
    append_at(-1);
    EXPECT_EQ(bases().size(), 2U) << "U2";
    sleep();
    append_at(-1);
    EXPECT_EQ(bases().size(), 3U) << "U3";
    sleep();
    append_at(-1);
    EXPECT_EQ(bases().size(), 4U) << "U3";
    append_at(now_ms_ + kSegmentMs + 1);
    EXPECT_EQ(bases().size(), 4U) << "U4: the segment's first batch has no timestamp";
    const std::int64_t same = now_ms_ + kSegmentMs + 1;
    sleep();
    append_at(same);
    EXPECT_EQ(bases().size(), 5U) << "U5";
    sleep();
    append_at(same);
    EXPECT_EQ(bases().size(), 5U) << "U6: message time did not move";
    append_at(same + kSegmentMs + 1);
    EXPECT_EQ(bases().size(), 6U) << "U7";
}

TEST_F(LogAppend, U10_RollingBySize) {
    options_.config.segment_bytes = 10 * kOne;
    open();
    append_many(22);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 10, 20}));
    EXPECT_EQ(log_.recovery_point(), Offset(0));
    ASSERT_FALSE(log_.run_pending_flush(port()));
    EXPECT_EQ(log_.recovery_point(), Offset(20)) << "U16: closed segments are flushed";
}

TEST_F(LogAppend, U14_OffsetsThatDoNotFitTheSegment) {
    open();
    ASSERT_TRUE(follow(placed(batch_of({"a"}), 0, 0)).ok());
    for (const std::int64_t offset : {kMax32 + 2, kMax32 + 3, kMax32 + 4}) {
        ASSERT_TRUE(follow(placed(batch_of({"b"}), offset, 0)).ok());
    }
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, kMax32 + 2}));
    EXPECT_EQ(end(), kMax32 + 5);
    const auto gap = read(1);
    ASSERT_TRUE(gap.ok());
    EXPECT_EQ(gap->place.offset, Offset(kMax32 + 2)) << "U35: a gap is skipped";
}

TEST_F(LogAppend, U18_HighWatermarkFollowsTheLog) {
    open();
    const auto set = [this](std::int64_t offset) {
        return log_.set_high_watermark(Offset(offset)).value();
    };
    const auto hw = [this] { return log_.high_watermark().value(); };
    append_many(3);
    EXPECT_EQ(hw(), 0);
    EXPECT_EQ(set(1), 1);
    EXPECT_EQ(set(5), 3);
    for (std::int64_t offset = 3; offset < 6; ++offset) {
        ASSERT_TRUE(follow(placed(batch_of({"x"}), offset, 0)).ok());
    }
    EXPECT_EQ(hw(), 3);
    EXPECT_EQ(set(6), 6);
    truncate(3);
    EXPECT_EQ(hw(), 3);
    append_many(3);
    EXPECT_EQ(hw(), 3);
    const auto fact = log_.truncate_fully_and_start_at(port(), Offset(4));
    ASSERT_TRUE(fact.ok());
    EXPECT_EQ(*fact, (TruncationFact{Offset(6), Offset(4), Offset(3)}));
    EXPECT_EQ(hw(), 4);
    EXPECT_EQ(end(), 4);
    EXPECT_EQ(log_.log_start_offset(), Offset(4));
}

TEST_F(LogAppend, U20_LogStartMayNotPassTheHighWatermark) {
    open();
    append_many(100);
    log_.set_high_watermark(Offset(25));
    EXPECT_EQ(log_.raise_log_start(port(), Offset(26)).error(),
              types::ErrorCode::kOffsetOutOfRange);
    EXPECT_EQ(log_.raise_log_start(port(), Offset(25)).value(), true);
    EXPECT_EQ(log_.raise_log_start(port(), Offset(25)).value(), false);
    EXPECT_EQ(log_.log_start_offset(), Offset(25));
    EXPECT_EQ(log_.set_high_watermark(Offset(3)), Offset(25));
}

TEST_F(LogAppend, U21_RaftLeaderBringsItsOwnOffsets) {
    open();
    const auto raft = [this](std::int64_t base) {
        const Bytes bytes = placed(batch_of({"a", "b", "c"}), base, 0);
        return log_.append_as_leader(
            port(), rules_, {bytes, LeaderEpoch(0), AppendOrigin::kRaftLeader});
    };
    EXPECT_TRUE(raft(0).ok());
    EXPECT_EQ(raft(1).error().error, AppendError::kUnexpectedAppendOffset);
    EXPECT_TRUE(raft(3).ok());
    EXPECT_EQ(end(), 6);
}

TEST_F(LogAppend, U22_FollowerAppendBelowTheLogEnd) {
    open();
    append_many(2);
    const auto result = follow(placed(batch_of({"x"}), 0, 0));
    EXPECT_EQ(result.error().error, AppendError::kUnexpectedAppendOffset);
}

TEST_F(LogAppend, U23_FollowerOfAnEmptyLogLearnsTheOffsets) {
    options_.log_start = Offset(7);
    open();
    const auto result = follow(placed(batch_of({"a", "b", "c"}), 4, 0));
    EXPECT_EQ(result.error().error, AppendError::kUnexpectedAppendOffset);
    EXPECT_EQ(result.error().first_offset, Offset(4));
    EXPECT_EQ(result.error().last_offset, Offset(6));
}

Bytes concat(const std::vector<Bytes>& batches) {
    Bytes out;
    for (const Bytes& batch : batches) {
        out.insert(out.end(), batch.begin(), batch.end());
    }
    return out;
}

TEST_F(LogAppend, U24_FollowerOffsetsOutOfOrder) {
    open();
    std::vector<Bytes> batches;
    for (const std::int64_t offset : {0, 1, 3, 2, 4}) {
        batches.push_back(placed(batch_of({"x"}), offset, 0));
    }
    EXPECT_EQ(follow(concat(batches)).error().error, AppendError::kOffsetsOutOfOrder);
    EXPECT_EQ(end(), 0);
}

TEST_F(LogAppend, FollowerRefusesOffsetsThatHaveNoNextOne) {
    open();
    const std::int64_t last = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(follow(placed(batch_of({"x"}), last, 0)).error().error,
              AppendError::kOffsetsOutOfOrder);
    EXPECT_EQ(follow(placed(batch_of({"x"}), -1, 0)).error().error,
              AppendError::kOffsetsOutOfOrder);
}

TEST_F(LogAppend, U25_FollowerKeepsRepeatedSequences) {
    open();
    const Bytes batch = idempotent_batch_of(1, 0, 0, {"a", "b"});
    ASSERT_TRUE(follow(placed(batch, 0, 0)).ok());
    ASSERT_TRUE(follow(placed(batch, 2, 0)).ok());
    EXPECT_EQ(end(), 4);
}

TEST_F(LogAppend, U26_FollowerAppendOfSeveralProducers) {
    open();
    const auto done = follow(concat({placed(idempotent_batch_of(1, 0, 0, {"a"}), 0, 0),
                                     placed(idempotent_batch_of(2, 0, 0, {"b"}), 1, 0),
                                     placed(idempotent_batch_of(1, 0, 1, {"c"}), 2, 0),
                                     placed(idempotent_batch_of(2, 0, 0, {"d"}), 3, 0),
                                     placed(idempotent_batch_of(1, 0, 2, {"e"}), 4, 0)}));
    ASSERT_TRUE(done.ok());
    EXPECT_EQ(done->batches.size(), 5U);
    EXPECT_EQ(end(), 5);
    EXPECT_EQ(log_.producers().find(types::ProducerId(1))->last_sequence(), 2);
}

TEST_F(LogAppend, FollowerIgnoresATornLastBatch) {
    open();
    Bytes bytes = concat({placed(batch_of({"a"}), 0, 0), placed(batch_of({"b"}), 1, 0)});
    bytes.pop_back();
    const auto done = follow(bytes);
    ASSERT_TRUE(done.ok());
    EXPECT_EQ(done->batches.size(), 1U);
    EXPECT_EQ(end(), 1);
    EXPECT_EQ(log_.size(), list_batches(log_, disk_)[0].size);
}

TEST_F(LogAppend, FollowerStopsAtAnEpochNewerThanItAskedUnder) {
    // KAFKA-18723: a batch of a newer leader must not slip in under the older epoch.
    open();
    const Bytes bytes = concat({placed(batch_of({"a"}), 0, 3), placed(batch_of({"b"}), 1, 5)});
    const auto done = log_.append_as_follower(port(), {bytes, LeaderEpoch(3)});
    ASSERT_TRUE(done.ok());
    EXPECT_EQ(done->batches.size(), 1U);
    EXPECT_EQ(log_.latest_epoch(), LeaderEpoch(3));
}

TEST_F(LogAppend, U27_to_U31_IdempotentProducer) {
    open();
    const auto send = [this](std::int32_t sequence, std::vector<std::string> values) {
        return lead(idempotent_batch_of(1, 0, sequence, values));
    };
    for (std::int32_t sequence = 0; sequence < 6; ++sequence) {
        ASSERT_TRUE(send(sequence, {"x"}).ok());
    }
    const auto first = send(6, {"a", "b", "c"});
    ASSERT_TRUE(first.ok());
    EXPECT_FALSE(first->is_duplicate);
    const auto again = send(6, {"a", "b", "c"});
    ASSERT_TRUE(again.ok()) << "U27: a retry gets the first answer";
    EXPECT_TRUE(again->is_duplicate);
    EXPECT_EQ(again->batch.base_offset, first->batch.base_offset);
    EXPECT_EQ(again->batch.last_offset, first->batch.last_offset);
    EXPECT_EQ(end(), 9);
    EXPECT_EQ(send(7, {"b", "c"}).error().error, AppendError::kOutOfOrderSequence) << "U28";
    EXPECT_TRUE(send(2, {"x"})->is_duplicate) << "U29: the fifth batch back";
    EXPECT_EQ(send(1, {"x"}).error().error, AppendError::kOutOfOrderSequence) << "U29";
    EXPECT_EQ(send(11, {"x"}).error().error, AppendError::kOutOfOrderSequence) << "U30";
    ASSERT_TRUE(lead(idempotent_batch_of(1, 1, 0, {"x"})).ok());
    EXPECT_EQ(lead(idempotent_batch_of(1, 0, 0, {"x"})).error().error,
              AppendError::kInvalidProducerEpoch)
        << "U31";
}

TEST_F(LogAppend, MutantSequenceUncheckedStoresARetryTwice) {
    // The mutant exists so that the checks can be seen to find what it breaks.
    rules_.mutants = 1U << static_cast<std::uint32_t>(types::Mutant::kSequenceUnchecked);
    open();
    ASSERT_TRUE(lead(idempotent_batch_of(1, 0, 0, {"x"})).ok());
    const auto again = lead(idempotent_batch_of(1, 0, 0, {"x"}));
    ASSERT_TRUE(again.ok());
    EXPECT_FALSE(again->is_duplicate);
    EXPECT_EQ(end(), 2);
}

Bytes marker(std::int16_t producer_epoch, std::int32_t coordinator_epoch) {
    return build_end_transaction_marker(
        {Offset(0), std::nullopt, types::ProducerId(1), types::ProducerEpoch(producer_epoch), 0},
        {ControlType::kAbort, coordinator_epoch});
}

TEST_F(LogAppend, U47_U48_MarkersAreFencedByBothEpochs) {
    open();
    const auto end_transaction = [this](std::int16_t epoch, std::int32_t coordinator) {
        const auto done = log_.append_as_leader(
            port(),
            rules_,
            {marker(epoch, coordinator), LeaderEpoch(0), AppendOrigin::kCoordinator});
        return done ? std::nullopt : std::optional(done.error().error);
    };
    EXPECT_EQ(end_transaction(0, 1), std::nullopt);
    EXPECT_EQ(end_transaction(0, 2), std::nullopt);
    EXPECT_EQ(end_transaction(0, 1), AppendError::kTransactionCoordinatorFenced);
    EXPECT_EQ(end_transaction(5, 2), std::nullopt);
    EXPECT_EQ(end_transaction(4, 2), AppendError::kInvalidProducerEpoch);
}

TEST_F(LogAppend, U47_MarkersOfTransactionsWithDataAreFencedToo) {
    open();
    std::int32_t sequence = 0;
    const auto transaction = [&](std::int32_t coordinator) {
        EXPECT_TRUE(lead(transactional_batch_of(1, 0, sequence, 2)).ok());
        sequence += 2;
        const auto done = log_.append_as_leader(
            port(), rules_, {marker(0, coordinator), LeaderEpoch(0), AppendOrigin::kCoordinator});
        return done ? std::nullopt : std::optional(done.error().error);
    };
    EXPECT_EQ(transaction(1), std::nullopt);
    EXPECT_EQ(transaction(2), std::nullopt);
    log_.set_high_watermark(log_.log_end_offset());
    EXPECT_EQ(log_.first_unstable_offset(), std::nullopt);
    EXPECT_EQ(transaction(1), AppendError::kTransactionCoordinatorFenced);
    EXPECT_EQ(end(), 8) << "the data of the third is there, its marker is not";
    log_.set_high_watermark(log_.log_end_offset());
    EXPECT_EQ(log_.first_unstable_offset(), Offset(6));
}

TEST_F(LogAppend, U51_UnusedEpochOfAFormerLeaderIsForgotten) {
    open();
    ASSERT_TRUE(follow(placed(batch_of({"a", "b"}), 27, 19)).ok());
    ASSERT_FALSE(log_.assign_epoch_start(port(), LeaderEpoch(20)));
    EXPECT_EQ(epochs(), (std::vector<std::pair<std::int32_t, std::int64_t>>{{19, 27}, {20, 29}}));
    truncate(29);
    EXPECT_EQ(epochs(), (std::vector<std::pair<std::int32_t, std::int64_t>>{{19, 27}}));
    ASSERT_FALSE(log_.assign_epoch_start(port(), LeaderEpoch(24)));
    truncate(30);
    EXPECT_EQ(epochs(), (std::vector<std::pair<std::int32_t, std::int64_t>>{{19, 27}}));
    EXPECT_EQ(end(), 29);
}

TEST_F(LogAppend, EpochsReachTheCheckpointFileWithTheAppend) {
    open();
    append_one(3);
    const auto content = read_file(port(), "/data/t-0/leader-epoch-checkpoint");
    ASSERT_TRUE(content.ok() && content->has_value());
    EXPECT_EQ(text_of(**content), "0\n1\n3 0\n");
}

TEST_F(LogAppend, E30_EpochsOfAReopenedLogAreThoseOfItsFile) {
    open();
    ASSERT_TRUE(follow(placed(batch_of({"x"}), 6, 2)).ok());
    EXPECT_EQ(epochs(), (std::vector<std::pair<std::int32_t, std::int64_t>>{{2, 6}}));
    reopen_clean();
    EXPECT_EQ(epochs(), (std::vector<std::pair<std::int32_t, std::int64_t>>{{2, 6}}));
    // Another file, another answer: it does not come from the batches.
    ASSERT_FALSE(log_.close(port()));
    ASSERT_FALSE(replace_file(port(),
                              log_.directory(),
                              kLeaderEpochCheckpoint,
                              view_of(std::string_view("0\n1\n1 5\n"))));
    open();
    EXPECT_EQ(epochs(), (std::vector<std::pair<std::int32_t, std::int64_t>>{{1, 5}}));
}

TEST_F(LogAppend, FlushMessagesSyncsInTheAppend) {
    options_.config.flush_messages = 2;
    open();
    append_one();
    EXPECT_EQ(log_.recovery_point(), Offset(0));
    EXPECT_GT(disk_.dirty_pages(file(0)).value(), 0U);
    append_one();
    EXPECT_EQ(log_.recovery_point(), Offset(2));
    EXPECT_EQ(disk_.dirty_pages(file(0)).value(), 0U);
    EXPECT_FALSE(disk_.has_unsynced_names("/data/t-0"));
}

TEST_F(LogAppend, RefusedBatchLeavesTheLogAsItWas) {
    open();
    append_many(3);
    const Log before = log_;
    EXPECT_EQ(error_of(idempotent_batch_of(1, 0, -1, {"x"})), AppendError::kInvalidRecord);
    EXPECT_EQ(log_, before);
}

TEST_F(LogAppend, LogIsAValueThatForks) {
    open();
    append_many(3);
    const Log copy = log_;
    append_many(2);
    EXPECT_EQ(copy.log_end_offset(), Offset(3));
    EXPECT_EQ(end(), 5);
    EXPECT_NE(copy, log_);
}

}  // namespace
}  // namespace klab::storage
