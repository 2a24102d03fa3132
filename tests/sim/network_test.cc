// SPDX-License-Identifier: Apache-2.0
//
// The network under the toy model: every listed fault, and what TCP makes of it.
#include <gtest/gtest.h>

#include "tests/sim/toy_counter.h"

namespace klab {
namespace {

using toy::add_and_run;
using toy::events_of;
using toy::kFollower;
using toy::kLeader;
using toy::make_world;
using toy::World;

World watched_world(std::uint64_t seed) {
    World world = make_world(seed);
    sim::KindSet kinds;
    kinds.add_all();
    world.kernel().subscribe(kinds);
    return world;
}

TEST(Network, CutSwallowsAndHealingDeliversLate) {
    // TCP retransmits after 200 ms, 400 ms, ...: the message arrives after healing, once.
    World world = watched_world(1);
    world.kernel().cut(kLeader, kFollower);
    add_and_run(world, seconds(1));
    EXPECT_EQ(world.node(kFollower).value, 0);
    EXPECT_EQ(events_of(world, sim::events::kMessageSwallowed).size(), 1U);
    world.kernel().heal(kLeader, kFollower);
    world.run_until(world.time() + milliseconds(300));
    EXPECT_EQ(world.node(kFollower).value, 0) << "next retransmission is at 1.4 s";
    world.run_until(world.time() + milliseconds(200));
    EXPECT_EQ(world.node(kFollower).value, 1);
}

TEST(Network, OneWayCutLeavesTheOtherWayOpen) {
    // The follower still receives; only its confirmation is swallowed.
    World world = make_world(2);
    world.kernel().cut(kFollower, kLeader);
    add_and_run(world, milliseconds(100));
    EXPECT_EQ(world.node(kFollower).value, 1);
    EXPECT_EQ(world.node(kLeader).confirmations, 1);
}

TEST(Network, MessagesInFlightAreSwallowedByACut) {
    // The cut falls between departure and arrival.
    World world = watched_world(3);
    world.kernel().call(kLeader, sim::make_message(toy::Add{}));
    while (events_of(world, sim::events::kMessageSent).empty()) {
        ASSERT_TRUE(world.step());
    }
    world.kernel().cut(kLeader, kFollower);
    world.run_until(world.time() + milliseconds(150));
    EXPECT_EQ(world.node(kFollower).value, 0);
}

TEST(Network, ProcessCrashResetsItsPeers) {
    // A dead process is heard of; the leader drops its connection.
    World world = make_world(4);
    world.kernel().crash(kFollower, nullptr, false);
    world.run_until(world.time() + milliseconds(20));
    EXPECT_EQ(world.node(kLeader).followers.size(), 1U);
}

TEST(Network, PowerOffIsSilentUntilTheMachineIsBack) {
    // Nobody hears of a dead machine; a message sent meanwhile meets a reset after its return.
    World world = make_world(5);
    world.kernel().power_off(kFollower, {}, nullptr);
    add_and_run(world, seconds(2));
    EXPECT_EQ(world.node(kLeader).followers.size(), 2U);
    world.boot(kFollower);
    world.run_until(world.time() + seconds(2));
    EXPECT_EQ(world.node(kLeader).followers.size(), 1U);
    EXPECT_EQ(world.node(kFollower).value, 0);
}

TEST(Network, CrashBehindACutStaysUnknownUntilSomethingIsSent) {
    // Half-open: the reset was swallowed, so the peer learns it from its own next message.
    World world = make_world(6);
    world.kernel().cut(kFollower, kLeader);
    world.kernel().crash(kFollower, nullptr, false);
    world.run_until(world.time() + seconds(1));
    world.kernel().heal_all();
    world.run_until(world.time() + seconds(1));
    EXPECT_EQ(world.node(kLeader).followers.size(), 2U);
    add_and_run(world, seconds(1));
    EXPECT_EQ(world.node(kLeader).followers.size(), 1U);
}

TEST(Network, RefusedWhereNobodyListens) {
    // Connecting to a dead process on a living machine fails at once.
    sim::KernelSpec spec;
    spec.events = toy::events();
    spec.nodes = {{"n0", 1, {}}, {"n1", 1, {}}};
    World world(spec, std::make_shared<const toy::Data>(toy::Data{2}));
    sim::KindSet kinds;
    kinds.add(sim::events::kConnectionClosed);
    world.kernel().subscribe(kinds);
    world.boot(kLeader);
    world.run_until(Time{} + milliseconds(50));
    const std::vector<sim::Event> closed = events_of(world, sim::events::kConnectionClosed);
    ASSERT_EQ(closed.size(), 1U);
    EXPECT_EQ(closed[0].fields[2], static_cast<std::int64_t>(sim::events::CloseReason::kRefused));
}

TEST(Network, DropBlackHolesTheConnection) {
    // From the dropped message on nothing passes that way, whatever is sent later.
    World world = make_world(7);
    sim::MessageFault fault;
    fault.action = sim::FaultAction::kDrop;
    fault.to = kFollower;
    world.kernel().arm(fault);
    add_and_run(world, seconds(1));
    add_and_run(world, seconds(1));
    EXPECT_EQ(world.node(kFollower).value, 0);
    EXPECT_EQ(world.node(kLeader).confirmations, 2);
}

TEST(Network, HoldKeepsItAndEverythingBehindUntilRelease) {
    // Held messages and their successors arrive in order after release.
    World world = make_world(8);
    sim::MessageFault fault;
    fault.action = sim::FaultAction::kHold;
    fault.to = kFollower;
    world.kernel().arm(fault);
    add_and_run(world, seconds(1));
    add_and_run(world, seconds(1));
    EXPECT_EQ(world.node(kFollower).value, 0);
    world.kernel().release(std::nullopt, kFollower);
    world.run_until(world.time() + milliseconds(20));
    EXPECT_EQ(world.node(kFollower).value, 2);
    EXPECT_EQ(world.node(kLeader).confirmations, 4);
}

TEST(Network, ResetEndsTheConnectionForBoth) {
    // The matching message does not arrive and both ends hear of the reset.
    World world = watched_world(9);
    sim::MessageFault fault;
    fault.action = sim::FaultAction::kReset;
    fault.to = kFollower;
    fault.api = toy::Copy::kApi;
    fault.reply = false;
    world.kernel().arm(fault);
    add_and_run(world, milliseconds(50));
    EXPECT_EQ(world.node(kFollower).value, 0);
    EXPECT_EQ(world.node(kLeader).followers.size(), 1U);
    EXPECT_EQ(events_of(world, sim::events::kConnectionClosed).size(), 2U);
}

TEST(Network, ResetOfTheReplyLeavesTheWorkDone) {
    // The sender does not know that its message arrived.
    World world = make_world(10);
    sim::MessageFault fault;
    fault.action = sim::FaultAction::kReset;
    fault.from = kFollower;
    fault.reply = true;
    world.kernel().arm(fault);
    add_and_run(world, milliseconds(50));
    EXPECT_EQ(world.node(kFollower).value, 1);
    EXPECT_EQ(world.node(kLeader).confirmations, 1);
}

TEST(Network, DuplicateArrivesTwice) {
    // Beyond TCP, for what it would do to a protocol.
    World world = make_world(11);
    sim::MessageFault fault;
    fault.action = sim::FaultAction::kDuplicate;
    fault.to = kFollower;
    world.kernel().arm(fault);
    add_and_run(world, milliseconds(50));
    EXPECT_EQ(world.node(kLeader).confirmations, 3);
}

TEST(Network, DelayAndSlowLinkAddLatency) {
    // delay takes one message, slow_link all of them for a while.
    World world = make_world(12);
    sim::MessageFault fault;
    fault.action = sim::FaultAction::kDelay;
    fault.to = kFollower;
    fault.by = milliseconds(500);
    world.kernel().arm(fault);
    add_and_run(world, milliseconds(400));
    EXPECT_EQ(world.node(kFollower).value, 0);
    world.run_until(world.time() + milliseconds(200));
    EXPECT_EQ(world.node(kFollower).value, 1);
    world.kernel().slow_link(kLeader, kFollower, milliseconds(300), seconds(1));
    add_and_run(world, milliseconds(200));
    EXPECT_EQ(world.node(kFollower).value, 1);
    world.run_until(world.time() + seconds(2));
    add_and_run(world, milliseconds(50));
    EXPECT_EQ(world.node(kFollower).value, 3);
}

TEST(Network, ATimedCutEndsUnlessALaterOneTookItsPlace) {
    World world = make_world(14);
    world.kernel().cut(kLeader, kFollower, seconds(1));
    add_and_run(world, milliseconds(900));
    EXPECT_EQ(world.node(kFollower).value, 0);
    EXPECT_TRUE(world.kernel().network().is_cut(kLeader, kFollower));
    world.run_until(world.time() + milliseconds(200));
    EXPECT_FALSE(world.kernel().network().is_cut(kLeader, kFollower));
    world.kernel().cut(kLeader, kFollower, seconds(1));
    world.run_until(world.time() + milliseconds(500));
    world.kernel().cut(kLeader, kFollower);  // for good
    world.run_until(world.time() + seconds(5));
    EXPECT_TRUE(world.kernel().network().is_cut(kLeader, kFollower));
}

TEST(Network, LossOnlyDelays) {
    // A lossy way costs retransmissions, never a message.
    World world = make_world(13);
    world.kernel().set_loss(kLeader, kFollower, 1, 1);
    add_and_run(world, milliseconds(150));
    EXPECT_EQ(world.node(kFollower).value, 0);
    world.run_until(world.time() + milliseconds(200));
    EXPECT_EQ(world.node(kFollower).value, 1);
}

TEST(Network, StreamsKeepOrder) {
    // Whatever latency is drawn, a message never overtakes another of its connection.
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        World world = make_world(seed);
        for (int i = 0; i < 20; ++i) {
            add_and_run(world, microseconds(100));
        }
        world.run_until(world.time() + milliseconds(50));
        ASSERT_EQ(world.node(kFollower).value, 20) << "seed " << seed;
    }
}

TEST(Network, FinishedConnectionsLeaveNothingBehind) {
    // Thousands of crashes must not grow the world.
    World world = make_world(14);
    for (int i = 0; i < 200; ++i) {
        world.kernel().crash(kLeader, nullptr, false);
        world.run_until(world.time() + milliseconds(10));
        world.boot(kLeader);
        world.run_until(world.time() + milliseconds(10));
    }
    EXPECT_EQ(world.node(kLeader).followers.size(), 2U);
    EXPECT_LT(world.kernel().pending().size(), 300U) << "stale timers are swept in batches of 256";
}

}  // namespace
}  // namespace klab
