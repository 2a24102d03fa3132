// SPDX-License-Identifier: Apache-2.0
//
// Producer state: the rows of Kafka's own cases that need no snapshot file and no last stable
// offset, and the law that five batches are remembered exactly.
#include "model/storage/producer_state.h"

#include <deque>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace klab::storage {
namespace {

using types::Offset;
using types::ProducerEpoch;
using types::ProducerId;
using Refusal = std::optional<AppendError>;

constexpr ProducerId kPid{1};
const Refusal kOk = std::nullopt;

/// Drives producer 1 as a log would: check, then apply when accepted.
struct Driver {
    ProducerStates states;
    std::int64_t next_offset = 0;
    std::int64_t now = 0;

    Refusal data(std::int16_t epoch,
                 std::int32_t first,
                 std::int32_t last,
                 AppendOrigin origin = AppendOrigin::kClient,
                 bool is_transactional = false) {
        const std::int64_t count = std::int64_t{decrement_sequence(last, first)} + 1;
        ProducerBatch batch{ProducerEpoch(epoch),
                            first,
                            last,
                            Offset(next_offset),
                            Offset(next_offset + count - 1),
                            now,
                            is_transactional};
        ProducerAppend append = states.prepare(kPid, origin);
        const Refusal refusal = append.add_batch(batch);
        if (!refusal) {
            states.apply(append);
            next_offset += count;
        }
        return refusal;
    }

    Refusal one(std::int16_t epoch, std::int32_t sequence) {
        return data(epoch, sequence, sequence);
    }

    Refusal replicated(std::int16_t epoch, std::int32_t first, std::int32_t last) {
        return data(epoch, first, last, AppendOrigin::kReplication);
    }

    Refusal transactional(std::int16_t epoch, std::int32_t sequence) {
        return data(epoch, sequence, sequence, AppendOrigin::kClient, true);
    }

    Refusal marker(ControlType type, std::int16_t epoch, std::int32_t coordinator_epoch) {
        ProducerAppend append = states.prepare(kPid, AppendOrigin::kCoordinator);
        const Refusal refusal = append.add_marker(
            {ProducerEpoch(epoch), {type, coordinator_epoch}, Offset(next_offset), now});
        if (!refusal) {
            states.apply(append);
            ++next_offset;
        }
        return refusal;
    }

