// SPDX-License-Identifier: Apache-2.0
//
// After a power failure the page cache is empty: what reads cost then.
#include <gtest/gtest.h>

#include "sim/disk/disk.h"
#include "sim/disk/disk_costs.h"
#include "tests/sim/disk_helpers.h"

namespace klab::sim::test {
namespace {

TEST(ColdPages, AReadFetchesAheadAndReadingOnNeedsNoSeek) {
    ColdPages pages(100);
    EXPECT_EQ(pages.load(0, 1), (ReadMiss{32, 1}));
    EXPECT_EQ(pages.load(1, 32), (ReadMiss{}));
    EXPECT_EQ(pages.load(32, 33), (ReadMiss{32, 0}));
    EXPECT_EQ(pages.load(90, 91), (ReadMiss{10, 1}));
    EXPECT_EQ(pages.load(0, 100), (ReadMiss{26, 1}));
    EXPECT_TRUE(pages.empty());
}

TEST(ColdPages, ALargeReadIsOneSeek) {
    ColdPages pages(100);
    EXPECT_EQ(pages.load(10, 90), (ReadMiss{80, 1}));
}

TEST(ColdPages, WrittenPagesAreInMemory) {
    ColdPages pages(3);
    pages.warm(0);
    pages.warm(1);
    pages.warm(1);
    pages.warm(7);
    EXPECT_FALSE(pages.empty());
    EXPECT_EQ(pages.load(0, 2), (ReadMiss{}));
    pages.warm(2);
    EXPECT_TRUE(pages.empty());
}

/// A file of so many pages after a crash of the process or a power failure.
Disk disk_after(bool power_fails, std::uint64_t pages) {
    Disk disk;
    const FileId file = disk.create("/log", {}).value();
    EXPECT_TRUE(disk.append(file, Bytes(pages * kPageBytes, 7), {}).ok());
    EXPECT_TRUE(disk.sync(file, {}).ok());
    EXPECT_TRUE(disk.sync_directory("/", {}).ok());
    disk.settle({});
    disk.crash({}, std::nullopt, false);
    if (power_fails) {
        power_off(disk);
    }
    return disk;
}

TEST(ColdDisk, ACrashKeepsThePageCacheAPowerFailureDoesNot) {
    Disk crashed = disk_after(false, 64);
    EXPECT_FALSE(crashed.is_cold(crashed.open("/log").value()));
    Disk dark = disk_after(true, 64);
    const FileId file = dark.open("/log").value();
    EXPECT_TRUE(dark.is_cold(file));
    EXPECT_EQ(dark.load(file, 0, 64 * kPageBytes), (ReadMiss{64, 1}));
    EXPECT_FALSE(dark.is_cold(file)) << "once is enough";
    EXPECT_EQ(dark.load(file, 0, 64 * kPageBytes), (ReadMiss{}));
}

TEST(ColdDisk, TheCostFollowsTheBytes) {
    const DeviceCosts hdd = *find_device("hdd");
    const auto cost_of = [&](std::uint64_t pages) {
        Disk disk = disk_after(true, pages);
        return cost_of_miss(hdd, disk.load(disk.open("/log").value(), 0, pages * kPageBytes));
    };
    EXPECT_EQ(cost_of(1), hdd.read_seek + hdd.read_per_page);
    EXPECT_EQ(cost_of(1000) - cost_of(500), hdd.read_per_page * 500);
}

}  // namespace
}  // namespace klab::sim::test
