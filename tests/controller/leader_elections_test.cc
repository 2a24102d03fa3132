// SPDX-License-Identifier: Apache-2.0
//
// Elections on request and by the clock: rows TC30, TC32, TC33 of reference table 8.8.
#include "model/controller/leader_elections.h"

#include <gtest/gtest.h>

#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

using protocol::ElectionType;

protocol::ElectLeadersRequest ask(ElectionType type,
                                  std::optional<std::vector<types::TopicPartition>> partitions) {
    protocol::ElectLeadersRequest request;
    request.type = type;
    request.partitions = std::move(partitions);
    return request;
}

TEST(LeaderElections, TC30_DoesNotElectThePreferredUncleanly) {
    ControllerLab lab;
    lab.register_brokers({1, 2, 3});
    lab.unfence({1, 2, 3});
    lab.create("foo", {ids({1, 2, 3})});
    lab.fence({2, 3});
    lab.fence({1, 2, 3});
    lab.unfence({2});
    lab.set_topic_config("foo", "unclean.leader.election.enable", "true");
    ASSERT_EQ(lab.partition("foo").leader, std::nullopt);
    ASSERT_EQ(lab.partition("foo").isr, ids({1}));
    const auto decision =
        decide_elect_leaders(lab.view(), ask(ElectionType::kPreferred, {{{"foo", 0}}}));
    EXPECT_EQ(decision.result.partitions[0].error, ErrorCode::kPreferredLeaderNotAvailable);
    EXPECT_TRUE(decision.records.empty());
}

/// foo-0 [1,2,3], foo-1 [2,3,4], foo-2 [0,2,1], all led by 2; 0 fenced, 1 shutting down.
void away_from_preferred(ControllerLab& lab) {
    lab.register_brokers({0, 1, 2, 3, 4});
    lab.unfence({0, 1, 2, 3, 4});
    lab.create("foo", {ids({1, 2, 3}), ids({2, 3, 4}), ids({0, 2, 1})});
    lab.fence({0});
    auto leaving = lab.heartbeat_of(1);
    leaving.want_shut_down = true;
    lab.heartbeat(leaving);
    for (int p = 0; p < 3; ++p) {
        ASSERT_EQ(lab.partition("foo", p).leader, broker(2));
    }
}

TEST(LeaderElections, TC32_ReturnsToThePreferredWhenItIsInSyncAgain) {
    ControllerLab lab;
    away_from_preferred(lab);
    const auto request =
        ask(ElectionType::kPreferred, {{{"foo", 0}, {"foo", 1}, {"foo", 2}, {"bar", 0}}});
    auto decision = decide_elect_leaders(lab.view(), request);
    EXPECT_EQ(decision.result.partitions[0].error, ErrorCode::kPreferredLeaderNotAvailable);
    EXPECT_EQ(decision.result.partitions[1].error, ErrorCode::kElectionNotNeeded);
    EXPECT_EQ(decision.result.partitions[2].error, ErrorCode::kPreferredLeaderNotAvailable);
    EXPECT_EQ(decision.result.partitions[3].error, ErrorCode::kUnknownTopicOrPartition);
    EXPECT_TRUE(decision.records.empty());

    lab.unfence({0});
    lab.register_broker(1, 1101);
    lab.unfence({1});
    lab.alter(lab.proposal(2, "foo", 0, {1, 2, 3}));
    lab.alter(lab.proposal(2, "foo", 2, {0, 2, 1}));
    decision = decide_elect_leaders(lab.view(), request);
    EXPECT_EQ(decision.result.partitions[0].error, ErrorCode::kNone);
    EXPECT_EQ(decision.result.partitions[2].error, ErrorCode::kNone);
    lab.write(decision.records);
    EXPECT_EQ(lab.partition("foo", 0).leader, broker(1));
    EXPECT_EQ(lab.partition("foo", 2).leader, broker(0));
}

TEST(LeaderElections, TC33_BalancesWhatCanBeBalanced) {
    ControllerLab lab;
    away_from_preferred(lab);
    lab.register_broker(1, 1101);
    lab.unfence({1});
    lab.alter(lab.proposal(2, "foo", 0, {1, 2, 3}));
    const auto run = decide_preferred_elections(lab.view());
    ASSERT_EQ(run.records.size(), 1U);
    EXPECT_FALSE(run.result.more);
    ASSERT_EQ(run.elections.size(), 1U);
    EXPECT_EQ(run.elections[0].winner, broker(1));
    lab.write(run.records);
    // foo-2 still waits for its preferred replica.
    EXPECT_EQ(lab.state.partitions.imbalanced().size(), 1U);
    EXPECT_TRUE(decide_preferred_elections(lab.view()).records.empty());
}

TEST(LeaderElections, StopsAtItsLimitAndAsksForMore) {
    ControllerLab lab;
    lab.register_brokers({0, 1});
    lab.unfence({0, 1});
    lab.create("foo", std::vector<BrokerIds>(kElectionsPerRunMax + 1, ids({0, 1})));
    lab.fence({0});
    lab.unfence({0});
    for (int p = 0; p <= static_cast<int>(kElectionsPerRunMax); ++p) {
        lab.alter(lab.proposal(1, "foo", p, {0, 1}));
    }
    const auto run = decide_preferred_elections(lab.view());
    EXPECT_EQ(run.records.size(), kElectionsPerRunMax);
    EXPECT_TRUE(run.result.more);
    lab.write(run.records);
    EXPECT_EQ(decide_preferred_elections(lab.view()).records.size(), 1U);
}

}  // namespace
}  // namespace klab::controller
