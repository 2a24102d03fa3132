// SPDX-License-Identifier: Apache-2.0
//
// A cluster is a value: a copy has the same future, watching changes nothing, and the seed decides.
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/world/watched_world.h"

namespace klab::tests {
namespace {

ClusterBuilder busy(std::uint64_t seed) {
    ClusterBuilder builder;
    builder.seed(seed)
        .brokers(3)
        .topic("t", 2, 3, 2)
        .producer("p1", "t", plan_of(100'000, milliseconds(7)), {{"acks", "all"}})
        .consumer("c1", {{"t", 0}, {"t", 1}});
    return builder;
}

world::KafkaWorld busy_world(std::uint64_t seed) {
    world::KafkaWorld world = busy(seed).start();
    start_clients(world);
    return world;
}

void turns(world::KafkaWorld& world, int count) {
    for (int i = 0; i < count && world.step(); ++i) {
    }
}

/// One of the faults that a scenario can make.
void strike(world::KafkaWorld& world, int fault) {
    const sim::NodeId first(0);
    const sim::NodeId second(1);
    switch (fault) {
        case 0:
            world.kernel().crash(first, nullptr, false);
            return;
        case 1:
            world.kernel().power_off(first, {}, nullptr);
            return;
        case 2:
            world.kernel().cut(first, second);
            return;
        case 3:
            world.kernel().pause(first, seconds(12));
            return;
        case 4:
            world.kernel().call(first, sim::make_message(protocol::StopNode{}));
            return;
        default:
            return;
    }
}

TEST(ClusterFork, HasTheSameFuture) {
    world::KafkaWorld world = busy_world(1);
    world.run_until(world.time() + seconds(2));
    world::KafkaWorld fork = world;
    ASSERT_EQ(fork, world);
    world.run_until(world.time() + seconds(5));
    EXPECT_NE(fork, world) << "the original went on alone";
    fork.run_until(world.time());
    EXPECT_EQ(fork, world);
    EXPECT_EQ(fork.kernel().trace_hash(), world.kernel().trace_hash());
}

TEST(ClusterFork, GoesItsOwnWayAfterAFault) {
    world::KafkaWorld world = busy_world(1);
    world.run_until(world.time() + seconds(1));
    world::KafkaWorld fork = world;
    fork.kernel().crash(sim::NodeId(0), nullptr, false);
    const Time until = world.time() + seconds(15);
    world.run_until(until);
    fork.run_until(until);
    EXPECT_EQ(world::committed_leader(world, {"t", 0}), types::BrokerId(1));
    EXPECT_NE(world::committed_leader(fork, {"t", 0}), types::BrokerId(1));
    EXPECT_TRUE(world::fully_replicated(world));
    EXPECT_FALSE(world::fully_replicated(fork));
}

RC_GTEST_PROP(ClusterFork, HasTheSameFutureWhereverAndWhateverHappens, ()) {
    // Forks before, and in the middle of, a fault and a restart.
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 50);
    const auto before = *rc::gen::inRange(0, 3'000);
    const auto fault = *rc::gen::inRange(0, 6);
    const auto after = *rc::gen::inRange(0, 2'000);
    world::KafkaWorld world = busy_world(seed);
    turns(world, before);
    strike(world, fault);
    turns(world, after);
    world::KafkaWorld fork = world;
    for (world::KafkaWorld* one : {&world, &fork}) {
        if (!world::is_running(*one, types::BrokerId(1))) {
            one->boot(sim::NodeId(0));
        }
        turns(*one, 4'000);
    }
    RC_ASSERT(fork.kernel().trace_hash() == world.kernel().trace_hash());
    RC_ASSERT(fork == world);
}

TEST(ClusterFork, TheSeedDecidesTheRun) {
    std::set<std::string> hashes;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        world::KafkaWorld one = busy_world(seed);
        world::KafkaWorld again = busy_world(seed);
        one.run_until(one.time() + seconds(1));
        again.run_until(again.time() + seconds(1));
        EXPECT_EQ(one, again);
        hashes.insert(one.kernel().trace_hash().text());
    }
    EXPECT_EQ(hashes.size(), 5U);
}

TEST(ClusterFork, WatchingChangesNothing) {
    world::KafkaWorld alone = busy_world(3);
    WatchedWorld watched(busy(3));
    start_clients(watched.world());
    const Time until = alone.time() + seconds(3);
    alone.run_until(until);
    watched.run(until - watched.world().time());
    EXPECT_EQ(watched.world().kernel().trace_hash(), alone.kernel().trace_hash());
}

}  // namespace
}  // namespace klab::tests
