// SPDX-License-Identifier: Apache-2.0
//
// P1, P2, P3, P5 and ANSWER: each broken on purpose, and silent under each of its excuses.
#include <gtest/gtest.h>

#include "tests/check/check_rig.h"

namespace klab::check {
namespace {

/// Ten committed records, then b1 dies and b2 leads in epoch 1 without the last three.
void fail_over_without_tail(CheckRig& rig, const CheckRig::Ids& isr = {2, 3}) {
    rig.crash(1);
    rig.fenced(1);
    rig.cuts(2, 10, 7, 10);
    rig.changed({.leader = 2, .leader_epoch = 1, .partition_epoch = 1, .isr = isr});
    rig.leads(2, 1, 1, 7, isr, 7);
}

void ten_records(CheckRig& rig) {
    rig.cluster();
    for (std::int64_t n = 0; n < 10; ++n) {
        rig.write(n);
    }
}

/// The ISR is {1}, and b2 has lost its last three records in its own right.
void out_of_isr(CheckRig& rig) {
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1}});
    rig.isr_in_force(1, {1}, 1, 0, false);
    rig.cuts(2, 10, 7, 7);
}

TEST(AckedLoss, SilentWhileNothingIsLost) {
    // A checker that cries wolf is worse than none; and it must have had something to look at.
    CheckRig rig;
    ten_records(rig);
    rig.crash(1);
    rig.changed({.leader = 2, .leader_epoch = 1, .partition_epoch = 1, .isr = {2, 3}});
    rig.fenced(1);
    rig.leads(2, 1, 1, 10, {2, 3}, 10);
    EXPECT_EQ(rig.unexcused(), "");
    EXPECT_TRUE(rig.checker.violations().empty());
    EXPECT_EQ(rig.checker.how_often(CheckId::kP1), 10U);
    EXPECT_EQ(rig.checker.how_often(CheckId::kP2), 2U);
    EXPECT_GT(rig.checker.how_often(CheckId::kP3), 0U);
}

TEST(AckedLoss, P1AndP2SeeALeaderWithoutAcknowledgedRecords) {
    CheckRig rig;
    ten_records(rig);
    fail_over_without_tail(rig);
    EXPECT_EQ(rig.broken(CheckId::kP1), 1U);
    EXPECT_EQ(rig.broken(CheckId::kP2), 1U);
    EXPECT_TRUE(rig.checker.is_broken(CheckId::kAck));
    EXPECT_GE(rig.broken(CheckId::kP21), 1U) << "the cut itself went below the high watermark";
}

TEST(AckedLoss, ALateAcknowledgementOfALostRecordCounts) {
    // The record was committed and its answer on the way when the leader died.
    CheckRig rig;
    ten_records(rig);
    rig.sends(10);
    rig.appends(1, 10, 10, 0, true);
    rig.appends(2, 10, 10, 0, false);
    rig.appends(3, 10, 10, 0, false);
    rig.begin_step();
    rig.raises(1, 10, 11, true, 11, 0, 3);
    rig.answers(1, 10, 10);
    rig.end_step();
    rig.crash(1);
    rig.cuts(2, 11, 10, 10);
    rig.changed({.leader = 2, .leader_epoch = 1, .partition_epoch = 1, .isr = {2, 3}});
    rig.leads(2, 1, 1, 10, {2, 3}, 10);
    EXPECT_EQ(rig.broken(CheckId::kP1), 0U) << "nobody has been told yet";
    rig.acked(10, 10);
    EXPECT_EQ(rig.broken(CheckId::kP1), 1U);
}

TEST(AckedLoss, UncleanElectionIsAnExcuse) {
    CheckRig rig;
    rig.sight.committed->unclean_enabled = true;
    ten_records(rig);
    out_of_isr(rig);
    rig.crash(1);
    rig.changed({.leader = 2,
                 .leader_epoch = 1,
                 .partition_epoch = 2,
                 .isr = {2},
                 .unclean = true,
                 .recovering = true});
    rig.leads(2, 1, 2, 7, {2}, 7);
    EXPECT_EQ(rig.excused(CheckId::kP1), 1U);
    EXPECT_EQ(rig.excused(CheckId::kP2), 1U);
    EXPECT_EQ(rig.broken(CheckId::kP1) + rig.broken(CheckId::kP2) + rig.broken(CheckId::kP3), 0U);
}

