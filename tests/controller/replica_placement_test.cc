// SPDX-License-Identifier: Apache-2.0
//
// The vectors of StripedReplicaPlacerTest (reference table 8.7), row by row.
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/controller/controller_lab.h"

namespace klab::controller {
namespace {

UsableBroker up(int id, std::optional<std::string> rack = {}) {
    return {broker(id), std::move(rack), false};
}

UsableBroker fenced(int id, std::optional<std::string> rack = {}) {
    return {broker(id), std::move(rack), true};
}

std::vector<BrokerIds> place(const std::vector<UsableBroker>& brokers, int partitions, int rf) {
    MockRandom random;
    auto placed = place_replicas(random, brokers, partitions, rf);
    EXPECT_TRUE(placed.ok());
    return *placed;
}

TEST(ReplicaPlacement, GeneratorOfTheVectors) {
    MockRandom random;
    EXPECT_EQ(random.next31(), 1370951335U);
    EXPECT_EQ(random.next31(), 1457695759U);
    EXPECT_EQ(random.next31(), 324654877U);
    EXPECT_EQ(random.next31(), 1936075447U);
}

TEST(ReplicaPlacement, TS1_GivesEachBrokerOnceAnEpoch) {
    // The offset that the vector names is 0 without a draw.
    class Zero final : public PlacementRandom {
        std::uint32_t next_int(std::uint32_t) override { return 0; }
    };

    Zero random;
    BrokerStripe stripe;
    for (const int id : {0, 1, 2, 3}) {
        stripe.add(broker(id));
    }
    stripe.initialize(random);
    for (const int id : {0, 1, 2, 3}) {
        EXPECT_EQ(stripe.next(0), broker(id));
    }
    EXPECT_EQ(stripe.next(0), std::nullopt);
    EXPECT_EQ(stripe.next(0), std::nullopt);
    for (const int id : {1, 2, 3, 0}) {
        EXPECT_EQ(stripe.next(1), broker(id));
    }
    EXPECT_EQ(stripe.next(1), std::nullopt);
}

TEST(ReplicaPlacement, TS2_ShufflesWhenAllStartsAreUsed) {
    const std::vector<UsableBroker> brokers{up(3), fenced(1), up(0), up(4), up(2)};
    EXPECT_EQ(place(brokers, 5, 4),
              (std::vector{ids({3, 4, 0, 2}),
                           ids({4, 0, 2, 3}),
                           ids({0, 2, 3, 4}),
                           ids({2, 3, 4, 0}),
                           ids({0, 4, 3, 2})}));
    for (const int rf : {0, -1}) {
        MockRandom random;
        const auto refused = place_replicas(random, brokers, 1, rf);
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().kind, PlacementErrorKind::kReplicationFactorNotPositive);
    }
}

TEST(ReplicaPlacement, TS3_UsesFencedBrokersLast) {
    EXPECT_EQ(place({up(3), fenced(1), up(2)}, 4, 3),
              (std::vector{ids({3, 2, 1}), ids({2, 3, 1}), ids({3, 2, 1}), ids({2, 3, 1})}));
}

TEST(ReplicaPlacement, TS4_SpreadsOverRacks) {
    EXPECT_EQ(
        place({up(11, "1"), up(10, "1"), up(30, "3"), up(31, "3"), up(21, "2"), fenced(20, "2")},
              3,
              4),
        (std::vector{ids({11, 21, 31, 10}), ids({21, 30, 10, 20}), ids({31, 11, 21, 30})}));
}

TEST(ReplicaPlacement, TS5_SpreadsOverRacksWithManyFenced) {
    EXPECT_EQ(place({up(11, "1"),
                     up(10, "1"),
                     fenced(30, "3"),
                     fenced(31, "3"),
                     fenced(20, "2"),
                     fenced(21, "2"),
                     up(41, "4"),
                     fenced(40, "4")},
                    3,
                    4),
              (std::vector{ids({41, 11, 21, 30}), ids({10, 20, 31, 41}), ids({41, 21, 30, 11})}));
}

TEST(ReplicaPlacement, TS6_RotatesLeaders) {
    EXPECT_EQ(place({up(0), up(3), up(2), up(1)}, 5, 3),
              (std::vector{
                  ids({2, 3, 0}), ids({3, 0, 1}), ids({0, 1, 2}), ids({1, 2, 3}), ids({1, 0, 2})}));
}

TEST(ReplicaPlacement, TS7_NeverLetsAFencedBrokerLead) {
    EXPECT_EQ(place({up(0), fenced(1)}, 3, 1), (std::vector{ids({0}), ids({0}), ids({0})}));
}

TEST(ReplicaPlacement, TS8_SpreadsPairsEvenly) {
    std::map<std::pair<int, int>, int> pairs;
    for (const BrokerIds& replicas : place({up(0), up(1), up(2), up(3)}, 200, 2)) {
        ++pairs[{replicas[0].value(), replicas[1].value()}];
    }
    const std::map<std::pair<int, int>, int> expected{{{0, 1}, 14},
                                                      {{0, 2}, 22},
                                                      {{0, 3}, 14},
                                                      {{1, 0}, 17},
                                                      {{1, 2}, 17},
                                                      {{1, 3}, 16},
                                                      {{2, 0}, 13},
                                                      {{2, 1}, 17},
                                                      {{2, 3}, 20},
                                                      {{3, 0}, 20},
                                                      {{3, 1}, 19},
                                                      {{3, 2}, 11}};
    EXPECT_EQ(pairs, expected);
}

TEST(ReplicaPlacement, TS9_NeedsAnUnfencedBroker) {
    MockRandom random;
    const auto refused = place_replicas(random, {fenced(11), fenced(10)}, 1, 1);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, PlacementErrorKind::kAllBrokersFenced);
}

TEST(ReplicaPlacement, TS10_NeedsAsManyBrokersAsReplicas) {
    MockRandom random;
    const auto refused = place_replicas(random, {up(11), up(10)}, 1, 3);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, PlacementErrorKind::kTooFewBrokers);
    EXPECT_NE(refused.error().message.find("only 2"), std::string::npos);
}

RC_GTEST_PROP(ReplicaPlacement, GivesDistinctReplicasLedByAnUnfencedOne, ()) {
    std::vector<UsableBroker> brokers{up(0, "0")};
    const int more = *rc::gen::inRange(0, 8);
    for (int id = 1; id <= more; ++id) {
        brokers.push_back(
            {broker(id), std::to_string(*rc::gen::inRange(0, 4)), *rc::gen::arbitrary<bool>()});
    }
    const int rf = *rc::gen::inRange(1, static_cast<int>(brokers.size()) + 1);
    const int partitions = *rc::gen::inRange(1, 40);
    const std::vector<BrokerIds> placed = place(brokers, partitions, rf);
    RC_ASSERT(placed.size() == static_cast<std::size_t>(partitions));
    for (BrokerIds replicas : placed) {
        RC_ASSERT(replicas.size() == static_cast<std::size_t>(rf));
        const auto& leader = brokers[static_cast<std::size_t>(replicas.front().value())];
        RC_ASSERT(!leader.fenced);
        std::ranges::sort(replicas);
        RC_ASSERT(std::ranges::adjacent_find(replicas) == replicas.end());
    }
}

}  // namespace
}  // namespace klab::controller
