// SPDX-License-Identifier: Apache-2.0
//
// P9 to P12, P14, P16, P19, P20, P22 and M1 to M4, M7: each broken on purpose, and silent when
// allowed.
#include <gtest/gtest.h>

#include "model/types/kafka_events.h"
#include "tests/check/check_rig.h"

namespace klab::check {
namespace {

namespace events = types::events;

constexpr std::int32_t kController = 3;

TEST(LeaderEpoch, TwoAuthorsOfOneEpochBreakP9) {
    CheckRig rig;
    rig.cluster();
    rig.appends(1, 0, 0, 0, true);
    EXPECT_EQ(rig.broken(CheckId::kP9), 0U);
    rig.appends(2, 0, 0, 0, true);
    EXPECT_EQ(rig.broken(CheckId::kP9), 1U);
    EXPECT_TRUE(rig.checker.is_broken(CheckId::kLead));
}

TEST(LeaderEpoch, GoingBackBreaksP10) {
    CheckRig rig;
    rig.cluster();
    rig.follows(2, 1, 3, 5, 0, 0);
    rig.follows(2, 1, 2, 6, 0, 0);
    EXPECT_EQ(rig.broken(CheckId::kP10), 1U);
}

TEST(LeaderEpoch, ARestartedProcessMayApplyOldMetadataAgain) {
    CheckRig rig;
    rig.cluster();
    rig.follows(2, 1, 3, 5, 0, 0);
    rig.crash(2);
    rig.boot(2);
    rig.recovers(2, 0, 0);
    rig.follows(2, 1, 2, 4, 0, 0);
    EXPECT_EQ(rig.broken(CheckId::kP10), 0U);
}

TEST(LeaderEpoch, MetadataThatGoBackBreakP10) {
    CheckRig rig;
    rig.cluster();
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 0, .isr = {1, 2}});
    EXPECT_EQ(rig.broken(CheckId::kP10), 1U);
}

TEST(LeaderEpoch, ADeletedTopicBeginsAnew) {
    CheckRig rig;
    rig.cluster();
    rig.write(0);
    rig.changed({.leader = 1, .leader_epoch = 4, .partition_epoch = 4, .isr = {1, 2, 3}});
    rig.emit(events::kTopicDeleted, kController, {sim::unpack_name(rig.partition())});
    rig.raises(2, 0, 1, false, 1, 0, -1);
    for (std::int32_t broker = 1; broker <= 3; ++broker) {
        rig.emit(events::kReplicaStopped, broker - 1, {rig.partition()});
    }
    rig.changed({.leader = 2, .leader_epoch = 0, .partition_epoch = 0, .isr = {1, 2, 3}});
    rig.leads(2, 0, 0, 0, {1, 2, 3}, 0);
    rig.follows(1, 2, 0, 0, 0, 0);
    EXPECT_EQ(rig.unexcused(), "");
}

TEST(IsrShape, DoubleForeignAndLeaderlessMembersBreakP11) {
    const CheckRig::Ids shapes[] = {{1, 1, 2}, {1, 7}, {2, 3}};
    for (const CheckRig::Ids& isr : shapes) {
        CheckRig rig;
        rig.cluster();
        rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = isr});
        EXPECT_EQ(rig.broken(CheckId::kP11), 1U);
    }
}

TEST(IsrShape, AnEmptyIsrBreaksP14UnlessElrIsOn) {
    for (const bool elr : {false, true}) {
        CheckRig rig([elr](types::ModelData& data) { data.rules.elr = elr; });
        rig.cluster();
        rig.changed({.leader = -1, .leader_epoch = 1, .partition_epoch = 1, .isr = {}});
        EXPECT_EQ(rig.broken(CheckId::kP14), elr ? 0U : 1U);
    }
}

TEST(IsrShape, ALeaderOutsideItsIsrBreaksP14) {
    CheckRig rig;
    rig.cluster();
    rig.isr_in_force(1, {2, 3}, 1, 0, false);
    EXPECT_EQ(rig.broken(CheckId::kP14), 1U);
}

TEST(FencedMember, AFencedBrokerInAnIsrBreaksP12) {
    // Mutant fenced-in-isr.
    CheckRig rig;
    rig.cluster();
    rig.fenced(3);
    EXPECT_EQ(rig.broken(CheckId::kP12), 1U);
}

TEST(FencedMember, OneStepFencesAndRemoves) {
    // The records of one decision become visible one after the other, but in one step.
    CheckRig rig;
    rig.cluster();
    rig.begin_step();
    rig.fenced(3);
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 2}});
    rig.end_step();
    EXPECT_EQ(rig.broken(CheckId::kP12), 0U);
    EXPECT_GT(rig.checker.how_often(CheckId::kP12), 0U);
}