TEST(AckedLoss, AnUncleanElectionExcusesOneLossOnly) {
    // What the unclean leader commits afterwards is as safe as anything.
    CheckRig rig;
    rig.sight.committed->unclean_enabled = true;
    ten_records(rig);
    out_of_isr(rig);
    rig.crash(1);
    rig.changed({.leader = 2,
                 .leader_epoch = 1,
                 .partition_epoch = 2,
                 .isr = {2},
                 .unclean = true,
                 .recovering = true});
    rig.leads(2, 1, 2, 7, {2}, 7);
    rig.follows(3, 2, 1, 2, 10, 10);
    rig.cuts(3, 10, 7, 10);
    rig.appends(2, 7, 7, 1, true);
    rig.raises(2, 7, 8, true, 8, 1, 1);
    rig.polled(7, 99, 1, 8);
    rig.changed({.leader = 3, .leader_epoch = 2, .partition_epoch = 3, .isr = {3}});
    rig.leads(3, 2, 3, 7, {3}, 7);
    EXPECT_EQ(rig.broken(CheckId::kP2), 1U);
}

TEST(AckedLoss, LostTailsOfMinIsrMembersAreAnExcuse) {
    // min.insync.replicas is 2: acks=all survives the loss of one tail, not of two.
    CheckRig rig;
    ten_records(rig);
    for (const std::int32_t broker : {1, 2}) {
        rig.power_off(broker);
        rig.fenced(broker);
        rig.boot(broker);
        rig.registered(broker, 20 + broker);
        rig.recovers(broker, 7, 7);
    }
    rig.changed({.leader = 2, .leader_epoch = 1, .partition_epoch = 1, .isr = {2, 3}});
    rig.leads(2, 1, 1, 7, {2, 3}, 7);
    EXPECT_EQ(rig.excused(CheckId::kP1), 1U);
    EXPECT_EQ(rig.broken(CheckId::kP1), 0U);
    EXPECT_EQ(rig.broken(CheckId::kP2), 0U);
}

TEST(AckedLoss, OneLostTailIsNoExcuseWithMinIsrTwo) {
    CheckRig rig;
    ten_records(rig);
    rig.power_off(2);
    rig.boot(2);
    rig.registered(2, 22);
    rig.recovers(2, 7, 7);
    rig.changed({.leader = 2, .leader_epoch = 1, .partition_epoch = 1, .isr = {2, 3}});
    rig.leads(2, 1, 1, 7, {2, 3}, 7);
    EXPECT_EQ(rig.broken(CheckId::kP1), 1U);
    EXPECT_EQ(rig.excused(CheckId::kP1), 0U);
}

TEST(AckedLoss, WithoutElrTheLastIsrMemberMayLoseItsTail) {
    // F09: b2 and b3 still hold everything, but only the last ISR member may lead.
    CheckRig rig([](types::ModelData& data) { data.rules.elr = false; });
    ten_records(rig);
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1}});
    rig.power_off(1);
    rig.changed({.leader = -1, .leader_epoch = 1, .partition_epoch = 2, .isr = {1}});
    rig.fenced(1);
    rig.boot(1);
    rig.registered(1, 30);
    rig.recovers(1, 6, 6);
    rig.unfenced(1);
    rig.changed({.leader = 1, .leader_epoch = 2, .partition_epoch = 3, .isr = {1}});
    rig.leads(1, 2, 3, 6, {1}, 6);
    EXPECT_EQ(rig.excused(CheckId::kP1), 1U);
    EXPECT_EQ(rig.excused(CheckId::kP12), 1U) << "it stays in the ISR while it is fenced";
    rig.follows(2, 1, 2, 3, 10, 10);
    rig.cuts(2, 10, 6, 10);
    EXPECT_EQ(rig.excused(CheckId::kP21), 1U)
        << "the others have to cut below their high watermark";
    EXPECT_EQ(rig.unexcused(), "");
}

TEST(AckedLoss, TruncationToTheHighWatermarkIsAnExcuse) {
    CheckRig rig([](types::ModelData& data) {
        data.rules.log_truncation = types::LogTruncation::kHighWatermark;
    });
    ten_records(rig);
    rig.crash(1);
    rig.cuts(2, 10, 7, 7, "own high watermark");
    rig.changed({.leader = 2, .leader_epoch = 1, .partition_epoch = 1, .isr = {2, 3}});
    rig.leads(2, 1, 1, 7, {2, 3}, 7);
    EXPECT_EQ(rig.excused(CheckId::kP1), 1U);
    EXPECT_EQ(rig.unexcused(), "");
}