    [[nodiscard]] const ProducerEntry& entry() const { return *states.find(kPid); }
};

TEST(ProducerStateRows, P1_RepeatAndGapAreOutOfOrder) {
    Driver log;
    EXPECT_EQ(log.one(0, 0), kOk);
    EXPECT_EQ(log.one(0, 1), kOk);
    EXPECT_EQ(log.one(0, 1), AppendError::kOutOfOrderSequence);
    EXPECT_EQ(log.one(0, 5), AppendError::kOutOfOrderSequence);
    EXPECT_EQ(log.entry().last_sequence(), 1);
}

TEST(ProducerStateRows, P2_NewEpochStartsAtZeroAndFencesTheOld) {
    Driver log;
    EXPECT_EQ(log.one(0, 0), kOk);
    EXPECT_EQ(log.one(0, 1), kOk);
    EXPECT_EQ(log.one(1, 0), kOk);
    EXPECT_EQ(log.one(0, 0), AppendError::kInvalidProducerEpoch);
    EXPECT_EQ(log.entry().epoch(), ProducerEpoch(1));
}

TEST(ProducerStateRows, P3_MarkerOfAnUnknownProducer) {
    Driver log;
    EXPECT_EQ(log.marker(ControlType::kCommit, 2, 1), kOk);
    EXPECT_EQ(log.entry().epoch(), ProducerEpoch(2));
    EXPECT_EQ(log.entry().last_sequence(), std::nullopt);
    EXPECT_EQ(log.one(0, 0), AppendError::kInvalidProducerEpoch);
    EXPECT_EQ(log.one(2, 17), AppendError::kOutOfOrderSequence);
    EXPECT_EQ(log.one(2, 0), kOk);
}

TEST(ProducerStateRows, P4_SequenceWrapsToZero) {
    Driver log;
    EXPECT_EQ(log.replicated(15, kSequenceMax, kSequenceMax), kOk);
    EXPECT_EQ(log.one(15, 0), kOk);
    EXPECT_EQ(log.entry().first_sequence(), kSequenceMax);
    EXPECT_EQ(log.entry().last_sequence(), 0);
}

TEST(ProducerStateRows, P5_SequenceWrapsToZeroOnly) {
    Driver log;
    EXPECT_EQ(log.replicated(15, kSequenceMax, kSequenceMax), kOk);
    EXPECT_EQ(log.one(15, 1), AppendError::kOutOfOrderSequence);
}

TEST(ProducerStateRows, P6_BatchAcrossTheWrap) {
    Driver log;
    log.next_offset = 2000;
    EXPECT_EQ(log.replicated(15, kSequenceMax - 10, 9), kOk);
    const RememberedBatch batch = log.entry().batches().back();
    EXPECT_EQ(batch.first_sequence(), kSequenceMax - 10);
    EXPECT_EQ(batch.last_sequence, 9);
    EXPECT_EQ(batch.first_offset(), Offset(2000));
    EXPECT_EQ(batch.last_offset, Offset(2020));
}

TEST(ProducerStateRows, P7_ReplicatedBatchIsNotJudged) {
    Driver log;
    EXPECT_EQ(log.replicated(5, 16, 16), kOk);
    EXPECT_EQ(log.entry().epoch(), ProducerEpoch(5));
    EXPECT_EQ(log.entry().first_sequence(), 16);
}

TEST(ProducerStateRows, P8_AbortMarkerWithHigherEpochClearsBatches) {
    Driver log;
    EXPECT_EQ(log.one(0, 0), kOk);
    EXPECT_EQ(log.marker(ControlType::kAbort, 1, 1), kOk);
    EXPECT_EQ(log.entry().epoch(), ProducerEpoch(1));
    EXPECT_EQ(log.entry().first_sequence(), std::nullopt);
    EXPECT_EQ(log.entry().last_sequence(), std::nullopt);
    EXPECT_EQ(log.one(1, 0), kOk);
}

TEST(ProducerStateRows, P9_AfterAFencingAbortOnlyZeroContinues) {
    Driver log;
    EXPECT_EQ(log.transactional(0, 0), kOk);
    EXPECT_EQ(log.transactional(0, 1), kOk);
    EXPECT_EQ(log.marker(ControlType::kAbort, 1, 1), kOk);
    EXPECT_EQ(log.transactional(1, 2), AppendError::kOutOfOrderSequence);
    EXPECT_EQ(log.transactional(2, 2), AppendError::kOutOfOrderSequence);
    EXPECT_EQ(log.transactional(1, 0), kOk);
}

TEST(ProducerStateRows, P10_PlainBatchInsideAnOpenTransaction) {
    Driver log;
    EXPECT_EQ(log.transactional(0, 0), kOk);
    EXPECT_EQ(log.one(0, 1), AppendError::kInvalidTxnState);
    EXPECT_EQ(log.entry().last_sequence(), 0);
}

TEST(ProducerStateRows, P11_DataAndMarkerInOneAppend) {
    Driver log;
    log.next_offset = 9;
    EXPECT_EQ(log.one(0, 0), kOk);
    ProducerAppend append = log.states.prepare(kPid, AppendOrigin::kClient);
    EXPECT_EQ(append.add_batch({ProducerEpoch(0), 1, 5, Offset(16), Offset(20), 20, true}), kOk);
    EXPECT_EQ(append.add_batch({ProducerEpoch(0), 6, 10, Offset(26), Offset(30), 30, true}), kOk);
    EXPECT_EQ(append.add_marker({ProducerEpoch(0), {ControlType::kCommit, 15}, Offset(40), 40}),
              kOk);
    EXPECT_EQ(append.completed(), (CompletedTransaction{kPid, Offset(16), Offset(40), false}));
    EXPECT_EQ(append.entry().last_sequence(), 10);
    EXPECT_EQ(append.entry().last_offset(), Offset(30));
    EXPECT_EQ(append.entry().open_transaction(), std::nullopt);
    EXPECT_EQ(append.entry().coordinator_epoch(), 15);
    EXPECT_EQ(log.entry().last_sequence(), 0) << "nothing changes before apply";
}

TEST(ProducerStateRows, P12_MarkerOfAnOlderEpoch) {
    Driver log;
    EXPECT_EQ(log.replicated(5, 0, 0), kOk);
    EXPECT_EQ(log.marker(ControlType::kCommit, 3, 0), AppendError::kInvalidProducerEpoch);
}

TEST(ProducerStateRows, P13_MarkersOfAnOlderCoordinator) {
    Driver log;
    EXPECT_EQ(log.one(0, 0), kOk);
    EXPECT_EQ(log.marker(ControlType::kCommit, 0, 1), kOk);
    EXPECT_EQ(log.marker(ControlType::kCommit, 0, 1), kOk);
    EXPECT_EQ(log.marker(ControlType::kCommit, 0, 2), kOk);
    EXPECT_EQ(log.marker(ControlType::kCommit, 0, 1), AppendError::kTransactionCoordinatorFenced);
}

TEST(ProducerStateRows, P14_GapFromAClientAndFromReplication) {
    Driver log;
    EXPECT_EQ(log.one(0, 0), kOk);
    EXPECT_EQ(log.one(0, 3), AppendError::kOutOfOrderSequence);
    EXPECT_EQ(log.entry().last_sequence(), 0);
    EXPECT_EQ(log.replicated(0, 3, 3), kOk);
    EXPECT_EQ(log.entry().last_sequence(), 3);
}

TEST(ProducerStateRows, P21_ExpiredProducerStartsAnywhere) {
    Driver log;
    EXPECT_EQ(log.one(0, 0), kOk);
    EXPECT_EQ(log.states.remove_expired(999, 1000), 0U);
    EXPECT_EQ(log.states.remove_expired(1000, 1000), 1U);
    EXPECT_EQ(log.states.find(kPid), nullptr);
    EXPECT_EQ(log.one(0, 1), kOk);
    EXPECT_EQ(log.entry().last_sequence(), 1);
}

TEST(ProducerStateRows, P22_OpenTransactionDoesNotExpire) {
    Driver log;
    EXPECT_EQ(log.transactional(0, 0), kOk);
    EXPECT_EQ(log.states.remove_expired(1'000'000, 1000), 0U);
    EXPECT_EQ(log.entry().open_transaction(), Offset(0));
}

Bytes batch_of(std::int16_t epoch, std::int32_t sequence, std::int64_t base, int count) {
    BatchOptions options;
    options.base_offset = Offset(base);
    options.producer = ProducerStamp{kPid, ProducerEpoch(epoch), sequence};
    RecordBatchBuilder builder(options);
    for (int i = 0; i < count; ++i) {
        RecordInput record;
        record.timestamp = 100 + i;
        builder.append(record);
    }
    return builder.build();
}

TEST(ProducerState, DuplicateIsTheSameEpochAndBothSequences) {
    ProducerStates states;
    const Bytes bytes = batch_of(2, 10, 50, 3);
    states.replay(RecordBatchView(bytes));
    const auto duplicate = states.find_duplicate(RecordBatchView(bytes));
    ASSERT_TRUE(duplicate.has_value());
    EXPECT_EQ(duplicate->first_offset(), Offset(50));
    EXPECT_EQ(duplicate->last_offset, Offset(52));
    EXPECT_EQ(duplicate->timestamp, 102);
    const Bytes overlap = batch_of(2, 11, 0, 2);
    EXPECT_EQ(states.find_duplicate(RecordBatchView(overlap)), std::nullopt);
    const Bytes other_epoch = batch_of(3, 10, 0, 3);
    EXPECT_EQ(states.find_duplicate(RecordBatchView(other_epoch)), std::nullopt);
    const Bytes plain = RecordBatchBuilder().build();
    EXPECT_EQ(states.find_duplicate(RecordBatchView(plain)), std::nullopt);
}

TEST(ProducerState, MarkerBatchIsReadFromItsBytes) {
    ProducerStates states;
    const Bytes marker = build_end_transaction_marker(
        {Offset(7), std::nullopt, kPid, ProducerEpoch(4), 55}, {ControlType::kAbort, 3});
    states.replay(RecordBatchView(marker));
    EXPECT_EQ(states.find(kPid)->epoch(), ProducerEpoch(4));
    EXPECT_EQ(states.find(kPid)->coordinator_epoch(), 3);
    EXPECT_EQ(states.find(kPid)->last_timestamp(), 55);
}

RC_GTEST_PROP(ProducerStateLaw, RemembersExactlyTheLastFiveBatches, ()) {
    Driver log;
    std::deque<std::pair<std::int32_t, std::int32_t>> last_five;
    std::int32_t next = kSequenceMax - *rc::gen::inRange(0, 20);
    RC_ASSERT(log.replicated(0, next, next) == kOk);
    last_five.emplace_back(next, next);
    const auto count = *rc::gen::inRange(1, 15);
    for (int i = 0; i < count; ++i) {
        const std::int32_t first = increment_sequence(last_five.back().second, 1);
        const std::int32_t last = increment_sequence(first, *rc::gen::inRange(0, 4));
        RC_ASSERT(log.data(0, first, last) == kOk);
        last_five.emplace_back(first, last);
        if (last_five.size() > kBatchesRemembered) {
            const auto [old_first, old_last] = last_five.front();
            last_five.pop_front();
            RC_ASSERT(!log.entry().find_duplicate(ProducerEpoch(0), old_first, old_last));
            RC_ASSERT(log.data(0, old_first, old_last) == AppendError::kOutOfOrderSequence);
        }
        for (const auto& [f, l] : last_five) {
            RC_ASSERT(log.entry().find_duplicate(ProducerEpoch(0), f, l).has_value());
        }
    }
}

TEST(ForgottenProducers, GoWithTheirLastRecordBeforeKafka7190) {
    Driver driver;
    EXPECT_EQ(driver.one(0, 0), kOk);
    EXPECT_EQ(driver.one(0, 1), kOk);  // offset 1
    driver.states.forget_below(Offset(1));
    EXPECT_NE(driver.states.find(kPid), nullptr) << "its last record is still there";
    driver.states.forget_below(Offset(2));
    EXPECT_EQ(driver.states.find(kPid), nullptr);
}

TEST(ForgottenProducers, MayOnlyBeginAtZeroBeforeKip360) {
    const auto first = [](std::int32_t sequence, AppendOrigin origin, bool old_rule) {
        ProducerAppend append = ProducerStates().prepare(kPid, origin);
        if (old_rule) {
            append.refuse_unknown_in_the_middle();
        }
        return append.add_batch(
            {ProducerEpoch(0), sequence, sequence, Offset(10), Offset(10), 0, false});
    };
    EXPECT_EQ(first(10, AppendOrigin::kClient, false), kOk);
    EXPECT_EQ(first(10, AppendOrigin::kClient, true), AppendError::kOutOfOrderSequence);
    EXPECT_EQ(first(0, AppendOrigin::kClient, true), kOk);
    EXPECT_EQ(first(10, AppendOrigin::kReplication, true), kOk) << "a follower takes what it gets";
}

}  // namespace
}  // namespace klab::storage
