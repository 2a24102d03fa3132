// SPDX-License-Identifier: Apache-2.0
//
// Transactions in a log: rows U40 to U46 and U49 of Kafka's own cases (UnifiedLogTest). Rows U47
// and U48 are in log_append_test.cc, U50 in transaction_verification_test.cc.
#include <gtest/gtest.h>

#include "tests/storage/transaction_fixture.h"

namespace klab::storage {
namespace {

using types::Offset;
using types::ProducerId;

using LogTransactions = TransactionTest;

TEST_F(LogTransactions, U40_LastStableOffsetOfMixedProducers) {
    open();
    txn(1, 5);
    plain(3);
    txn(2, 2);
    txn(1, 4);
    plain(2);
    txn(1, 10);
    EXPECT_EQ(stable(), 0);
    high_watermark(end());
    EXPECT_EQ(stable(), 0);
    commit(1);
    EXPECT_EQ(stable(), 0);
    high_watermark(end());
    EXPECT_EQ(stable(), 8);
    abort(2);
    EXPECT_EQ(stable(), 8);
    high_watermark(end());
    EXPECT_EQ(stable(), end());
}

TEST_F(LogTransactions, U41_AbortsAreIndexed) {
    open();
    write_u41();
    EXPECT_EQ(end(), 90);
    EXPECT_EQ(aborted(), aborted_in_u41());
    // The first abort goes past the first unstable offset only once it is replicated.
    high_watermark(30);
    EXPECT_EQ(unstable(), 8);
    high_watermark(75);
    EXPECT_EQ(unstable(), 36);
    high_watermark(90);
    EXPECT_EQ(unstable(), -1);
}

TEST_F(LogTransactions, U42_TheSameInOneAppendOfAFollower) {
    open();
    collects_ = true;
    write_u41();
    ASSERT_TRUE(follow(collected_).ok());
    EXPECT_EQ(end(), 90);
    EXPECT_EQ(aborted(), aborted_in_u41());
    high_watermark(90);
    EXPECT_EQ(unstable(), -1);
}

TEST_F(LogTransactions, U43_OneTransaction) {
    open();
    txn(137, 3);
    EXPECT_EQ(unstable(), 0);
    txn(137, 1);
    EXPECT_EQ(unstable(), 0);
    commit(137);
    EXPECT_EQ(unstable(), 0) << "the marker is not replicated yet";
    high_watermark(4);
    EXPECT_EQ(unstable(), 0);
    high_watermark(5);
    EXPECT_EQ(unstable(), -1);
}

TEST_F(LogTransactions, U43_PlainRecordsAreStable) {
    open();
    plain(3);
    EXPECT_EQ(unstable(), -1);
}

TEST_F(LogTransactions, U44_TwoProducersAndPlainRecords) {
    open();
    txn(137, 3);
    plain(3);
    txn(983, 3);
    EXPECT_EQ(unstable(), 0);
    abort(137);
    high_watermark(10);
    EXPECT_EQ(unstable(), 6);
    commit(983);
    high_watermark(11);
    EXPECT_EQ(unstable(), -1);
}

TEST_F(LogTransactions, U45_AbortedTransactionAcrossSegments) {
    options_.config.segment_bytes =
        static_cast<std::int32_t>(transactional_batch_of(137, 0, 0, 3).size());
    open();
    txn(137, 3);
    txn(137, 3);
    abort(137);
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{0, 3, 6}));
    high_watermark(7);
    EXPECT_EQ(unstable(), -1);
    const auto found = log_.read(port(), {Offset(0), log_.last_stable_offset(), 2048, true, true});
    ASSERT_TRUE(found.ok());
    ASSERT_EQ(found->aborted.size(), 1U);
    EXPECT_EQ(found->aborted[0].producer_id, ProducerId(137));
    EXPECT_EQ(found->aborted[0].first_offset, Offset(0));
}

TEST_F(LogTransactions, U46_FirstUnstableOffsetFollowsTheLogStart) {
    open();
    txn(1, 5);
    plain(3);
    ASSERT_FALSE(log_.roll(port()));
    txn(1, 5);
    EXPECT_EQ(unstable(), 0);
    high_watermark(end());
    const Log before = log_;
    ASSERT_TRUE(log_.raise_log_start(port(), Offset(5)).value());
    EXPECT_EQ(unstable(), 5) << "inside the segment";
    log_ = before;
    ASSERT_TRUE(log_.raise_log_start(port(), Offset(8)).value());
    ASSERT_TRUE(log_.delete_old_segments(port()).ok());
    EXPECT_EQ(bases(), (std::vector<std::int64_t>{8}));
    EXPECT_EQ(unstable(), 8) << "its first segment is gone";
}

TEST_F(LogTransactions, U49_TransactionIndexThatCannotBeWritten) {
    // A directory in the place of the index refuses its creation.
    const std::string index = "/data/t-0/00000000000000000000.txnindex";
    open();
    txn(1, 10);
    ASSERT_TRUE(disk_.make_directories(index, {}).ok());
    const auto done = lead_marker(marker_of(ControlType::kAbort, 1, 0, 1));
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().error, AppendError::kStorage);
    EXPECT_EQ(end(), 11) << "the marker itself is in the log";
    EXPECT_EQ(stable(), 0);
    high_watermark(11);
    EXPECT_EQ(stable(), 0) << "but the transaction stays undecided here";

    ASSERT_TRUE(disk_.remove(index, {}).ok());
    reopen_unclean();
    EXPECT_EQ(end(), 11);
    EXPECT_EQ(aborted().size(), 1U);
    high_watermark(11);
    EXPECT_EQ(unstable(), -1);
}

TEST_F(LogTransactions, AbortOfATransactionWhoseStartWasDeletedIsStillIndexed) {
    open();
    txn(1, 5);
    ASSERT_FALSE(log_.roll(port()));
    plain(1);
    high_watermark(end());
    ASSERT_TRUE(log_.raise_log_start(port(), Offset(5)).value());
    ASSERT_TRUE(log_.delete_old_segments(port()).ok());
    abort(1);
    EXPECT_EQ(aborted(), (std::vector{entry(1, 0, 6, 7)}));
    high_watermark(end());
    EXPECT_EQ(unstable(), -1);
}

}  // namespace
}  // namespace klab::storage