TEST(FencedMember, TheLastOneMayStayWithoutALeader) {
    CheckRig rig([](types::ModelData& data) { data.rules.elr = false; });
    rig.cluster();
    rig.begin_step();
    rig.fenced(1);
    rig.changed({.leader = -1, .leader_epoch = 1, .partition_epoch = 1, .isr = {1}});
    rig.end_step();
    EXPECT_EQ(rig.broken(CheckId::kP12), 0U);
    EXPECT_EQ(rig.excused(CheckId::kP12), 1U);
}

TEST(FencedMember, ALateHeartbeatMayWakeABrokerThatHasLeft) {
    // BrokerHeartbeatManager.calculateNextBrokerState: FENCED and no wish to be fenced is UNFENCED.
    const auto breaches = [](bool heartbeat_comes) {
        CheckRig rig([](types::ModelData& data) { data.rules.elr = false; });
        rig.cluster();
        rig.begin_step();
        rig.leaving(1);
        rig.changed({.leader = -1, .leader_epoch = 1, .partition_epoch = 1, .isr = {1}});
        rig.end_step();
        rig.fenced(1);
        rig.begin_step();
        if (heartbeat_comes) {
            rig.unfenced(1);
        }
        rig.changed({.leader = 1, .leader_epoch = 2, .partition_epoch = 2, .isr = {1}});
        rig.end_step();
        return std::pair(rig.broken(CheckId::kP12), rig.broken(CheckId::kM7));
    };
    using Counts = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(breaches(true), Counts(0, 0));
    EXPECT_EQ(breaches(false), Counts(1, 1));
}

TEST(MaximalIsr, AMemberTheLeaderDoesNotCountBreaksP16) {
    // Mutants maximal-isr-ignored and partition-epoch-unchecked.
    CheckRig rig;
    rig.cluster();
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 2}});
    EXPECT_EQ(rig.broken(CheckId::kP16), 0U);
    rig.isr_in_force(1, {1, 2}, 1, 0, false);
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 2, .isr = {1, 2, 3}});
    EXPECT_EQ(rig.broken(CheckId::kP16), 1U);
}

TEST(MaximalIsr, AProposalThatMetadataTookBackMayBeAccepted) {
    // Partition.makeLeader drops a pending expansion for metadata of the epoch that it has already.
    CheckRig rig;
    rig.cluster();
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 2}});
    rig.isr_in_force(1, {1, 2}, 1, 0, false);
    rig.proposes(1, {1, 2, 3}, 0, 1, true, 3, 0, 0, 0);
    rig.sight.replicas[1].maximal_isr = {types::BrokerId(1), types::BrokerId(2)};  // taken back
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 2, .isr = {1, 2, 3}});
    EXPECT_EQ(rig.broken(CheckId::kP16), 0U);
    EXPECT_EQ(rig.excused(CheckId::kP16), 1U);
}

TEST(IsrChange, AStaleProposalThatIsAcceptedBreaksP19) {
    CheckRig rig;
    rig.cluster();
    rig.proposes(1, {1, 2}, 0, 0, false, 3, 0, 0, 0);
    rig.begin_step();
    rig.fenced(2);
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 3}});
    rig.end_step();
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 2, .isr = {1, 2}});
    EXPECT_EQ(rig.broken(CheckId::kP19), 1U);
}

TEST(IsrChange, AnExactOneDoesNot) {
    CheckRig rig;
    rig.cluster();
    rig.proposes(1, {1, 2}, 0, 0, false, 3, 0, 0, 0);
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 2}});
    EXPECT_EQ(rig.unexcused(), "");
    EXPECT_EQ(rig.checker.how_often(CheckId::kP19), 1U);
}

TEST(IsrChange, AFencingThatLooksLikeAnOldProposalDoesNot) {
    // The change of the partition is told before the broker that was the reason.
    CheckRig rig;
    rig.cluster();
    rig.proposes(1, {1, 2}, 0, 0, false, 3, 0, 0, 0);
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 2}});
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 2, .isr = {1, 2, 3}});
    rig.begin_step();
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 3, .isr = {1, 2}});
    rig.fenced(3);
    rig.end_step();
    EXPECT_EQ(rig.broken(CheckId::kP19), 0U);
}

