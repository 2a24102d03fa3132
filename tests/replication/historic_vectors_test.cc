// SPDX-License-Identifier: Apache-2.0
//
// What truncation by high watermark (before 0.11) loses, and by epoch keeps: rows TX1, TX2, TX4,
// and the mutants that remove one check of the protocol each.
#include <gtest/gtest.h>

#include "tests/replication/replica_rig.h"

namespace klab::replication {
namespace {

const types::Rules kToday = types::rules_of(types::kDefaultVersion);

types::Rules by_high_watermark() {
    types::Rules rules = kToday;
    rules.log_truncation = types::LogTruncation::kHighWatermark;
    return rules;
}

types::Rules with(types::Mutant mutant) {
    types::Rules rules = kToday;
    rules.mutants = 1U << static_cast<std::uint32_t>(mutant);
    return rules;
}

void tell_all(ReplicaRig& rig, std::int32_t leader, std::int32_t epoch) {
    rig.publish({1, 2}, partition_of({1, 2}, {1, 2}, leader, epoch, epoch));
}

/// Broker 2 leads; broker 1 has m0 and m1 but has not heard that m1 is committed. Broker 1 restarts
/// and then leads.
std::string tx1(const types::Rules& rules) {
    ReplicaRig rig(2, rules);
    tell_all(rig, 2, 1);
    rig.produce(2, {"m0"});
    rig.run(seconds(1));
    rig.produce(2, {"m1"});
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.high_watermark(2), 2) << "m1 is committed";
    EXPECT_EQ(rig.end(1), 2);
    EXPECT_EQ(rig.high_watermark(1), 1);
    rig.run(milliseconds(1));
    rig.crash(1);
    rig.boot(1);
    rig.run_on(
        1, [](RigNode& node, sim::Context&) { EXPECT_TRUE(node.manager.partitions().empty()); });
    rig.publish_again(1);
    rig.crash(2);
    rig.publish({1}, partition_of({1, 2}, {1}, 1, 2, 2));
    return rig.records(1);
}

TEST(HistoricVectors, TX1_TruncationByHighWatermarkLosesACommittedRecord) {
    EXPECT_EQ(tx1(by_high_watermark()), "") << "the checkpoint knows even less than the follower";
    EXPECT_EQ(tx1(kToday), "1:m0 1:m1");
}

/// Leadership moves away and back while the follower stays alive (failures F04).
std::string leadership_moves_and_returns(const types::Rules& rules) {
    ReplicaRig rig(2, rules);
    tell_all(rig, 2, 1);
    rig.produce(2, {"m0"});
    rig.run(seconds(1));
    rig.produce(2, {"m1"});
    rig.run(milliseconds(20));
    EXPECT_EQ(rig.high_watermark(2), 2);
    EXPECT_EQ(rig.high_watermark(1), 1);
    rig.cut(1, 2);
    rig.publish({1}, partition_of({1, 2}, {1, 2}, std::nullopt, 2, 2));
    rig.publish({1}, partition_of({1, 2}, {1, 2}, 2, 3, 3));
    rig.crash(2);
    rig.publish({1}, partition_of({1, 2}, {1}, 1, 4, 4));
    return rig.records(1);
}

TEST(HistoricVectors, TX1_AsLeadershipThatMovesAwayAndBack) {
    EXPECT_EQ(leadership_moves_and_returns(by_high_watermark()), "1:m0");
    EXPECT_EQ(leadership_moves_and_returns(kToday), "1:m0 1:m1");
}

/// Broker 1 led and wrote m1, which broker 2 never got; broker 2 leads and writes another record at
/// that offset; broker 1 follows with a high watermark above it.
std::pair<std::string, std::string> tx2(const types::Rules& rules) {
    ReplicaRig rig(2, rules);
    tell_all(rig, 1, 1);
    rig.produce(1, {"m0"});
    rig.run(seconds(1));
    rig.cut(1, 2);
    rig.publish({1}, partition_of({1, 2}, {1}, 1, 1, 2));
    rig.change_registration(1, 2, [](auto& broker) { broker.fenced = true; });
    rig.produce(1, {"m1"});
    EXPECT_EQ(rig.high_watermark(1), 2);
    rig.publish({2}, partition_of({1, 2}, {2}, 2, 2, 3));
    rig.produce(2, {"other"});
    rig.heal(1, 2);
    rig.publish({1}, partition_of({1, 2}, {2}, 2, 2, 3));
    rig.run(seconds(40));
    return {rig.records(1), rig.records(2)};
}

TEST(HistoricVectors, TX2_TruncationByHighWatermarkLeavesDifferentRecords) {
    const auto [old_1, old_2] = tx2(by_high_watermark());
    EXPECT_EQ(old_1, "1:m0 1:m1");
    EXPECT_EQ(old_2, "1:m0 2:other");
    const auto [new_1, new_2] = tx2(kToday);
    EXPECT_EQ(new_1, "1:m0 2:other");
    EXPECT_EQ(new_1, new_2);
}

/// A follower of epoch 5 asks a leader that still lives in epoch 4 and has less.
std::string tx4(const types::Rules& rules) {
    ReplicaRig rig(2, rules);
    rig.publish({2}, partition_of({1, 2}, {2}, 2, 4, 4));
    rig.produce(2, {"a", "b"});
    rig.publish({1}, partition_of({1, 2}, {1}, 1, 4, 4));
    rig.produce(1, {"a"});
    rig.publish({2}, partition_of({1, 2}, {2}, 1, 5, 5));
    rig.run(milliseconds(200));
    return rig.records(2);
}

TEST(HistoricVectors, TX4_WithoutFencingAFollowerTruncatesAgainstAStaleLeader) {
    EXPECT_EQ(tx4(kToday), "4:a 4:b");
    EXPECT_NE(tx4(with(types::Mutant::kEpochNotFenced)), "4:a 4:b");
}

TEST(ReplicationMutants, TruncationSkippedKeepsAForeignTail) {
    const auto [follower, leader] = tx2(with(types::Mutant::kTruncationSkipped));
    EXPECT_NE(follower, leader);
}

TEST(ReplicationMutants, AckBeforeAppendAcknowledgesWhatIsNotThere) {
    ReplicaRig rig(2, with(types::Mutant::kAckBeforeAppend));
    tell_all(rig, 1, 1);
    rig.cut(1, 2);
    const std::int32_t all = rig.produce(1, {"a"}, -1);
    ASSERT_TRUE(rig.produced(1, all));
    EXPECT_EQ(rig.produced(1, all)->error, types::ErrorCode::kNone);
    EXPECT_EQ(rig.high_watermark(1), 0);
    const std::int32_t one = rig.produce(1, {"b"}, 1);
    EXPECT_EQ(rig.produced(1, one)->error, types::ErrorCode::kNone);
    EXPECT_EQ(rig.end(1), 1);
}

TEST(ReplicationMutants, FollowerStateNotResetTrustsAnEarlierTerm) {
    for (const bool mutated : {false, true}) {
        ReplicaRig rig(3, mutated ? with(types::Mutant::kFollowerStateNotReset) : kToday);
        rig.publish({1}, partition_of({1, 2}, {1, 2}, 1, 1, 1));
        rig.produce(1, {"a", "b"});
        rig.follower_fetch(1, 2, 2);
        EXPECT_EQ(rig.high_watermark(1), 2);
        rig.produce(1, {"c"});
        rig.follower_fetch(1, 2, 3);
        rig.publish({1}, partition_of({1, 2}, {1, 2}, 2, 2, 2));
        rig.publish({1}, partition_of({1, 2}, {1, 2}, 1, 3, 3));
        const auto& end = rig.partition(1).followers[0].state.log_end_offset;
        EXPECT_EQ(end.has_value(), mutated);
    }
}

}  // namespace
}  // namespace klab::replication
