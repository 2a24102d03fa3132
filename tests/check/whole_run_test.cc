// SPDX-License-Identifier: Apache-2.0
//
// The checks on real worlds: silent on a cluster that works and on one that recovers, in agreement
// with a full scan at any time, alive again after the faults, and unchanged by a fork.
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/check/checker.h"
#include "tests/world/cluster_builder_fixture.h"

namespace klab::check {
namespace {

/// A world and the checker that watches it.
struct Watched {
    world::KafkaWorld world;
    Checker checker;

    void look() {
        std::vector<sim::Event> events;
        while (world.kernel().has_events()) {
            world.kernel().take_events(events);
            checker.observe(world, events);
        }
    }

    /// Runs on; `scan_every` turns the full scan must agree.
    void run(Duration length, int scan_every = 500) {
        const Time until = world.time() + length;
        int turns = 0;
        look();
        while (world.kernel().next_time() && *world.kernel().next_time() <= until && world.step()) {
            look();
            if (++turns % scan_every == 0) {
                checker.check_full(world);
            }
        }
        world.kernel().advance_to(until);
        checker.check_full(world);
    }

    [[nodiscard]] std::string unallowed() const {
        std::string all;
        for (const Violation& violation : checker.violations()) {
            all += violation.allowed ? "" : to_text(violation);
        }
        return all;
    }

    [[nodiscard]] sim::NodeId node(const std::string& name) const {
        return *world.kernel().find_node(name);
    }
};

Watched start(std::uint64_t seed, std::int64_t records, std::int32_t min_isr = 2) {
    types::SendPlan plan;
    plan.count = records;
    plan.every = milliseconds(20);
    plan.partition = 0;
    tests::ClusterBuilder builder;
    builder.seed(seed)
        .brokers(3)
        .topic("t", 2, 3, min_isr)
        .producer("p1", "t", plan, {{"acks", "all"}, {"linger.ms", "0"}})
        .consumer("c1", {{"t", 0}});
    Checker checker;
    std::vector<sim::Event> events;
    const auto prepare = [&](world::KafkaWorld& world) {
        checker = Checker(world.data());
        world.kernel().subscribe(checker.wanted());
    };
    const auto look = [&](world::KafkaWorld& world) {
        while (world.kernel().has_events()) {
            world.kernel().take_events(events);
            checker.observe(world, events);
        }
    };
    world::KafkaWorld world = builder.start(prepare, look);
    tests::start_clients(world);
    return {std::move(world), std::move(checker)};
}

TEST(WholeRun, SilentWithoutFaultsAndEverythingLookedAt) {
    Watched run = start(1, 200);
    run.run(seconds(40));
    run.checker.finish(run.world);
    EXPECT_EQ(run.unallowed(), "");
    EXPECT_TRUE(run.checker.violations().empty());
    EXPECT_TRUE(run.checker.anomalies().empty());
    EXPECT_TRUE(run.checker.logs_equal(run.world, {"t", 0}));
    EXPECT_EQ(run.checker.history().acked("p1"), 200U);
    for (const CheckId check :
         {CheckId::kP1,     CheckId::kP2,          CheckId::kP3,   CheckId::kP4,    CheckId::kP5,
          CheckId::kP8,     CheckId::kP9,          CheckId::kP10,  CheckId::kP11,   CheckId::kP12,
          CheckId::kP13,    CheckId::kP14,         CheckId::kP15,  CheckId::kP17,   CheckId::kP18,
          CheckId::kM1,     CheckId::kM2,          CheckId::kM3,   CheckId::kM4,    CheckId::kM7,
          CheckId::kAnswer, CheckId::kIdempotence, CheckId::kLive, CheckId::kVanish}) {
        EXPECT_GT(run.checker.how_often(check), 0U) << info(check).id;
    }
}

TEST(WholeRun, ABrokerThatDiesComesBackWithoutALoss) {
    // Every broker in turn, by crash and by power failure; the faults never overlap.
    for (const char* name : {"b1", "b2", "b3"}) {
        for (const bool power : {false, true}) {
            for (const Duration down : {milliseconds(200), seconds(15)}) {
                Watched run = start(3, 600);
                run.run(seconds(2));
                if (power) {
                    run.world.kernel().power_off(run.node(name), {}, nullptr);
                } else {
                    run.world.kernel().crash(run.node(name), nullptr, false);
                }
                run.run(down);
                run.world.boot(run.node(name));
                run.run(seconds(60));
                run.checker.finish(run.world);
                EXPECT_EQ(run.unallowed(), "")
                    << name << (power ? " power " : " crash ") << to_text(down);
                EXPECT_EQ(run.checker.how_often(CheckId::kLive), 1U);
                EXPECT_GT(run.checker.how_often(CheckId::kP16), 0U) << "the ISR changed";
                EXPECT_EQ(run.checker.verdict().of("p1").lost_acked, 0U);
                EXPECT_GT(run.checker.how_often(CheckId::kP20), 0U);
            }
        }
    }
}

TEST(WholeRun, ARunMayEndWhileTheLeaderHasNoPower) {
    // Two others hold every acknowledged record, so nothing is lost, although nobody leads.
    Watched run = start(9, 50);
    run.run(seconds(2));
    run.world.kernel().power_off(run.node("b1"), {}, nullptr);
    run.run(milliseconds(500));
    run.checker.finish(run.world);
    EXPECT_TRUE(run.checker.violations().empty()) << run.unallowed();
}

TEST(WholeRun, ARunMayEndWhileNobodyOfTheIsrHasPower) {
    Watched run = start(9, 50);
    run.run(seconds(2));
    for (const char* name : {"b1", "b2", "b3"}) {
        run.world.kernel().power_off(run.node(name), {}, nullptr);
    }
    run.run(milliseconds(500));
    run.checker.finish(run.world);
    EXPECT_EQ(run.unallowed(), "");
    EXPECT_EQ(run.checker.verdict().of("p1").lost_acked, 50U) << "gone from every disk";
}

TEST(WholeRun, AnIsolatedLeaderLosesNothing) {
    Watched run = start(5, 600);
    run.run(seconds(1));
    for (const char* peer : {"b2", "b3", "k1"}) {
        run.world.kernel().cut(run.node("b1"), run.node(peer));
        run.world.kernel().cut(run.node(peer), run.node("b1"));
    }
    run.run(seconds(20));
    run.world.kernel().heal_all();
    run.run(seconds(70));
    run.checker.finish(run.world);
    EXPECT_EQ(run.unallowed(), "");
    EXPECT_EQ(run.checker.verdict().of("p1").lost_acked, 0U);
    EXPECT_GT(run.checker.unavailable(run.world, {"t", 0}), seconds(5));
}

TEST(WholeRun, AForkOfBothHasTheSameFuture) {
    Watched run = start(7, 100);
    run.run(seconds(1));
    Watched fork = run;
    run.run(seconds(5));
    fork.run(seconds(5));
    run.checker.finish(run.world);
    fork.checker.finish(fork.world);
    EXPECT_TRUE(run.checker == fork.checker);
}

}  // namespace
}  // namespace klab::check
