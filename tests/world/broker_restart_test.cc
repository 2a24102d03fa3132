// SPDX-License-Identifier: Apache-2.0
//
// Brokers that stop, crash and come back in a running cluster. Kafka: BrokerServer.startup and
// shutdown, LogManager, ReplicationControlManager; KIP-631, KIP-841.
#include <gtest/gtest.h>

#include "tests/world/watched_world.h"

namespace klab::tests {
namespace {

namespace events = types::events;
using broker::BrokerState;
using Ids = std::vector<std::int32_t>;

/// Field "clean" of the recoveries of a node.
std::vector<std::int64_t> recoveries(const WatchedWorld& cluster, const std::string& name) {
    std::vector<std::int64_t> found;
    for (const sim::Event& event : cluster.events(events::kLogRecovered, name)) {
        found.push_back(event.fields[4]);
    }
    return found;
}

TEST(BrokerRestart, ACrashedBrokerLeavesTheIsrAndComesBack) {
    WatchedWorld cluster = busy_cluster(milliseconds(5));
    const types::BrokerEpoch before = *cluster.broker(2).epoch();
    cluster.crash("b2");
    ASSERT_TRUE(cluster.run_until([&] { return cluster.isr("t") == Ids{1, 3}; }, seconds(15)));
    EXPECT_NE(cluster.leader("t", 1), 2) << "its leadership went to another";
    cluster.boot("b2");
    ASSERT_TRUE(cluster.run_until([&] { return cluster.isr("t") == Ids{1, 2, 3}; }, seconds(30)));
    EXPECT_EQ(cluster.broker(2).state(), BrokerState::kRunning);
    EXPECT_GT(*cluster.broker(2).epoch(), before);
    EXPECT_EQ(cluster.count(events::kRecordFailed), 0U);
}

TEST(BrokerRestart, AQuickRestartWaitsForTheOldSessionToEnd) {
    // DUPLICATE_BROKER_REGISTRATION until 9 s after the last heartbeat of the process before.
    WatchedWorld cluster = busy_cluster(milliseconds(5));
    cluster.crash("b2");
    const Time crashed = cluster.world().time();
    cluster.forget();
    cluster.boot("b2");
    ASSERT_TRUE(cluster.run_until(
        [&] { return cluster.broker(2).state() == BrokerState::kRunning; }, seconds(30)));
    const auto registered = cluster.events(events::kBrokerRegistered);
    ASSERT_EQ(registered.size(), 1U);
    EXPECT_GE(registered[0].time - crashed, seconds(9) - seconds(2));
    EXPECT_LE(registered[0].time - crashed, seconds(9) + seconds(2) + seconds(1));
    EXPECT_TRUE(cluster.run_until_whole());
}

TEST(BrokerRestart, CyclesOfCrashesLoseNothingThatWasAcked) {
    WatchedWorld cluster = busy_cluster(milliseconds(5));
    for (int cycle = 0; cycle < 6; ++cycle) {
        const std::string name = "b" + std::to_string(cycle % 3 + 1);
        cluster.crash(name);
        cluster.run(milliseconds(500 + 2'000 * cycle));
        cluster.boot(name);
        ASSERT_TRUE(cluster.run_until(
            [&] {
                return cluster.isr("t", 0).size() == 3 && cluster.isr("t", 1).size() == 3 &&
                       cluster.isr("t", 2).size() == 3;
            },
            seconds(60)))
            << "cycle " << cycle;
    }
    EXPECT_GT(cluster.count(events::kRecordAcked), 1'000U);
    EXPECT_EQ(cluster.count(events::kRecordFailed), 0U);
    for (const sim::Event& acked : cluster.events(events::kRecordAcked)) {
        const auto index = static_cast<std::int32_t>(acked.fields[1] & 0xFFFF'FFFF);
        for (const std::int32_t id : {1, 2, 3}) {
            const auto* replica =
                world::replica(cluster.world(), {"t", index}, types::BrokerId(id));
            ASSERT_NE(replica, nullptr);
            ASSERT_GT(replica->log.log_end_offset(), types::Offset(acked.fields[2]));
        }
    }
}

TEST(BrokerRestart, ControlledShutdownMovesLeadersBeforeTheProcessExits) {
    WatchedWorld cluster = busy_cluster(milliseconds(5));
    ASSERT_EQ(cluster.leader("t", 0), 1);
    cluster.forget();
    ASSERT_TRUE(cluster.stop_and_wait("b1"));
    const auto exited = cluster.events(sim::events::kNodeExited, "b1");
    const auto elected = cluster.events(events::kLeaderElected);
    ASSERT_EQ(exited.size(), 1U);
    ASSERT_EQ(elected.size(), 1U) << "it led one of the three partitions";
    EXPECT_EQ(elected[0].fields[3], 1) << "the previous leader";
    EXPECT_LT(elected[0].id, exited[0].id);
    EXPECT_NE(cluster.leader("t", 0), 1);
    EXPECT_EQ(cluster.isr("t", 0), (Ids{2, 3}));
    // The new leader took over while the old one was there: nobody waited for a session to end.
    cluster.run(seconds(3));
    EXPECT_EQ(cluster.count(events::kRecordFailed), 0U);
    EXPECT_EQ(
        cluster.count(events::kBrokerFenced) + cluster.count(events::kBrokerShuttingDown) > 0U,
        true);
}

TEST(BrokerRestart, ACleanStopAndRestartLoadsWithoutARecoveryScan) {
    // The marker in the log directory says that all was flushed, and names the broker epoch.
    WatchedWorld cluster = busy_cluster(milliseconds(5));
    ASSERT_TRUE(cluster.stop_and_wait("b2"));
    cluster.run(seconds(12));
    cluster.forget();
    cluster.boot("b2");
    ASSERT_TRUE(cluster.run_until_whole());
    const std::vector<std::int64_t> clean = recoveries(cluster, "b2");
    ASSERT_EQ(clean.size(), 3U);
    EXPECT_EQ(clean, (std::vector<std::int64_t>{1, 1, 1}));
    const auto registered = cluster.events(events::kBrokerRegistered);
    ASSERT_EQ(registered.size(), 1U);
    EXPECT_EQ(registered[0].fields[2], 1) << "the controller trusts its logs";
}

TEST(BrokerRestart, ACrashAndRestartRecovers) {
    WatchedWorld cluster = busy_cluster(milliseconds(5));
    cluster.crash("b2");
    cluster.run(seconds(12));
    cluster.forget();
    cluster.boot("b2");
    ASSERT_TRUE(cluster.run_until_whole());
    EXPECT_EQ(recoveries(cluster, "b2"), (std::vector<std::int64_t>{0, 0, 0}));
    const auto registered = cluster.events(events::kBrokerRegistered);
    ASSERT_EQ(registered.size(), 1U);
    EXPECT_EQ(registered[0].fields[2], 0);
}

TEST(BrokerRestart, TheMarkerIsGoneOnceTheBrokerRuns) {
    // Else a crash after a clean stop and start would pass for a clean stop.
    WatchedWorld cluster = busy_cluster(milliseconds(5));
    ASSERT_TRUE(cluster.stop_and_wait("b2"));
    const sim::NodeId node = cluster.id_of("b2");
    EXPECT_TRUE(cluster.world().kernel().slot(node).disk.exists("/data/.kafka_cleanshutdown"));
    cluster.run(seconds(12));
    cluster.boot("b2");
    ASSERT_TRUE(cluster.run_until_whole());
    EXPECT_FALSE(cluster.world().kernel().slot(node).disk.exists("/data/.kafka_cleanshutdown"));
    cluster.crash("b2");
    cluster.run(seconds(12));
    cluster.forget();
    cluster.boot("b2");
    ASSERT_TRUE(cluster.run_until_whole());
    EXPECT_EQ(recoveries(cluster, "b2"), (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(BrokerRestart, KilledDuringRecoveryItRecoversAgain) {
    // Each attempt dies a little later; the disk must be good for the next one every time.
    WatchedWorld cluster = busy_cluster(milliseconds(5));
    cluster.power_off("b2");
    cluster.run(seconds(12));
    for (int microseconds_alive = 0; microseconds_alive < 4'000; microseconds_alive += 150) {
        cluster.boot("b2");
        cluster.run(microseconds(microseconds_alive));
        if (microseconds_alive % 300 == 0) {
            cluster.power_off("b2");
        } else {
            cluster.crash("b2");
        }
    }
    cluster.run(seconds(12));
    cluster.boot("b2");
    ASSERT_TRUE(cluster.run_until_whole(seconds(90)));
    EXPECT_EQ(cluster.count(events::kRecordFailed), 0U);
}

TEST(BrokerRestart, AllBrokersLosePowerAtOnce) {
    // Nothing was forced to disk since the start: what each replica lost, it lost. The cluster
    // comes back all the same.
    WatchedWorld cluster(ClusterBuilder().brokers(3).topic("t", 3, 3, 2));
    for (const char* name : {"b1", "b2", "b3", "k1"}) {
        cluster.power_off(name);
    }
    cluster.run(seconds(1));
    for (const char* name : {"k1", "b1", "b2", "b3"}) {
        cluster.boot(name);
    }
    EXPECT_TRUE(cluster.run_until_whole(seconds(60)));
}

TEST(BrokerRestart, StopsOneAfterAnotherKeepTheTopicWritable) {
    // A rolling restart.
    WatchedWorld cluster = busy_cluster(milliseconds(5));
    for (const char* name : {"b1", "b2", "b3"}) {
        ASSERT_TRUE(cluster.stop_and_wait(name)) << name;
        cluster.run(seconds(1));
        cluster.boot(name);
        ASSERT_TRUE(cluster.run_until(
            [&] {
                return cluster.isr("t", 0).size() == 3 && cluster.isr("t", 1).size() == 3 &&
                       cluster.isr("t", 2).size() == 3;
            },
            seconds(60)))
            << name;
    }
    EXPECT_EQ(cluster.count(events::kRecordFailed), 0U);
    EXPECT_GT(cluster.count(events::kRecordAcked), 1'000U);
}

}  // namespace
}  // namespace klab::tests
