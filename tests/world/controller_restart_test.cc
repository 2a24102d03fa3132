// SPDX-License-Identifier: Apache-2.0
//
// The controller goes and comes back while the cluster works. Kafka: QuorumController, KIP-500,
// KIP-631.
#include <gtest/gtest.h>

#include "tests/world/watched_world.h"

namespace klab::tests {
namespace {

namespace events = types::events;
using broker::BrokerState;

TEST(ControllerRestart, TheDataPlaneDoesNotNeedIt) {
    // Produce and fetch go on; only changes of metadata wait.
    WatchedWorld cluster = busy_cluster(milliseconds(10));
    cluster.crash("k1");
    cluster.run(seconds(1));
    cluster.forget();
    cluster.run(seconds(60));
    EXPECT_EQ(cluster.count(events::kRecordFailed), 0U);
    EXPECT_GT(cluster.count(events::kRecordAcked), 5'900U);
    EXPECT_EQ(cluster.count(events::kBrokerStateChanged), 0U);
    EXPECT_EQ(world::active_controller(cluster.world()), std::nullopt);
}

TEST(ControllerRestart, ItComesBackWithTheMetadataItHad) {
    WatchedWorld cluster = busy_cluster(milliseconds(10));
    const metadata::MetadataImage before = *world::committed_image(cluster.world());
    cluster.crash("k1");
    cluster.run(seconds(3));
    cluster.forget();
    cluster.boot("k1");
    cluster.run(seconds(5));
    const metadata::MetadataImage* after = world::committed_image(cluster.world());
    ASSERT_NE(after, nullptr);
    EXPECT_EQ(after->topics, before.topics);
    EXPECT_EQ(after->brokers, before.brokers) << "nobody had to register again";
    EXPECT_EQ(cluster.count(events::kBrokerFenced), 0U);
    EXPECT_EQ(cluster.count(events::kLeaderElected), 0U);
    EXPECT_TRUE(cluster.run_until_whole());
}

TEST(ControllerRestart, CommittedMetadataSurviveALossOfPower) {
    WatchedWorld cluster = busy_cluster(milliseconds(10));
    const metadata::MetadataImage before = *world::committed_image(cluster.world());
    cluster.power_off("k1");
    cluster.run(seconds(3));
    cluster.boot("k1");
    ASSERT_TRUE(cluster.run_until(
        [&] { return world::committed_image(cluster.world()) != nullptr; }, seconds(10)));
    cluster.run(seconds(1));
    EXPECT_EQ(world::committed_image(cluster.world())->topics, before.topics);
}

TEST(ControllerRestart, ANewControllerFencesWhoeverStaysSilent) {
    // Activation gives each unfenced broker a new session; one that died meanwhile uses it up.
    WatchedWorld cluster = busy_cluster(milliseconds(10));
    cluster.crash("k1");
    cluster.crash("b1");
    cluster.run(seconds(30));
    EXPECT_EQ(cluster.leader("t", 0), 1) << "nobody to decide anything else";
    cluster.boot("k1");
    const Time back = cluster.world().time();
    ASSERT_TRUE(cluster.run_until([&] { return cluster.leader("t", 0) > 1; }, seconds(30)));
    EXPECT_GE(cluster.world().time() - back, seconds(9));
    EXPECT_LE(cluster.world().time() - back, seconds(12));
}

TEST(ControllerRestart, ABrokerStartsFromALogOfSeveralControllerEpochs) {
    // The broker reads batches of two epochs in one fetch and must name the last one's afterwards.
    WatchedWorld cluster = busy_cluster(milliseconds(10));
    for (int i = 0; i < 3; ++i) {
        cluster.crash("k1");
        cluster.run(seconds(1));
        cluster.boot("k1");
        cluster.run(seconds(3));
    }
    cluster.crash("b3");
    cluster.run(seconds(12));
    cluster.boot("b3");
    ASSERT_TRUE(cluster.run_until(
        [&] { return cluster.broker(3).state() == BrokerState::kRunning; }, seconds(30)));
    cluster.run(seconds(3));
    EXPECT_EQ(cluster.broker(3).image(), *world::committed_image(cluster.world()));
    EXPECT_TRUE(cluster.run_until_whole());
}

TEST(ControllerRestart, ABrokerThatBootsWithoutAControllerWaitsForIt) {
    WatchedWorld cluster = busy_cluster(milliseconds(10));
    cluster.crash("k1");
    cluster.crash("b2");
    cluster.run(seconds(1));
    cluster.boot("b2");
    cluster.run(seconds(30));
    EXPECT_EQ(cluster.broker(2).state(), BrokerState::kStarting);
    cluster.boot("k1");
    ASSERT_TRUE(cluster.run_until_whole(seconds(60)));
    EXPECT_EQ(cluster.broker(2).state(), BrokerState::kRunning);
}

TEST(ControllerRestart, WithoutAControllerABrokerGivesUpAfterAMinute) {
    // initial.broker.registration.timeout.ms
    WatchedWorld cluster = busy_cluster(milliseconds(10));
    cluster.crash("k1");
    cluster.crash("b2");
    cluster.boot("b2");
    cluster.run(seconds(59));
    EXPECT_TRUE(cluster.runs("b2"));
    cluster.run(seconds(2));
    EXPECT_FALSE(cluster.runs("b2"));
}

TEST(ControllerRestart, AControlledShutdownGoesOnWithTheNextController) {
    WatchedWorld cluster = busy_cluster(milliseconds(10));
    cluster.crash("k1");
    cluster.stop("b1");
    cluster.run(seconds(20));
    EXPECT_TRUE(cluster.runs("b1"));
    EXPECT_EQ(cluster.broker(1).state(), BrokerState::kPendingControlledShutdown);
    cluster.boot("k1");
    ASSERT_TRUE(cluster.run_until([&] { return !cluster.runs("b1"); }, seconds(30)));
    EXPECT_GT(cluster.leader("t", 0), 1);
    EXPECT_EQ(cluster.count(events::kRecordFailed), 0U);
}

TEST(ControllerRestart, EachStartIsANewEpoch) {
    WatchedWorld cluster = busy_cluster(milliseconds(10));
    std::int64_t epoch = 1;
    for (int i = 0; i < 3; ++i) {
        cluster.crash("k1");
        cluster.run(milliseconds(300));
        cluster.forget();
        cluster.boot("k1");
        cluster.run(seconds(2));
        const auto appended = cluster.events(events::kMetadataAppended);
        ASSERT_FALSE(appended.empty());
        EXPECT_GT(appended.front().fields[2], epoch);
        epoch = appended.front().fields[2];
    }
}

}  // namespace
}  // namespace klab::tests
