// SPDX-License-Identifier: Apache-2.0
//
// What stays of transactions and their markers: rows C3 to C19 and C21 (LogCleanerTest), and the
// failure F19 in which a marker was taken for a record.
#include <limits>

#include <gtest/gtest.h>

#include "model/storage/control_record.h"
#include "tests/storage/cleaner/compacted_log.h"

namespace klab::storage::cleaner {
namespace {

constexpr std::int64_t kLate = CompactedLog::kLateMs;
constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();

AbortedTransaction aborted(std::int64_t producer,
                           std::int64_t first,
                           std::int64_t last,
                           std::int64_t stable) {
    return {types::ProducerId(producer),
            types::Offset(first),
            types::Offset(last),
            types::Offset(stable)};
}

TEST(TransactionRows, C3_AbortedDataGoesMarkersStay) {
    CompactedLog log;
    log.transact(1, {1, 2}).transact(2, {2, 3}).transact(1, {3, 4}).abort(1).commit(2);
    log.transact(1, {2}).commit(1).roll();
    const auto before = log.aborted();
    log.clean(0);
    EXPECT_EQ(log.keys(), (Keys{3, 2}));
    EXPECT_EQ(log.offsets(), (Offsets{3, 6, 7, 8, 9}));
    EXPECT_EQ(log.aborted(), before);
}

/// The log of rows C4 to C7; the map takes three keys.
CompactedLog two_producers() {
    CompactedLog log;
    log.transact(1, {1, 2}).transact(2, {2, 3}).transact(1, {3, 4}).commit(1).commit(2);
    log.transact(1, {2, 3}).abort(1).transact(2, {4, 5}).transact(1, {5, 6}).commit(1).abort(2);
    log.transact(2, {6, 7}).commit(2).roll();
    log.usable(3).delete_retention(50'000).at(1'000'000);
    return log;
}

TEST(TransactionRows, C4_TheIndexBeforeCleaning) {
    EXPECT_EQ(two_producers().aborted(),
              (std::vector{aborted(1, 8, 10, 11), aborted(2, 11, 16, 17)}));
}

TEST(TransactionRows, C5_TheFirstPassDropsAbortedDataEvenBeyondTheMap) {
    CompactedLog log = two_producers();
    const auto before = log.aborted();
    EXPECT_EQ(log.clean(0).next_dirty, 4);
    EXPECT_EQ(log.batch_bases(), (Offsets{0, 2, 4, 6, 7, 10, 13, 15, 16, 17, 19}));
    EXPECT_EQ(log.offsets(), (Offsets{0, 2, 3, 4, 5, 6, 7, 10, 13, 14, 15, 16, 17, 18, 19}));
    EXPECT_EQ(log.aborted(), before);
}

TEST(TransactionRows, C6_TheSecondPassDropsTheIndexEntries) {
    CompactedLog log = two_producers();
    log.clean(0);
    EXPECT_EQ(log.clean(4).next_dirty, 14);
    EXPECT_EQ(log.batch_bases(), (Offsets{0, 2, 4, 6, 7, 10, 13, 15, 16, 17, 19}));
    EXPECT_EQ(log.offsets(), (Offsets{0, 2, 4, 5, 6, 7, 10, 13, 14, 15, 16, 17, 18, 19}));
    EXPECT_TRUE(log.aborted().empty());
}

TEST(TransactionRows, C7_TheThirdPassDropsTheMarkersAtTheirHorizon) {
    CompactedLog log = two_producers();
    log.clean(0);
    log.clean(4);
    EXPECT_EQ(log.at(1'050'000).clean(14).next_dirty, 20);
    EXPECT_EQ(log.batch_bases(), (Offsets{0, 2, 4, 6, 7, 13, 15, 17, 19}));
    EXPECT_EQ(log.offsets(), (Offsets{0, 2, 4, 5, 6, 7, 13, 15, 17, 18, 19}));
    EXPECT_TRUE(log.aborted().empty());
}

/// The log of rows C8 to C10, after the first cleaning.
std::int64_t clean_two_commits(CompactedLog& log) {
    log.transact(1, {1}).transact(1, {2, 3}).commit(1).transact(1, {2}).commit(1).roll();
    return log.at(kLate).clean(0).next_dirty;
}

TEST(TransactionRows, C8_ACommitMarkerStaysWithItsRecords) {
    CompactedLog log;
    clean_two_commits(log);
    EXPECT_EQ(log.keys(), (Keys{1, 3, 2}));
    EXPECT_EQ(log.offsets(), (Offsets{0, 2, 3, 4, 5}));
}

TEST(TransactionRows, C9_AndOneMorePassAfterThem) {
    CompactedLog log;
    const std::int64_t dirty = clean_two_commits(log);
    log.transact(1, {1, 3}).commit(1).roll().clean(dirty);
    EXPECT_EQ(log.keys(), (Keys{2, 1, 3}));
    EXPECT_EQ(log.offsets(), (Offsets{3, 4, 5, 6, 7, 8}));
}

TEST(TransactionRows, C10_ItGoesAtTheHorizonThatTheNextPassSets) {
    CompactedLog log;
    std::int64_t dirty = clean_two_commits(log);
    dirty = log.transact(1, {1, 3}).commit(1).roll().clean(dirty).next_dirty;
    dirty = log.clean(dirty).next_dirty;
    EXPECT_EQ(log.offsets(), (Offsets{3, 4, 5, 6, 7, 8}));
    log.at(kEndOfTime).clean(dirty);
    EXPECT_EQ(log.keys(), (Keys{2, 1, 3}));
    EXPECT_EQ(log.offsets(), (Offsets{4, 5, 6, 7, 8}));
}

TEST(TransactionRows, C11_BatchesDroppedUnread) {
    CompactedLog log;
    log.transact(1, {1}).abort(1).transact(1, {2}).transact(1, {2}).commit(1).roll();
    log.at(kLate).clean(0);
    EXPECT_EQ(log.keys(), (Keys{2}));
    EXPECT_EQ(log.offsets(), (Offsets{1, 3, 4}));
    log.clean_twice(0, kLate);
    EXPECT_EQ(log.keys(), (Keys{2}));
    EXPECT_EQ(log.offsets(), (Offsets{3, 4}));
}

/// The log of rows C12 and C13: three closed segments.
CompactedLog three_segments() {
    CompactedLog log;
    log.transact(1, {2, 3}).roll();
    log.transact(2, {2, 3}).commit(2).roll();
    log.put(2).put(3).commit(1).roll().at(kLate);
    return log;
}

TEST(TransactionRows, C12_EmptyBatchesHoldTheLastSequences) {
    CompactedLog log = three_segments();
    std::int64_t dirty = 0;
    for (int pass = 0; pass < 2; ++pass) {
        dirty = log.clean(dirty).next_dirty;
        EXPECT_EQ(log.keys(), (Keys{2, 3}));
        EXPECT_EQ(log.offsets(), (Offsets{4, 5, 6, 7}));
        EXPECT_EQ(log.batch_ends(), (Offsets{1, 3, 4, 5, 6, 7}));
    }
}

TEST(TransactionRows, C13_UntilTheProducerWritesAgain) {
    CompactedLog log = three_segments();
    std::int64_t dirty = log.clean(0).next_dirty;
    dirty = log.clean(dirty).next_dirty;
    dirty = log.transact(2, {1}).commit(2).roll().clean(dirty).next_dirty;
    EXPECT_EQ(log.keys(), (Keys{2, 3, 1}));
    EXPECT_EQ(log.offsets(), (Offsets{4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(log.batch_ends(), (Offsets{1, 4, 5, 6, 7, 8, 9}));
    log.clean_twice(dirty, kLate);
    EXPECT_EQ(log.keys(), (Keys{2, 3, 1}));
    EXPECT_EQ(log.offsets(), (Offsets{5, 6, 7, 8, 9}));
    EXPECT_EQ(log.batch_ends(), (Offsets{1, 5, 6, 7, 8, 9}));
}

TEST(TransactionRows, C14_AnEmptyControlBatchFencesAnOldEpoch) {
    CompactedLog log;
    log.commit(1).put(2).put(3).roll();
    const std::int64_t dirty = log.clean_twice(0, kLate).next_dirty;
    EXPECT_EQ(log.offsets(), (Offsets{1, 2}));
    EXPECT_EQ(log.batch_ends(), (Offsets{0, 1, 2}));
    log.at(kEndOfTime).clean(dirty);
    EXPECT_EQ(log.offsets(), (Offsets{1, 2}));
    EXPECT_EQ(log.batch_ends(), (Offsets{0, 1, 2}));
}

TEST(TransactionRows, C15_DataAndMarkerInTwoSegments) {
    CompactedLog committed;
    committed.transact(1, {1}).roll().commit(1).roll().clean_twice(0, kLate);
    EXPECT_EQ(committed.offsets(), (Offsets{0, 1}));
    EXPECT_EQ(committed.batch_ends(), (Offsets{0, 1}));

    CompactedLog aborted_one;
    aborted_one.transact(1, {1}).roll().abort(1).roll();
    for (const std::int64_t now : {kLate, kEndOfTime}) {
        aborted_one.at(now).clean(0);
        EXPECT_EQ(aborted_one.offsets(), (Offsets{1}));
        EXPECT_EQ(aborted_one.batch_ends(), (Offsets{0, 1}));
    }
}

TEST(TransactionRows, C16_AnAbortMarkerGoesAfterItsData) {
    CompactedLog log;
    log.transact(1, {1}).transact(1, {2, 3}).abort(1).transact(1, {3}).commit(1).roll();
    const std::int64_t dirty = log.at(kLate).clean(0).next_dirty;
    EXPECT_EQ(log.keys(), (Keys{3}));
    EXPECT_EQ(log.offsets(), (Offsets{3, 4, 5}));
    log.clean_twice(dirty, kLate);
    EXPECT_EQ(log.keys(), (Keys{3}));
    EXPECT_EQ(log.offsets(), (Offsets{4, 5}));
}

/// The log of rows C17 and C18, after the first cleaning.
std::int64_t clean_one_abort(CompactedLog& log) {
    log.transact(1, {2, 3}).abort(1).roll();
    return log.at(kLate).clean(0).next_dirty;
}

TEST(TransactionRows, C17_AnEmptyBatchKeepsTheAbortMarkerAndItsEntry) {
    CompactedLog log;
    const std::int64_t dirty = clean_one_abort(log);
    for (int pass = 0; pass < 2; ++pass) {
        EXPECT_EQ(log.offsets(), (Offsets{2}));
        EXPECT_EQ(log.batch_ends(), (Offsets{1, 2}));
        EXPECT_EQ(log.aborted(), (std::vector{aborted(1, 0, 2, 3)}));
        log.clean_twice(dirty, kLate);
    }
}

TEST(TransactionRows, C18_BothGoOnceTheProducerWroteAgain) {
    CompactedLog log;
    std::int64_t dirty = clean_one_abort(log);
    dirty = log.clean_twice(dirty, kLate).next_dirty;
    dirty = log.transact(1, {1}).roll().at(kLate).clean(dirty).next_dirty;
    EXPECT_EQ(log.aborted().size(), 1U);
    EXPECT_EQ(log.keys(), (Keys{1}));
    EXPECT_EQ(log.offsets(), (Offsets{2, 3}));
    EXPECT_EQ(log.batch_ends(), (Offsets{2, 3}));
    log.clean_twice(dirty, kLate);
    EXPECT_EQ(log.offsets(), (Offsets{3}));
    EXPECT_EQ(log.batch_ends(), (Offsets{3}));
    EXPECT_TRUE(log.aborted().empty());
}

TEST(TransactionRows, C19_TheLastSequenceOutlivesAnAbort) {
    CompactedLog log;
    log.transact(1, {1}).transact(1, {2, 3}).abort(1).roll().clean(0);
    EXPECT_EQ(log.batch_ends(), (Offsets{2, 3}));
    EXPECT_EQ(log.last_sequences(), (Sequences{{1, 2}}));
    EXPECT_EQ(log.offsets(), (Offsets{3}));
    log.transact(1, {1, 5}).roll().clean(0);
    EXPECT_EQ(log.batch_ends(), (Offsets{3, 5}));
    EXPECT_EQ(log.last_sequences(), (Sequences{{1, 4}}));
    EXPECT_EQ(log.keys(), (Keys{1, 5}));
    EXPECT_EQ(log.offsets(), (Offsets{3, 4, 5}));
}

/// The log of row C21: a record whose key is that of a COMMIT marker comes after one.
CompactedLog marker_like_key() {
    CompactedLog log;
    log.transact(1, {1}).commit(1);
    log.transact_key(2, encode_control_key(ControlType::kCommit)).commit(2).roll();
    return log;
}

TEST(TransactionRows, C21_AKeyWithTheBytesOfAMarkersKey) {
    CompactedLog log = marker_like_key();
    log.clean(0);
    EXPECT_EQ(log.batch_ends(), (Offsets{0, 1, 2, 3}));
    EXPECT_EQ(log.offsets(), (Offsets{0, 1, 2, 3}));
}

TEST(TransactionRows, F19_SupersededTheMarkerBeforeTheFix) {
    // KAFKA-14055: the record of producer 1 stays, its commit does not, and who reads the cleaned
    // log waits for one.
    types::Rules rules;
    rules.cleaner_spares_markers = false;
    CompactedLog log = marker_like_key();
    log.under(rules).clean(0);
    EXPECT_EQ(log.offsets(), (Offsets{0, 2, 3}));
    EXPECT_EQ(log.batch_ends(), (Offsets{0, 2, 3}));
}

TEST(TransactionRows, TransactionsAcrossSegments) {
    // The part that is cleaned knows of aborts whose markers lie in the active segment.
    CompactedLog log;
    log.transact(1, {1, 2}).transact(3, {2, 3}).transact(2, {3, 4}).roll();
    log.transact(2, {5, 6}).transact(3, {6, 7}).transact(1, {7, 8}).abort(2);
    log.transact(3, {8, 9}).commit(3).transact(1, {9, 10}).abort(1);
    const std::int64_t dirty = log.clean(0).next_dirty;
    EXPECT_EQ(log.keys(), (Keys{2, 3, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10}));
    log.roll().transact(2, {11}).transact(1, {12});
    log.clean(dirty);
    EXPECT_EQ(log.keys(), (Keys{2, 3, 6, 7, 8, 9, 11, 12}));
}

TEST(TransactionRows, SequencesThatBeginAnew) {
    // The group coordinator writes every transaction from sequence 0 on.
    CompactedLog log;
    log.transact(1, {1}).commit(1).restart_sequences(1).transact(1, {2}).commit(1);
    log.put(1).put(2).roll().at(kLate).clean(0);
    EXPECT_EQ(log.offsets(), (Offsets{1, 3, 4, 5}));
    EXPECT_EQ(log.batch_ends(), (Offsets{1, 2, 3, 4, 5}));
    log.clean_twice(0, kLate);
    EXPECT_EQ(log.offsets(), (Offsets{3, 4, 5}));
    EXPECT_EQ(log.batch_ends(), (Offsets{2, 3, 4, 5}));
}

}  // namespace
}  // namespace klab::storage::cleaner
