// SPDX-License-Identifier: Apache-2.0
//
// From the first boot to the first leader and the first record. Kafka: BrokerServer.startup,
// KIP-631.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/world/watched_world.h"

namespace klab::tests {
namespace {

namespace events = types::events;
using broker::BrokerState;

TEST(ClusterStart, EveryBrokerRunsAndEveryPartitionHasItsPreferredLeader) {
    const WatchedWorld cluster(ClusterBuilder().brokers(3).topic("t", 3, 3, 2).topic("u", 1, 1));
    std::set<types::BrokerEpoch> epochs;
    for (const std::int32_t id : {1, 2, 3}) {
        EXPECT_EQ(cluster.broker(id).state(), BrokerState::kRunning);
        EXPECT_TRUE(epochs.insert(*cluster.broker(id).epoch()).second);
    }
    for (const std::int32_t index : {0, 1, 2}) {
        EXPECT_EQ(cluster.leader("t", index), index + 1);
        EXPECT_EQ(cluster.isr("t", index), (std::vector<std::int32_t>{1, 2, 3}));
    }
    EXPECT_EQ(cluster.leader("u"), 1);
    EXPECT_TRUE(cluster.whole());
}

TEST(ClusterStart, ABrokersLifeGoesThroughItsStatesInOrder) {
    const WatchedWorld cluster(ClusterBuilder().brokers(3).topic("t", 1, 3));
    for (const char* name : {"b1", "b2", "b3"}) {
        std::vector<std::string> states;
        for (const sim::Event& event : cluster.events(events::kBrokerStateChanged, name)) {
            states.push_back(cluster.text(event.fields[1]));
        }
        EXPECT_EQ(states, (std::vector<std::string>{"STARTING", "RECOVERY", "RUNNING"})) << name;
    }
}

TEST(ClusterStart, PublishesForTheFirstTimeWhenItHasCaughtUp) {
    // The first publish follows the heartbeat answer that says so, and precedes unfencing.
    const WatchedWorld cluster(ClusterBuilder().brokers(3).topic("t", 1, 3));
    for (const char* name : {"b1", "b2", "b3"}) {
        const auto states = cluster.events(events::kBrokerStateChanged, name);
        const auto published = cluster.events(events::kMetadataPublished, name);
        ASSERT_EQ(states.size(), 3U);
        ASSERT_FALSE(published.empty());
        EXPECT_GT(published.front().id, states[1].id);
        EXPECT_LT(published.front().id, states[2].id);
    }
}

TEST(ClusterStart, NobodyLeadsBeforeItIsUnfenced) {
    const WatchedWorld cluster(ClusterBuilder().brokers(3).topic("t", 3, 3));
    std::map<std::int64_t, sim::EventId> unfenced;
    for (const sim::Event& event : cluster.events(events::kBrokerUnfenced)) {
        unfenced[event.fields[0]] = event.id;
    }
    ASSERT_EQ(unfenced.size(), 3U);
    for (const std::int64_t id : {1, 2, 3}) {
        const auto started = cluster.events(events::kLeaderStarted, "b" + std::to_string(id));
        ASSERT_FALSE(started.empty());
        EXPECT_GT(started.front().id, unfenced[id]);
    }
}

TEST(ClusterStart, IsQuick) {
    // Heartbeats after 10 ms instead of 2 s while a broker starts: an empty cluster is up in less
    // than a heartbeat interval.
    const WatchedWorld cluster(ClusterBuilder().brokers(3).topic("t", 1, 3));
    EXPECT_LT(cluster.world().time(), Time{} + seconds(2));
}

TEST(ClusterStart, RecordsGoThroughFromProducerToConsumer) {
    WatchedWorld cluster(ClusterBuilder()
                             .brokers(3)
                             .topic("t", 1, 3, 2)
                             .producer("p1", "t", plan_of(100, milliseconds(10)))
                             .consumer("c1", {{"t", 0}}));
    start_clients(cluster.world());
    cluster.run(seconds(5));
    EXPECT_EQ(cluster.count(events::kRecordAcked, "p1"), 100U);
    EXPECT_EQ(cluster.count(events::kRecordFailed), 0U);
    EXPECT_EQ(cluster.count(events::kRecordPolled, "c1"), 100U);
    for (const std::int32_t id : {1, 2, 3}) {
        EXPECT_EQ(world::records_of(cluster.world(), {"t", 0}, types::BrokerId(id)).size(), 100U);
    }
}

TEST(ClusterStart, OneBrokerIsEnoughForACluster) {
    WatchedWorld cluster(ClusterBuilder().brokers(1).topic("t", 2, 1).producer(
        "p1", "t", plan_of(10, milliseconds(10))));
    start_clients(cluster.world());
    cluster.run(seconds(2));
    EXPECT_EQ(cluster.count(events::kRecordAcked), 10U);
}

TEST(ClusterStart, AClusterWhoseBrokersDoNotReachTheControllerComesTooLate) {
    world::WorldSetup setup;
    setup.data.rules = types::rules_of(types::kDefaultVersion);
    setup.data.cluster.cluster_id = {1, 1};
    types::BrokerSpec broker;
    broker.id = types::BrokerId(1);
    broker.name = "b1";
    setup.data.cluster.brokers.push_back(broker);
    types::ControllerSpec controller;
    controller.id = types::BrokerId(3001);
    controller.name = "k1";
    setup.data.cluster.controllers.push_back(controller);
    types::ClientSpec admin;
    admin.name = "operator";
    admin.kind = types::ClientSpec::Kind::kAdmin;
    setup.data.cluster.clients.push_back(admin);
    world::number_nodes(setup.data.cluster);
    world::KafkaWorld world = world::make_world(setup);
    world.kernel().cut(sim::NodeId(0), sim::NodeId(1));
    world::Prelude prelude(sim::NodeId(2), {});
    EXPECT_FALSE(world::run_prelude(world, prelude));
    EXPECT_EQ(prelude.state(), world::Prelude::State::kTooLate);
    // Not registered within a minute: the process has given up.
    EXPECT_FALSE(world::is_running(world, types::BrokerId(1)));
}

}  // namespace
}  // namespace klab::tests
