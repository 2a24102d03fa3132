// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/text_rules.h"

#include <map>
#include <regex>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "scenarios/run/target.h"

namespace klab::scenario {
namespace {

TEST(DurationText, ReadsEveryUnitExactly) {
    EXPECT_EQ(parse_duration("250us").duration, microseconds(250));
    EXPECT_EQ(parse_duration("40ms").duration, milliseconds(40));
    EXPECT_EQ(parse_duration("2s").duration, seconds(2));
    EXPECT_EQ(parse_duration("5min").duration, seconds(300));
    EXPECT_EQ(parse_duration("1h").duration, seconds(3600));
    EXPECT_EQ(parse_duration("1.5ms").duration, microseconds(1500));
    EXPECT_EQ(parse_duration("0.25min").duration, seconds(15));
    EXPECT_EQ(parse_duration("0.1us").duration, nanoseconds(100));
}

TEST(DurationText, SaysWhyATextIsNoTime) {
    EXPECT_EQ(parse_duration("20").problem, TimeProblem::kNoUnit);
    EXPECT_EQ(parse_duration("20sec").problem, TimeProblem::kUnknownUnit);
    EXPECT_EQ(parse_duration("20sec").unit, "sec");
    EXPECT_EQ(parse_duration("soon").problem, TimeProblem::kNoNumber);
    EXPECT_EQ(parse_duration("-5s").problem, TimeProblem::kNegative);
    EXPECT_EQ(parse_duration("0.0001us").problem, TimeProblem::kTooFine);
    EXPECT_EQ(parse_duration("11111111111111111111111s").problem, TimeProblem::kTooLong);
    EXPECT_EQ(parse_duration("100000h").problem, TimeProblem::kTooLong);
    EXPECT_EQ(parse_duration("1.s").problem, TimeProblem::kNoNumber);
    EXPECT_EQ(parse_duration("").problem, TimeProblem::kNoNumber);
}

TEST(DurationText, AllowsASignOnlyInAShift) {
    EXPECT_EQ(parse_shift("-5s").duration, seconds(-5));
    EXPECT_EQ(parse_shift("+5s").duration, seconds(5));
    EXPECT_EQ(parse_shift("5s").duration, seconds(5));
}

TEST(PartitionText, SplitsAtTheLastHyphen) {
    EXPECT_EQ(parse_partition("t-0"), (PartitionName{"t", 0}));
    EXPECT_EQ(parse_partition("my-topic-12"), (PartitionName{"my-topic", 12}));
    EXPECT_EQ(parse_partition("t"), std::nullopt);
    EXPECT_EQ(parse_partition("-1"), std::nullopt);
    EXPECT_EQ(parse_partition("t-99999999999"), std::nullopt);
    EXPECT_EQ(parse_replica("t-0@b2"), (ReplicaName{{"t", 0}, "b2"}));
    EXPECT_EQ(parse_replica("t-0"), std::nullopt);
}

TEST(TargetText, ReadsNamesAndRoles) {
    EXPECT_EQ(parse_target("b1"), Target(NodeTarget{"b1"}));
    EXPECT_EQ(parse_target("leader(t-0)"), Target(LeaderRole{{"t", 0}}));
    EXPECT_EQ(parse_target("follower(t-0,2)"), Target(FollowerRole{{"t", 0}, 2}));
    EXPECT_EQ(parse_target("follower(t-0, 2)"), Target(FollowerRole{{"t", 0}, 2}));
    EXPECT_EQ(parse_target("controller()"), Target(ControllerRole{}));
    EXPECT_EQ(parse_target("coordinator(g)"), Target(CoordinatorRole{"g"}));
    for (const char* wrong : {"",
                              "B1",
                              "leader",
                              "leader(t)",
                              "leader(t-0",
                              "follower(t-0,0)",
                              "controller(t-0)",
                              "boss(t-0)",
                              "leader of t-0",
                              "leader(t-0))"}) {
        const std::optional<Target> target = parse_target(wrong);
        EXPECT_TRUE(!target || std::holds_alternative<NodeTarget>(*target)) << wrong;
    }
    EXPECT_EQ(to_text(*parse_target("follower(t-0, 2)")), "follower(t-0,2)");
}

TEST(BandwidthText, IsBytesASecond) {
    EXPECT_EQ(parse_bandwidth("100MB/s"), 100'000'000);
    EXPECT_EQ(parse_bandwidth("1.5MB/s"), std::nullopt);
    EXPECT_EQ(parse_bandwidth("99999999999GB/s"), std::nullopt);
}

/// Short texts of the characters that the rules are about.
rc::Gen<std::string> rule_text() {
    return rc::gen::container<std::string>(
        rc::gen::elementOf(std::string("atb0159-.@/_usminhMBG+")));
}

RC_GTEST_PROP(TextRules, MatchByHandWhatTheSchemaMatchesByRegex, ()) {
    // The schema carries the pattern, the parser the code; a file valid for one must be for both.
    const std::string text = *rule_text();
    for (const TextRule rule : {TextRule::kName,
                                TextRule::kDuration,
                                TextRule::kShift,
                                TextRule::kBandwidth,
                                TextRule::kPartition,
                                TextRule::kReplica,
                                TextRule::kPointer}) {
        static std::map<TextRule, std::regex> patterns;
        const auto found = patterns.try_emplace(rule, std::string(pattern_of(rule))).first;
        const std::regex& pattern = found->second;
        RC_ASSERT(matches(rule, text) == std::regex_search(text, pattern));
    }
}

}  // namespace
}  // namespace klab::scenario
