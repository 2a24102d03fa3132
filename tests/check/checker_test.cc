// SPDX-License-Identifier: Apache-2.0
//
// The facade: what a report holds, what a run expects, forks, the full scan.
#include "model/check/checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/types/kafka_events.h"
#include "tests/check/check_rig.h"

namespace klab::check {
namespace {

TEST(Checker, AReportSaysWhatWhereAndWhen) {
    CheckRig rig;
    rig.cluster();
    rig.appends(1, 0, 0, 0, true);
    rig.appends(2, 0, 0, 0, true);
    ASSERT_EQ(rig.checker.violations().size(), 1U);
    const Violation& violation = rig.checker.violations().front();
    EXPECT_EQ(violation.id, "P9");
    EXPECT_EQ(violation.node, sim::NodeId(1));
    ASSERT_TRUE(violation.event);
    EXPECT_EQ(violation.last_events.back(), *violation.event);
    EXPECT_EQ(violation.last_events.size(), 3U) << "boot, follower.started, log.appended";
    const std::string text = to_text(violation);
    EXPECT_THAT(text, testing::HasSubstr("P9: At most one broker"));
    EXPECT_THAT(text, testing::HasSubstr("nothing in this run allows it"));
}

TEST(Checker, KeepsTheLastTenEventsOfANode) {
    CheckRig rig;
    rig.cluster();
    for (std::int64_t n = 0; n < 20; ++n) {
        rig.appends(1, n, n, 0, true);
    }
    rig.raises(1, 0, 30, true, 20, 0, 3);
    const Violation& violation = rig.checker.violations().front();
    EXPECT_EQ(violation.last_events.size(), kLastEventsMax);
    for (std::size_t i = 1; i < violation.last_events.size(); ++i) {
        EXPECT_LT(violation.last_events[i - 1], violation.last_events[i]);
    }
}

TEST(Checker, TheSameBreachIsToldOnce) {
    CheckRig rig;
    rig.cluster();
    for (std::int64_t n = 0; n < 5; ++n) {
        rig.appends(1, n, n, 0, true);
        rig.raises(1, 0, 30 + n, true, n + 1, 0, 3);
    }
    EXPECT_EQ(rig.broken(CheckId::kP8), 1U);
    EXPECT_GE(rig.checker.violations().front().repeats, 4U);
}

TEST(Checker, ARunFailsByWhatIsNeitherAllowedNorExpected) {
    CheckRig rig;
    rig.cluster();
    rig.appends(1, 0, 0, 0, true);
    rig.appends(2, 0, 0, 0, true);
    const std::vector<std::string> nothing;
    EXPECT_EQ(rig.checker.unexpected(nothing).size(), 1U);
    const std::vector<std::string> listed = {"LEAD"};
    EXPECT_TRUE(rig.checker.unexpected(listed).empty());
    const std::vector<std::string> other = {"ACK", "no such check"};
    EXPECT_EQ(rig.checker.unexpected(other).size(), 1U);
}

TEST(Checker, IgnoresKindsItDidNotAskFor) {
    // Other observers subscribe to more; their events carry other fields.
    CheckRig rig;
    rig.cluster();
    const Checker before = rig.checker;
    rig.emit(types::events::kFollowerFetched, 0, {rig.partition(), 2, 0, 0, 0, 0});
    rig.emit(types::events::kTopicCreated, 3, {1, 1, 3});
    EXPECT_TRUE(before == rig.checker);
    EXPECT_FALSE(rig.checker.wanted().contains(types::events::kFollowerFetched));
}

TEST(Checker, ACopyIsAFork) {
    CheckRig rig;
    rig.cluster();
    rig.write(0);
    CheckRig fork = rig;
    EXPECT_TRUE(fork.checker == rig.checker);
    fork.write(1);
    EXPECT_FALSE(fork.checker == rig.checker);
    rig.write(1);
    EXPECT_TRUE(fork.checker == rig.checker);
}

TEST(Checker, TheFullScanAgreesAndSeesWhatWasMissed) {
    CheckRig rig;
    rig.cluster();
    for (std::int64_t n = 0; n < 3; ++n) {
        rig.write(n);
    }
    EXPECT_THAT(rig.checker.full_scan(rig.sight), testing::IsEmpty());
    rig.sight.disks[2].back().crc ^= 1U;
    const auto found = rig.checker.full_scan(rig.sight);
    EXPECT_THAT(found, testing::Contains(testing::HasSubstr("batches on the disk")));
    EXPECT_THAT(found, testing::Contains(testing::HasSubstr("P4 is broken")));
    rig.sight.replicas[3].high_watermark = types::Offset(1);
    EXPECT_THAT(rig.checker.full_scan(rig.sight),
                testing::Contains(testing::HasSubstr("high watermark 1 was followed as 3")));
}

TEST(Checker, TheFullScanDoesNotJudgeARottenDisk) {
    CheckRig rig;
    rig.cluster();
    rig.write(0);
    rig.sight.disks[2].back().crc ^= 1U;
    EXPECT_THAT(rig.checker.full_scan(rig.sight), testing::Not(testing::IsEmpty()));
    rig.emit(sim::events::kBitRotted, 1, {0, 0, 0});
    EXPECT_THAT(rig.checker.full_scan(rig.sight), testing::IsEmpty());
}

TEST(Checker, ADisagreementWithTheTraceIsToldAsItHappens) {
    CheckRig rig;
    rig.cluster();
    rig.appends(1, 0, 0, 0, true);
    rig.raises(1, 0, 0, true, 5, 0, 3);
    EXPECT_EQ(rig.broken(CheckId::kSelf), 1U);
}

/// b3 held three records when it died; what it says of its log after the restart follows.
CheckRig with_a_follower_that_returns() {
    CheckRig rig;
    rig.cluster();
    for (std::int64_t n = 0; n < 3; ++n) {
        rig.write(n);
    }
    rig.crash(3);
    rig.boot(3);
    rig.recovers(3, 3, 3);
    return rig;
}

void puts_aside(CheckRig& rig, std::int32_t broker, const std::string& name) {
    bool added = false;
    const std::int64_t to = rig.sight.interner.text(name, added);
    rig.emit(types::events::kLogRenamed, broker - 1, {rig.partition(), to});
}

TEST(Checker, ALogThatIsPutAsideHasEnded) {
    // partition.metadata was lost: the log is a stray, and another one begins empty.
    CheckRig rig = with_a_follower_that_returns();
    puts_aside(rig, 3, "t-0.00000000000000000000000000000000-stray");
    rig.follows(3, 1, 0, 1, 0, 0);
    EXPECT_EQ(rig.broken(CheckId::kSelf), 0U);
    for (std::int64_t n = 0; n < 3; ++n) {
        rig.appends(3, n, n, 0, false);
    }
    EXPECT_EQ(rig.broken(CheckId::kSelf), 0U);
    EXPECT_TRUE(rig.checker.logs_equal(rig.partition()));
}

TEST(Checker, ALogThatShrinksWithoutBeingPutAsideIsADisagreement) {
    CheckRig rig = with_a_follower_that_returns();
    rig.follows(3, 1, 0, 1, 0, 0);
    EXPECT_EQ(rig.broken(CheckId::kSelf), 1U);
}

TEST(Checker, ALogThatIsPutAsideTakesNoOtherWithIt) {
    CheckRig rig = with_a_follower_that_returns();
    puts_aside(rig, 2, "t-0.00000000000000000000000000000000-stray");
    rig.follows(3, 1, 0, 1, 0, 0);
    EXPECT_EQ(rig.broken(CheckId::kSelf), 1U) << "it was the log of b2";
}

TEST(Checker, ALogThatWentWithItsReplicaIsNotFollowed) {
    CheckRig rig = with_a_follower_that_returns();
    rig.follows(3, 1, 0, 1, 3, 3);
    rig.emit(types::events::kReplicaStopped, 2, {rig.partition()});
    puts_aside(rig, 3, "t-0.00000000000000000000000000000000-delete");
    rig.follows(3, 1, 0, 2, 0, 0);
    EXPECT_EQ(rig.broken(CheckId::kSelf), 0U);
}

TEST(Checker, LogsEqualComparesRunningReplicas) {
    CheckRig rig;
    rig.cluster();
    rig.write(0);
    EXPECT_TRUE(rig.checker.logs_equal(rig.partition()));
    rig.appends(1, 1, 1, 0, true);
    EXPECT_FALSE(rig.checker.logs_equal(rig.partition()));
    rig.appends(2, 1, 1, 0, false);
    rig.appends(3, 1, 1, 0, false, 999);
    EXPECT_FALSE(rig.checker.logs_equal(rig.partition())) << "another batch at offset 1";
    rig.crash(3);
    EXPECT_TRUE(rig.checker.logs_equal(rig.partition()));
    EXPECT_FALSE(rig.checker.logs_equal(rig.partition() + 1));
}

}  // namespace
}  // namespace klab::check