TEST(IsrExpansion, BelowHighWatermarkOrEpochStartBreaksP20) {
    // Mutants expand-below-hw and isr-expand-too-early.
    struct Row {
        std::int64_t end, high_watermark, start;
        bool needs_start;
        std::size_t broken;
    };

    const Row rows[] = {{0, 0, 0, true, 0},
                        {-1, 0, 0, true, 1},
                        {0, 1, 0, true, 1},
                        {0, 0, 1, true, 1},
                        {0, 0, 1, false, 0}};
    for (const Row& row : rows) {
        CheckRig rig([&](types::ModelData& data) {
            data.rules.isr_join_needs_epoch_start = row.needs_start;
        });
        rig.cluster();
        rig.proposes(1, {1, 2, 3}, 0, 0, true, 3, row.end, row.high_watermark, row.start);
        EXPECT_EQ(rig.broken(CheckId::kP20), row.broken);
    }
}

TEST(IsrExpansion, ByAFormerLifeBreaksP20) {
    // Mutant broker-epoch-unchecked: the leader saw b3 fetch before it restarted.
    for (const bool checks : {true, false}) {
        CheckRig rig(
            [checks](types::ModelData& data) { data.rules.isr_join_checks_broker_epoch = checks; });
        rig.cluster();
        rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 2}});
        rig.sight.follower_epochs[3] = 3;
        rig.proposes(1, {1, 2, 3}, 0, 1, true, 3, 0, 0, 0);
        rig.registered(3, 60);
        rig.unfenced(3);
        rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 2, .isr = {1, 2, 3}});
        EXPECT_EQ(rig.broken(CheckId::kP20), checks ? 1U : 0U);
    }
}

TEST(UncleanElection, WithoutPermissionBreaksP22) {
    for (const bool enabled : {false, true}) {
        CheckRig rig;
        rig.sight.committed->unclean_enabled = enabled;
        rig.cluster();
        rig.changed({.leader = 2,
                     .leader_epoch = 1,
                     .partition_epoch = 1,
                     .isr = {2},
                     .unclean = true,
                     .recovering = true});
        rig.checker.finish(rig.sight);
        EXPECT_EQ(rig.broken(CheckId::kP22), enabled ? 0U : 1U);
    }
}

TEST(UncleanElection, AnOperatorMayAskForIt) {
    CheckRig rig;
    rig.cluster();
    rig.changed({.leader = 2,
                 .leader_epoch = 1,
                 .partition_epoch = 1,
                 .isr = {2},
                 .unclean = true,
                 .recovering = true});
    rig.emit(events::kAdminAnswered, 4, {43, 0, 0});
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.broken(CheckId::kP22), 0U);
}

TEST(UncleanElection, TheMarkMustFollow) {
    CheckRig rig;
    rig.sight.committed->unclean_enabled = true;
    rig.cluster();
    rig.changed(
        {.leader = 2, .leader_epoch = 1, .partition_epoch = 1, .isr = {2}, .unclean = true});
    EXPECT_EQ(rig.broken(CheckId::kP22), 1U);
}

TEST(LeaderChoice, FromOutsideTheIsrOrFencedBreaksM7) {
    CheckRig rig;
    rig.cluster();
    rig.changed({.leader = 1, .leader_epoch = 0, .partition_epoch = 1, .isr = {1, 2}});
    rig.changed({.leader = 3, .leader_epoch = 1, .partition_epoch = 2, .isr = {3}});
    EXPECT_EQ(rig.broken(CheckId::kM7), 1U);
    CheckRig other;
    other.cluster();
    other.begin_step();
    other.fenced(2);
    other.changed({.leader = 2, .leader_epoch = 1, .partition_epoch = 1, .isr = {2, 3}});
    other.end_step();
    EXPECT_EQ(other.broken(CheckId::kM7), 1U);
}

TEST(Metadata, UncommittedOrTwiceAuthoredOrDifferingIsSeen) {
    CheckRig rig;
    rig.cluster();
    rig.emit(events::kMetadataAppended, kController, {0, 4, 1});
    rig.emit(events::kMetadataCommitted, kController, {4});
    rig.emit(events::kMetadataPublished, 0, {4});
    EXPECT_EQ(rig.unexcused(), "");
    rig.emit(events::kMetadataPublished, 0, {5});
    EXPECT_EQ(rig.broken(CheckId::kM2), 1U);
    rig.emit(events::kMetadataAppended, 2, {5, 6, 1});
    EXPECT_EQ(rig.broken(CheckId::kM3), 1U);
    rig.registered(1, 1);
    EXPECT_EQ(rig.broken(CheckId::kM4), 1U);
    rig.sight.images = {"k1 and b1 differ at offset 4"};
    rig.checker.finish(rig.sight);
    EXPECT_EQ(rig.broken(CheckId::kM1), 1U);
}

}  // namespace
}  // namespace klab::check
