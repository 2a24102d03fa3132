// SPDX-License-Identifier: Apache-2.0
//
// P4, P6, P7, P8, P13, P15, P17, P18, P21 and IDEMPOTENCE: each broken on purpose, and silent when
// allowed.
#include <gtest/gtest.h>

#include "tests/check/check_rig.h"

namespace klab::check {
namespace {

void write_many(CheckRig& rig, std::int64_t count) {
    rig.cluster();
    for (std::int64_t n = 0; n < count; ++n) {
        rig.write(n);
    }
}

TEST(LogMatching, AForeignBatchBelowTheHighWatermarkBreaksP4) {
    // Mutant truncation-skipped: b3 keeps its own record at offset 2 and goes on after it.
    CheckRig rig;
    write_many(rig, 2);
    rig.appends(3, 2, 2, 0, false, 999);
    rig.appends(1, 2, 2, 0, true);
    rig.appends(2, 2, 2, 0, false);
    rig.raises(1, 2, 3, true, 3, 0, 3);
    EXPECT_EQ(rig.broken(CheckId::kP4), 0U) << "b3 does not call it committed yet";
    EXPECT_EQ(rig.broken(CheckId::kP13), 1U) << "but it is in the ISR";
    rig.raises(3, 2, 3, false, 3, 0, -1);
    EXPECT_EQ(rig.broken(CheckId::kP4), 1U);
    EXPECT_TRUE(rig.checker.is_broken(CheckId::kDiv));
}

TEST(LogMatching, TheOneThatCommitsLaterIsSeenToo) {
    CheckRig rig;
    write_many(rig, 2);
    rig.appends(1, 2, 2, 0, true);
    rig.appends(2, 2, 2, 0, false);
    rig.appends(3, 2, 2, 0, false, 999);
    rig.raises(3, 2, 3, false, 3, 0, -1);
    EXPECT_EQ(rig.broken(CheckId::kP4), 0U);
    rig.raises(1, 2, 3, true, 3, 0, 3);
    EXPECT_EQ(rig.broken(CheckId::kP4), 1U);
}

TEST(LogMatching, AfterAnAllowedLossTheOldReplicaIsExcused) {
    // b3 still holds what the unclean leader b2 has replaced, until it reconciles.
    CheckRig rig;
    rig.sight.committed->unclean_enabled = true;
    write_many(rig, 4);
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1}});
    rig.isr_in_force(1, {1}, 1, 0, false);
    rig.cuts(2, 4, 2, 2);
    rig.crash(1);
    rig.changed({.leader = 2,
                 .leader_epoch = 1,
                 .partition_epoch = 2,
                 .isr = {2},
                 .unclean = true,
                 .recovering = true});
    rig.sight.replicas[2].effective_min_isr = 1;
    rig.leads(2, 1, 2, 2, {2}, 2);
    rig.appends(2, 2, 2, 1, true);
    rig.raises(2, 2, 3, true, 3, 1, 1);
    EXPECT_EQ(rig.excused(CheckId::kP4), 1U);
    EXPECT_EQ(rig.excused(CheckId::kP5), 1U);
    rig.follows(3, 2, 1, 2, 4, 4);
    rig.cuts(3, 4, 2, 4);
    EXPECT_EQ(rig.excused(CheckId::kP21), 1U);
    rig.appends(3, 2, 2, 1, false);
    rig.raises(3, 2, 3, false, 3, 1, -1);
    EXPECT_EQ(rig.unexcused(), "");
}

TEST(HighWatermark, OutsideTheLogBreaksP8) {
    CheckRig rig;
    rig.cluster();
    rig.appends(2, 0, 0, 0, false);
    rig.raises(2, 0, 2, false, 1, 0, -1);
    EXPECT_EQ(rig.broken(CheckId::kP8), 1U);
}

TEST(HighWatermark, PastALaggingIsrMemberBreaksP8AndP13AndP15) {
    // Mutant hw-past-lagging-isr-member.
    CheckRig rig;
    rig.cluster();
    rig.appends(1, 0, 0, 0, true);
    rig.appends(2, 0, 0, 0, false);
    rig.raises(1, 0, 1, true, 1, 0, 3);
    EXPECT_EQ(rig.broken(CheckId::kP8), 1U);
    EXPECT_EQ(rig.broken(CheckId::kP13), 1U);
    EXPECT_EQ(rig.broken(CheckId::kP15), 1U);
}

TEST(HighWatermark, PastAReplicaThatIsAboutToJoinBreaksP8) {
    // KIP-497: with a proposal in flight the larger ISR counts.
    CheckRig rig;
    rig.cluster();
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 2}});
    rig.isr_in_force(1, {1, 2}, 1, 0, false);
    rig.proposes(1, {1, 2, 3}, 0, 1, true, 3, 0, 0, 0);
    rig.appends(1, 0, 0, 0, true);
    rig.appends(2, 0, 0, 0, false);
    rig.raises(1, 0, 1, true, 1, 0, 2);
    EXPECT_EQ(rig.broken(CheckId::kP8), 1U);
    EXPECT_EQ(rig.broken(CheckId::kP13), 0U);
}

