// SPDX-License-Identifier: Apache-2.0
//
// Devices and their faults under the toy model: what a step learns, what it costs, what is told.
#include <gtest/gtest.h>

#include "sim/disk/disk_costs.h"
#include "tests/sim/toy_counter.h"

namespace klab {
namespace {

using toy::add_and_run;
using toy::events_of;
using toy::kFollower;
using toy::kLeader;
using toy::make_world;
using toy::World;

void listen(World& world, sim::EventKind kind) {
    sim::KindSet kinds;
    kinds.add(kind);
    world.kernel().subscribe(kinds);
}

TEST(DiskFaultKernel, ARefusedCallChangesNothingAndIsTold) {
    World world = make_world(1);
    add_and_run(world, milliseconds(50));
    listen(world, sim::events::kDiskRefused);
    world.kernel().add_disk_fault(
        kFollower, {.kind = sim::DiskFaultKind::kFull, .path = "/counter"}, std::nullopt);
    const std::uint64_t before = world.kernel().slot(kFollower).disk.bytes_total();
    add_and_run(world, milliseconds(50));
    EXPECT_EQ(world.kernel().slot(kFollower).disk.bytes_total(), before);
    EXPECT_EQ(world.kernel().slot(kLeader).disk.bytes_total(), before + 1) << "its own disk only";
    const auto refused = events_of(world, sim::events::kDiskRefused);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].node, kFollower);
    EXPECT_EQ(world.node(kFollower).refused, 1) << "the step knows";
}

TEST(DiskFaultKernel, AFaultForATimeIsOverThen) {
    World world = make_world(1);
    world.kernel().add_disk_fault(
        kLeader, {.kind = sim::DiskFaultKind::kWriteError, .path = ""}, milliseconds(100));
    add_and_run(world, milliseconds(99));
    EXPECT_EQ(world.node(kLeader).refused, 1);
    add_and_run(world, milliseconds(99));  // asked at 99 ms
    EXPECT_EQ(world.node(kLeader).refused, 2);
    add_and_run(world, milliseconds(99));
    EXPECT_EQ(world.node(kLeader).refused, 2);
    EXPECT_EQ(world.kernel().slot(kLeader).disk.bytes_total(), 1U);
}

TEST(DiskFaultKernel, ASlowDiskHoldsTheLane) {
    // create and append: two accesses, so the copy reaches the follower 100 ms later.
    World calm = make_world(1);
    World slow = calm;
    slow.kernel().add_disk_fault(
        kLeader,
        {.kind = sim::DiskFaultKind::kSlow, .path = "", .by = milliseconds(50)},
        std::nullopt);
    add_and_run(calm, milliseconds(60));
    add_and_run(slow, milliseconds(60));
    EXPECT_EQ(calm.node(kFollower).value, 1);
    EXPECT_EQ(slow.node(kFollower).value, 0);
    slow.run_until(slow.time() + milliseconds(100));
    EXPECT_EQ(slow.node(kFollower).value, 1);
}

TEST(DiskFaultKernel, TheSameFaultTwiceIsTheSameRun) {
    World one = make_world(3);
    World two = one;
    for (World* world : {&one, &two}) {
        world->kernel().add_disk_fault(
            kLeader, {.kind = sim::DiskFaultKind::kGone, .path = "", .remaining = 1}, seconds(1));
        add_and_run(*world, milliseconds(20));
    }
    EXPECT_EQ(one.kernel().trace_hash(), two.kernel().trace_hash());
    EXPECT_EQ(one, two);
}

TEST(DiskFaultKernel, RotAndLossOfNothingSayNo) {
    World world = make_world(1);
    EXPECT_FALSE(world.kernel().rot_bit(kLeader, "")) << "an empty disk";
    add_and_run(world, milliseconds(20));
    EXPECT_FALSE(world.kernel().rot_bit(kLeader, "/other"));
    EXPECT_TRUE(world.kernel().rot_bit(kLeader, "/counter"));
    EXPECT_TRUE(world.kernel().rot_bit(kLeader, "/counter", 0));
    EXPECT_FALSE(world.kernel().rot_bit(kLeader, "/counter", 1'000'000)) << "behind the end";
    world.kernel().crash(kFollower, nullptr, false);
    EXPECT_FALSE(world.kernel().lose_entry(kFollower, "/other"));
    EXPECT_TRUE(world.kernel().lose_entry(kFollower, ""));
    EXPECT_TRUE(world.kernel().slot(kFollower).disk.files().empty());
}

TEST(Devices, EachNodeHasItsOwnAndTheTableIsInOrder) {
    sim::KernelSpec spec;
    spec.events = toy::events();
    spec.nodes = {{"n0", 1, {}, *sim::find_device("hdd")}, {"n1", 1, {}, {}}};
    const sim::Kernel kernel(spec);
    EXPECT_EQ(kernel.device(kFollower), sim::DeviceCosts{}) << "the default has not changed";
    const auto sync_of = [](std::string_view name) {
        return sim::cost_of_sync(*sim::find_device(name), 16);
    };
    EXPECT_EQ(sim::cost_of_sync(kernel.device(kLeader), 16), sync_of("hdd"));
    EXPECT_GT(sync_of("hdd"), sync_of("ssd"));
    EXPECT_GT(sync_of("ssd"), sync_of("nvme"));
    EXPECT_FALSE(sim::find_device("tape"));
}

}  // namespace
}  // namespace klab
