// SPDX-License-Identifier: Apache-2.0
//
// What an observer may ask of a cluster, and what it is told while parts of it are dead.
#include <gtest/gtest.h>

#include "tests/world/watched_world.h"

namespace klab::tests {
namespace {

using types::BrokerId;
using types::Offset;

WatchedWorld cluster_with_records() {
    WatchedWorld cluster(ClusterBuilder()
                             .brokers(3)
                             .topic("b", 1, 2)
                             .topic("a", 2, 3, 2)
                             .producer("p1", "b", plan_of(20, milliseconds(5))));
    start_clients(cluster.world());
    cluster.run(seconds(2));
    return cluster;
}

TEST(ClusterView, PartitionsAreOrderedByTopicAndNumber) {
    const WatchedWorld cluster = cluster_with_records();
    EXPECT_EQ(world::partitions_of(cluster.world()),
              (std::vector<types::TopicPartition>{{"a", 0}, {"a", 1}, {"b", 0}}));
}

TEST(ClusterView, NumbersNodesBrokersFirst) {
    const WatchedWorld cluster = cluster_with_records();
    const types::ClusterSpec& spec = cluster.world().data().cluster;
    EXPECT_EQ(spec.brokers[2].node, sim::NodeId(2));
    EXPECT_EQ(spec.controllers[0].node, sim::NodeId(3));
    EXPECT_EQ(spec.clients[0].node, sim::NodeId(4));
    EXPECT_EQ(cluster.id_of("b3"), sim::NodeId(2));
    EXPECT_EQ(cluster.id_of("k1"), sim::NodeId(3));
    EXPECT_EQ(world::active_controller(cluster.world()), sim::NodeId(3));
}

TEST(ClusterView, WhatWasCommittedStaysCommittedWithoutAController) {
    WatchedWorld cluster = cluster_with_records();
    const metadata::MetadataImage before = *world::committed_image(cluster.world());
    cluster.crash("k1");
    EXPECT_EQ(world::active_controller(cluster.world()), std::nullopt);
    ASSERT_NE(world::committed_image(cluster.world()), nullptr);
    EXPECT_EQ(*world::committed_image(cluster.world()), before);
    EXPECT_EQ(world::committed_leader(cluster.world(), {"a", 0}), BrokerId(1));
    cluster.run(seconds(1));
    cluster.boot("k1");  // fresh memory: what it had is on its disk, the brokers still know
    EXPECT_EQ(world::active_controller(cluster.world()), std::nullopt);
    ASSERT_NE(world::committed_image(cluster.world()), nullptr);
    EXPECT_EQ(world::committed_image(cluster.world())->topics, before.topics);
}

TEST(ClusterView, BeforeAnythingIsCommittedThereIsNoMetadata) {
    world::WorldSetup setup;
    setup.data = cluster_with_records().world().data();
    const world::KafkaWorld empty = world::make_world(setup);
    EXPECT_EQ(world::committed_image(empty), nullptr);
    EXPECT_EQ(world::registration(empty, {"a", 0}), nullptr);
    EXPECT_EQ(world::committed_leader(empty, {"a", 0}), std::nullopt);
    EXPECT_TRUE(world::partitions_of(empty).empty());
    EXPECT_FALSE(world::fully_replicated(empty));
}

TEST(ClusterView, ReplicasAreWhereTheyWereAssigned) {
    const WatchedWorld cluster = cluster_with_records();
    EXPECT_NE(world::replica(cluster.world(), {"b", 0}, BrokerId(1)), nullptr);
    EXPECT_NE(world::replica(cluster.world(), {"b", 0}, BrokerId(2)), nullptr);
    EXPECT_EQ(world::replica(cluster.world(), {"b", 0}, BrokerId(3)), nullptr);
    EXPECT_EQ(world::replica(cluster.world(), {"no", 0}, BrokerId(1)), nullptr);
    EXPECT_EQ(world::leader_replica(cluster.world(), {"b", 0}),
              world::replica(cluster.world(), {"b", 0}, BrokerId(1)));
    EXPECT_EQ(world::registration(cluster.world(), {"a", 2}), nullptr);
}

TEST(ClusterView, RecordsAreReadFromTheDiskInTheGivenRange) {
    const WatchedWorld cluster = cluster_with_records();
    const auto all = world::records_of(cluster.world(), {"b", 0}, BrokerId(2));
    ASSERT_EQ(all.size(), 20U);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].offset, Offset(static_cast<std::int64_t>(i)));
    }
    const auto some =
        world::records_of(cluster.world(), {"b", 0}, BrokerId(2), Offset(5), Offset(8));
    ASSERT_EQ(some.size(), 3U);
    EXPECT_EQ(some[0].offset, Offset(5));
    EXPECT_TRUE(world::records_of(cluster.world(), {"b", 0}, BrokerId(3)).empty());
    EXPECT_FALSE(world::batches_of(cluster.world(), {"b", 0}, BrokerId(1)).empty());
}

TEST(ClusterView, ADeadBrokerIsShownAsItWasWhenItDied) {
    WatchedWorld cluster = cluster_with_records();
    ASSERT_TRUE(world::is_running(cluster.world(), BrokerId(1)));
    cluster.crash("b1");
    EXPECT_FALSE(world::is_running(cluster.world(), BrokerId(1)));
    EXPECT_EQ(cluster.broker(1).state(), broker::BrokerState::kRunning);
    EXPECT_EQ(world::leader_replica(cluster.world(), {"b", 0}), nullptr);
    EXPECT_FALSE(world::fully_replicated(cluster.world()));
}

TEST(ClusterView, APausedBrokerRuns) {
    WatchedWorld cluster = cluster_with_records();
    cluster.world().kernel().pause(cluster.id_of("b1"), std::nullopt);
    EXPECT_TRUE(world::is_running(cluster.world(), BrokerId(1)));
}

TEST(ClusterView, FullyReplicatedMeansALedPartitionWithAFullIsrThatHasFetchedAll) {
    WatchedWorld cluster = cluster_with_records();
    EXPECT_TRUE(cluster.whole());
    cluster.crash("b3");
    EXPECT_TRUE(cluster.run_until([&] { return cluster.isr("a").size() == 2; }, seconds(15)));
    EXPECT_FALSE(cluster.whole());
    cluster.boot("b3");
    EXPECT_TRUE(cluster.run_until_whole());
}

}  // namespace
}  // namespace klab::tests