TEST(HighWatermark, BelowMinIsrBreaksP17FromTheVersionOnThatHoldsIt) {
    // Mutant hw-gate-skipped; before 3.7 it is no mistake.
    for (const bool held : {true, false}) {
        CheckRig rig([held](types::ModelData& data) { data.rules.hw_held_below_min_isr = held; });
        rig.cluster();
        rig.isr_in_force(1, {1}, 1, 0, false);
        rig.appends(1, 0, 0, 0, true);
        rig.raises(1, 0, 1, true, 1, 0, 1);
        EXPECT_EQ(rig.broken(CheckId::kP17), held ? 1U : 0U);
        EXPECT_EQ(rig.checker.how_often(CheckId::kP17), held ? 1U : 0U);
    }
}

TEST(StrongIsr, AMemberThatLostItsTailIsExcusedUntilItIsFoundOut) {
    CheckRig rig;
    write_many(rig, 5);
    rig.power_off(3);
    rig.boot(3);
    rig.recovers(3, 2, 2);
    EXPECT_EQ(rig.excused(CheckId::kP13), 1U);
    EXPECT_EQ(rig.excused(CheckId::kP15), 1U);
    EXPECT_EQ(rig.unexcused(), "");
}

TEST(StrongIsr, AMemberThatCutItsLogIsNot) {
    CheckRig rig;
    write_many(rig, 5);
    rig.cuts(3, 5, 4, 4);
    EXPECT_EQ(rig.broken(CheckId::kP13), 1U);
    EXPECT_EQ(rig.broken(CheckId::kP15), 1U);
    EXPECT_EQ(rig.broken(CheckId::kP3), 1U);
}

TEST(TruncationFloor, ACutBelowTheOwnHighWatermarkBreaksP21) {
    CheckRig rig;
    write_many(rig, 5);
    rig.cuts(3, 5, 3, 5);
    EXPECT_EQ(rig.broken(CheckId::kP21), 1U);
}

TEST(TruncationFloor, ALogWithoutEpochsMayFallBackToItsHighWatermark) {
    CheckRig rig;
    write_many(rig, 5);
    rig.cuts(3, 5, 3, 5, "no epochs");
    EXPECT_EQ(rig.broken(CheckId::kP21), 0U);
    EXPECT_EQ(rig.checker.how_often(CheckId::kP21), 0U);
}

TEST(ProduceAdmission, AcksAllBelowMinIsrBreaksP18) {
    CheckRig rig;
    rig.cluster();
    rig.isr_in_force(1, {1}, 1, 0, false);
    rig.appends(1, 0, 0, 0, true);
    rig.waits(1, 1);
    EXPECT_EQ(rig.broken(CheckId::kP18), 1U);
}

TEST(ProduceAdmission, AnIsrThatShrinksLaterIsNoBreach) {
    CheckRig rig;
    rig.cluster();
    rig.appends(1, 0, 0, 0, true);
    rig.waits(1, 1);
    rig.isr_in_force(1, {1}, 1, 0, false);
    EXPECT_EQ(rig.broken(CheckId::kP18), 0U);
    EXPECT_EQ(rig.checker.how_often(CheckId::kP18), 1U);
}

TEST(SequenceOrder, RepeatsAndGapsBreakIdempotence) {
    // Mutant sequence-unchecked.
    CheckRig rig;
    rig.cluster();
    rig.appends_sequence(1, 0, 0, 7, 0);
    rig.appends_sequence(1, 1, 0, 7, 1);
    EXPECT_EQ(rig.broken(CheckId::kIdempotence), 0U);
    rig.appends_sequence(1, 2, 0, 7, 1);
    EXPECT_EQ(rig.broken(CheckId::kIdempotence), 1U);
    EXPECT_TRUE(rig.checker.is_broken(CheckId::kDup));
}

TEST(SequenceOrder, ANewProducerEpochBeginsAnew) {
    CheckRig rig;
    rig.cluster();
    rig.appends_sequence(1, 0, 0, 7, 0);
    rig.sight.disks[1] = {{0, 0, 0, 0, 7, 0, 0}, {1, 1, 0, 1, 7, 1, 0}};
    rig.appends_sequence(1, 1, 0, 7, 0);
    EXPECT_EQ(rig.broken(CheckId::kIdempotence), 0U);
    EXPECT_EQ(rig.checker.how_often(CheckId::kIdempotence), 1U);
}

TEST(ConsistentRead, AnotherRecordAtTheSameOffsetBreaksP6) {
    CheckRig rig;
    write_many(rig, 3);
    rig.polled(1, 1, 0, 3);
    rig.polled(1, 1, 0, 3);
    EXPECT_EQ(rig.broken(CheckId::kP6), 0U);
    EXPECT_EQ(rig.checker.how_often(CheckId::kP6), 1U);
    rig.polled(1, 77, 1, 3);
    EXPECT_EQ(rig.broken(CheckId::kP6), 1U);
}

TEST(LatestOffset, GoingBackInALaterEpochBreaksP7) {
    // KIP-207: a new leader must not tell a smaller end than its predecessor did.
    CheckRig rig;
    write_many(rig, 3);
    rig.sight.reader_epoch = 0;
    rig.reset(-1, 3, "initial");
    rig.sight.reader_epoch = 1;
    rig.reset(3, 2, "out of range");
    EXPECT_EQ(rig.broken(CheckId::kP7), 1U);
}

TEST(LatestOffset, ClientsWithoutEpochsAreNotJudged) {
    CheckRig rig;
    write_many(rig, 3);
    rig.reset(-1, 3, "initial");
    rig.reset(3, 2, "initial");
    EXPECT_EQ(rig.broken(CheckId::kP7), 0U);
    EXPECT_EQ(rig.checker.how_often(CheckId::kP7), 0U);
}

}  // namespace
}  // namespace klab::check
