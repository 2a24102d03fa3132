// SPDX-License-Identifier: Apache-2.0
//
// The kernel under the toy model: steps, forks, crashes, pauses, power, clocks.
#include <gtest/gtest.h>

#include "tests/sim/toy_counter.h"

namespace klab {
namespace {

using toy::add_and_run;
using toy::kFollower;
using toy::kLeader;
using toy::make_world;
using toy::World;

TEST(Kernel, ReplicatesWithoutFaults) {
    // The calm path: every call reaches every follower's disk and is confirmed.
    World world = make_world(1);
    for (int i = 0; i < 5; ++i) {
        add_and_run(world, milliseconds(20));
    }
    EXPECT_EQ(world.node(kLeader).value, 5);
    EXPECT_EQ(world.node(kFollower).value, 5);
    EXPECT_EQ(world.node(kLeader).confirmations, 10);
}

TEST(Kernel, SameSeedSameHashOtherSeedOtherHash) {
    // The one law: a run is a function of scenario, seed and overrides.
    World a = make_world(1);
    World b = make_world(1);
    World c = make_world(2);
    for (World* world : {&a, &b, &c}) {
        add_and_run(*world, milliseconds(20));
    }
    EXPECT_EQ(a.kernel().trace_hash(), b.kernel().trace_hash());
    EXPECT_NE(a.kernel().trace_hash(), c.kernel().trace_hash());
}

TEST(Kernel, ForkHasTheSameFutureAndLeavesTheOriginalAlone) {
    // Copy = fork: both sides go on alike, and what one does does not show in the other.
    World world = make_world(3);
    add_and_run(world, milliseconds(1));
    World fork = world;
    EXPECT_TRUE(fork == world);
    add_and_run(fork, seconds(2));
    EXPECT_FALSE(fork == world);
    EXPECT_EQ(world.node(kLeader).value, 1);
    add_and_run(world, seconds(2));
    EXPECT_EQ(fork.kernel().trace_hash(), world.kernel().trace_hash());
    EXPECT_TRUE(fork == world);
}

TEST(Kernel, SubscriptionsDoNotChangeTheRun) {
    // Whether a trace is kept must not matter.
    World quiet = make_world(4);
    World watched = make_world(4);
    sim::KindSet all;
    all.add_all();
    watched.kernel().subscribe(all);
    add_and_run(quiet, seconds(3));
    add_and_run(watched, seconds(3));
    EXPECT_EQ(quiet.kernel().trace_hash(), watched.kernel().trace_hash());
    EXPECT_TRUE(watched.kernel().has_events());
    EXPECT_FALSE(quiet.kernel().has_events());
}

TEST(Kernel, WhatAStepSendsLeavesAfterItsBusyTime) {
    // Append and acknowledgement are never one instant: a crash between them loses the messages.
    World world = make_world(5);
    sim::KindSet kinds;
    kinds.add(toy::kValueWritten);
    world.kernel().subscribe(kinds);
    world.kernel().call(kLeader, sim::make_message(toy::Add{}));
    std::vector<sim::Event> events;
    while (!world.kernel().has_events()) {
        ASSERT_TRUE(world.step());
    }
    world.kernel().take_events(events);
    world.kernel().crash(kLeader, &events.front(), false);
    world.run_until(world.time() + seconds(1));
    EXPECT_EQ(world.node(kFollower).value, 0);
    world.boot(kLeader);
    world.run_until(world.time() + seconds(1));
    EXPECT_EQ(world.node(kLeader).value, 1) << "the disk call before the event is kept";
}

TEST(Kernel, CrashBeforeADiskCallCompletesUndoesIt) {
    // Without a trigger the cut is by time: the write was still under way at this instant.
    World world = make_world(5);
    world.kernel().call(kLeader, sim::make_message(toy::Add{}));
    while (world.node(kLeader).value == 0) {
        ASSERT_TRUE(world.step());
    }
    world.kernel().crash(kLeader, nullptr, false);
    world.boot(kLeader);
    world.run_until(world.time() + seconds(1));
    EXPECT_EQ(world.node(kLeader).value, 0);
}

TEST(Kernel, PowerOffLosesUnsyncedBytesAndCrashDoesNot) {
    // The page cache survives a process, not a machine.
    World crashed = make_world(6);
    add_and_run(crashed, milliseconds(50));
    World unpowered = crashed;
    crashed.kernel().crash(kFollower, nullptr, false);
    crashed.boot(kFollower);
    crashed.run_until(crashed.time() + milliseconds(50));
    EXPECT_EQ(crashed.node(kFollower).value, 1);
    unpowered.kernel().power_off(kFollower, {}, nullptr);
    unpowered.boot(kFollower);
    unpowered.run_until(unpowered.time() + milliseconds(50));
    EXPECT_EQ(unpowered.node(kFollower).value, 0);
}

TEST(Kernel, PausedProcessHearsEverythingLate) {
    // SIGSTOP: sockets fill, timers fire late, nothing is lost.
    World world = make_world(7);
    world.kernel().pause(kFollower, seconds(5));
    add_and_run(world, seconds(4));
    EXPECT_EQ(world.node(kFollower).value, 0);
    EXPECT_EQ(world.node(kFollower).beats, 0);
    world.run_until(world.time() + seconds(2));
    EXPECT_EQ(world.node(kFollower).value, 1);
    EXPECT_GE(world.node(kFollower).beats, 1);
}

TEST(Kernel, PausedSenderSendsAfterItsPause) {
    // A process frozen between append and send has not sent.
    World world = make_world(8);
    world.kernel().call(kLeader, sim::make_message(toy::Add{}));
    while (world.node(kLeader).value == 0) {
        ASSERT_TRUE(world.step());
    }
    world.kernel().pause(kLeader, seconds(3));
    world.run_until(world.time() + seconds(2));
    EXPECT_EQ(world.node(kFollower).value, 0);
    world.run_until(world.time() + seconds(2));
    EXPECT_EQ(world.node(kFollower).value, 1);
}

TEST(Kernel, ClockJumpMovesWallTimeOnly) {
    // Timers run on the monotonic clock.
    World world = make_world(9);
    const std::int64_t beats = world.node(kFollower).beats;
    world.kernel().jump_clock(kFollower, seconds(3600));
    world.run_until(world.time() + seconds(5));
    EXPECT_EQ(world.node(kFollower).beats, beats + 5);
    EXPECT_EQ(world.kernel().slot(kFollower).clock.offset, seconds(3600));
}

TEST(Kernel, DriftingClockFiresTimersEarly) {
    // A clock that runs 10 % fast counts a second in 0.9 s.
    sim::KernelSpec spec;
    spec.events = toy::events();
    spec.nodes = {{"n0", 1, {}}, {"n1", 1, {Duration{}, 100'000'000}}};
    World world(spec, std::make_shared<const toy::Data>(toy::Data{2}));
    world.boot(kFollower);
    world.boot(kLeader);
    world.run_until(Time{} + seconds(90) + milliseconds(500));
    EXPECT_EQ(world.node(kLeader).beats, 90);
    EXPECT_EQ(world.node(kFollower).beats, 100);
}

TEST(Kernel, BusyLaneQueuesItsInputs) {
    // slow_cpu multiplies busy time, so the second input waits for the first.
    World world = make_world(10);
    world.kernel().slow_cpu(kFollower, 1'000'000, seconds(2));
    world.kernel().call(kLeader, sim::make_message(toy::Add{}));
    add_and_run(world, milliseconds(100));
    EXPECT_EQ(world.node(kFollower).value, 1);
    EXPECT_EQ(world.node(kLeader).confirmations, 2) << "only the other follower has answered";
    world.run_until(world.time() + seconds(4));
    EXPECT_EQ(world.node(kLeader).confirmations, 4);
}

TEST(Kernel, MarksAndCausesAreInTheTrace) {
    // Every event knows what caused it, up to the call of the application.
    World world = make_world(11);
    sim::KindSet all;
    all.add_all();
    world.kernel().subscribe(all);
    add_and_run(world, milliseconds(50));
    std::vector<sim::Event> events;
    world.kernel().take_events(events);
    const auto find = [&](sim::EventId id) {
        return *std::find_if(
            events.begin(), events.end(), [&](const sim::Event& e) { return e.id == id; });
    };
    const auto confirmed = std::find_if(events.begin(), events.end(), [](const sim::Event& e) {
        return e.kind == toy::kValueConfirmed;
    });
    ASSERT_NE(confirmed, events.end());
    std::vector<std::string> chain;
    sim::Event event = *confirmed;
    while (event.cause_count > 0) {
        event = find(event.causes[0]);
        chain.emplace_back(world.kernel().event_table().row(event.kind).name);
    }
    const std::vector<std::string> expected{
        "message.received", "message.sent", "message.received", "message.sent", "call.made"};
    EXPECT_EQ(chain, expected);
}

}  // namespace
}  // namespace klab
