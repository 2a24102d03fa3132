// SPDX-License-Identifier: Apache-2.0
//
// Checking one segment after a crash: rows S13 to S18 of Kafka's own cases (LogSegmentTest).
#include "model/storage/segment_recovery.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/storage/segment_fixture.h"
#include "tests/storage/transaction_batches.h"

namespace klab::storage {
namespace {

using types::Offset;
using types::ProducerId;

class SegmentRecoveryTest : public SegmentTest {
  protected:
    void append_many(int count) {
        for (int i = 0; i < count; ++i) {
            append_at(i, {std::to_string(i)});
        }
    }

    /// Two transactions, plain records, an abort and a commit: offsets 100 to 107.
    void append_transactions() {
        make(100);
        append(placed(transactional_batch_of(5, 0, 100, 2), 100, 15));
        append(placed(transactional_batch_of(10, 0, 100, 2), 102, 15));
        append(placed(batch_of({"a", "b"}, kNoTimestamp), 104, 15));
        append(placed(marker_of(ControlType::kAbort, 10, 0), 106, 15));
        append(placed(marker_of(ControlType::kCommit, 5, 0), 107, 15));
    }

    static AbortedTransaction aborted_from(std::int64_t first) {
        return {ProducerId(10), Offset(first), Offset(106), Offset(100)};
    }
};

TEST_F(SegmentRecoveryTest, S13_OffsetIndexOfNonsenseIsMadeAnew) {
    config_.index_interval_bytes = 10;
    make(0);
    append_many(100);
    overwrite(kIndexSuffix, 5, Bytes(800, 0x5A));
    recover();
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(read_from(i), i);
    }
}

TEST_F(SegmentRecoveryTest, S14_TimeIndexOfNonsenseIsMadeAnew) {
    config_.index_interval_bytes = 10;
    make(0);
    append_many(100);
    overwrite(kTimeIndexSuffix, 5, Bytes(1200, 0x5A));
    recover();
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(find_time(i * 10), i);
        EXPECT_EQ(find_time(i * 10 + 1), i < 99 ? i + 1 : -1);
    }
}

RC_GTEST_FIXTURE_PROP(SegmentRecoveryTest, S15_NonsenseFromInsideABatchToTheEnd, ()) {
    // Kafka overwrites one of the first fifteen bytes of a batch on.
    now_ms_ += *rc::gen::inRange(0, 2);
    make(0);
    append_many(20);
    const auto victim = *rc::gen::inRange(0, 20);
    const auto start = find_batch(port(), segment_, Offset(victim)).value()->position;
    const auto at = start + *rc::gen::inRange<std::uint32_t>(0, 15);
    const auto fill = *rc::gen::arbitrary<std::uint8_t>();
    Bytes nonsense(segment_.size() - at, fill);
    overwrite(kLogSuffix, at, nonsense);
    recover();
    std::vector<std::int64_t> expected;
    for (std::int64_t i = 0; i < victim; ++i) {
        expected.push_back(i);
    }
    RC_ASSERT(batch_offsets() == expected);
}

TEST_F(SegmentRecoveryTest, S16_AbortedTransactionsAreFoundAgain) {
    append_transactions();
    recover();
    EXPECT_EQ(producers_.map_end_offset(), Offset(108));
    EXPECT_EQ(segment_.txn_index().entries(), (std::vector{aborted_from(102)}));
}

TEST_F(SegmentRecoveryTest, S17_TransactionThatBeganInAnEarlierSegment) {
    append_transactions();
    recover();
    ProducerSnapshotEntry known;
    known.producer_id = ProducerId(10);
    known.last_sequence = 10;
    known.last_offset = 10;
    known.offset_delta = 5;
    known.open_transaction = Offset(75);
    producers_ = {};
    producers_.load(known);
    recover();
    EXPECT_EQ(producers_.map_end_offset(), Offset(108));
    EXPECT_EQ(segment_.txn_index().entries(), (std::vector{aborted_from(75)}));
}

TEST_F(SegmentRecoveryTest, S18_LeaderEpochsAreFoundAgain) {
    make(0);
    append(records_at(104, {"a", "b"}, 0));
    append(records_at(106, {"a", "b"}, 1));
    append(records_at(108, {"a", "b"}, 1));
    append(records_at(110, {"a", "b"}, 2));
    recover();
    EXPECT_EQ(epochs_.entries(),
              (std::vector<EpochEntry>{{types::LeaderEpoch(0), Offset(104)},
                                       {types::LeaderEpoch(1), Offset(106)},
                                       {types::LeaderEpoch(2), Offset(110)}}));
}

TEST_F(SegmentRecoveryTest, IndexesAreTheOnesThatTheAppendsMade) {
    make(0);
    for (std::int64_t offset = 0; offset < 40; ++offset) {
        append_at(offset, {std::string(900, 'v')});
    }
    close();
    const LogSegment before = segment_;
    std::vector<OffsetIndexEntry> entries;
    for (std::uint32_t i = 0; i < before.index().entries(); ++i) {
        entries.push_back(before.index().entry(port(), i).value());
    }
    ASSERT_FALSE(entries.empty());
    EXPECT_EQ(recover(), 0U);
    ASSERT_EQ(segment_.index().entries(), entries.size());
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        EXPECT_EQ(segment_.index().entry(port(), i).value(), entries[i]);
    }
    EXPECT_EQ(segment_.time_index().last_entry(), before.time_index().last_entry());
}

}  // namespace
}  // namespace klab::storage