TEST(AckedLoss, AnotherRecordInPlaceBreaksP5) {
    CheckRig rig;
    ten_records(rig);
    fail_over_without_tail(rig);
    EXPECT_EQ(rig.broken(CheckId::kP5), 0U) << "missing, not replaced";
    rig.appends(2, 7, 7, 1, true);
    EXPECT_EQ(rig.broken(CheckId::kP5), 1U);
}

TEST(AckedLoss, TheSameRecordsAgainDoNotBreakP5) {
    CheckRig rig;
    ten_records(rig);
    fail_over_without_tail(rig);
    rig.appends(2, 7, 7, 0, true);
    EXPECT_EQ(rig.broken(CheckId::kP5), 0U);
}

TEST(AckedLoss, NothingExposedIsNoLoss) {
    // A high watermark that nobody heard of binds nobody (the leader died in that very step).
    CheckRig rig;
    rig.cluster();
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1}});
    rig.isr_in_force(1, {1}, 1, 0, false);
    rig.sight.replicas[1].effective_min_isr = 1;
    rig.begin_step();
    rig.appends(1, 0, 0, 0, true);
    rig.raises(1, 0, 1, true, 1, 0, 3);
    rig.end_step();
    rig.crash(1);
    rig.boot(1);
    rig.registered(1, 40);
    rig.recovers(1, 0, 0);
    rig.unfenced(1);
    rig.changed({.leader = 1, .leader_epoch = 1, .partition_epoch = 2, .isr = {1}});
    rig.leads(1, 1, 2, 0, {1}, 0);
    EXPECT_EQ(rig.broken(CheckId::kP2) + rig.excused(CheckId::kP2), 0U);
}

TEST(CandidateCompleteness, AnIsrMemberWithoutCommittedRecordsBreaksP3) {
    // F10: an empty replica is let into the ISR.
    CheckRig rig;
    ten_records(rig);
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 2}});
    rig.crash(3);
    rig.wipe(3);
    rig.boot(3);
    rig.registered(3, 50);
    rig.unfenced(3);
    rig.follows(3, 1, 0, 1, 0, 0);
    EXPECT_EQ(rig.broken(CheckId::kP3), 0U);
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 2, .isr = {1, 2, 3}});
    EXPECT_EQ(rig.broken(CheckId::kP3), 1U);
}

TEST(CandidateCompleteness, ARestartedMemberIsExcusedUntilItRegisters) {
    CheckRig rig;
    ten_records(rig);
    rig.power_off(3);
    rig.boot(3);
    rig.recovers(3, 5, 5);
    rig.write(10);
    EXPECT_EQ(rig.broken(CheckId::kP3) + rig.excused(CheckId::kP3), 0U);
}

TEST(Answer, AcksAllBeforeTheHighWatermarkIsSeen) {
    // Mutant ack-before-append: nobody has to die for it to be wrong.
    CheckRig rig;
    rig.cluster();
    rig.sends(0);
    rig.appends(1, 0, 0, 0, true);
    rig.answers(1, 0, 0);
    EXPECT_EQ(rig.broken(CheckId::kAnswer), 1U);
    EXPECT_EQ(rig.broken(CheckId::kP1), 0U);
    rig.acked(0, 0);
    rig.crash(1);
    rig.fenced(1);
    rig.changed({.leader = 2, .leader_epoch = 1, .partition_epoch = 1, .isr = {2, 3}});
    rig.leads(2, 1, 1, 0, {2, 3}, 0);
    EXPECT_EQ(rig.broken(CheckId::kP1), 1U);
}

TEST(Answer, SilentForAcksOneAndForWaitingBatches) {
    CheckRig rig;
    ten_records(rig);
    rig.appends(1, 10, 10, 0, true);
    rig.answers(1, 10, 10, 1);
    EXPECT_EQ(rig.broken(CheckId::kAnswer), 0U);
    EXPECT_EQ(rig.checker.how_often(CheckId::kAnswer), 10U);
}

}  // namespace
}  // namespace klab::check
