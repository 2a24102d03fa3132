// SPDX-License-Identifier: Apache-2.0
//
// What disk calls cost.
#include "sim/disk/disk_costs.h"

#include <gtest/gtest.h>

namespace klab::sim::test {
namespace {

constexpr DeviceCosts kCosts{nanoseconds(10),
                             nanoseconds(3),
                             nanoseconds(1000),
                             nanoseconds(100),
                             nanoseconds(2000),
                             nanoseconds(50)};

TEST(DiskCosts, PageCacheCallsCostTheirPages) {
    // Any call enters the kernel; each page that is copied costs more.
    EXPECT_EQ(cost_of_append(kCosts, 0), nanoseconds(10));
    EXPECT_EQ(cost_of_append(kCosts, 1), nanoseconds(13));
    EXPECT_EQ(cost_of_append(kCosts, 4096), nanoseconds(13));
    EXPECT_EQ(cost_of_append(kCosts, 4097), nanoseconds(16));
    EXPECT_EQ(cost_of_read(kCosts, 0), nanoseconds(10));
    EXPECT_EQ(cost_of_read(kCosts, 3 * 4096), nanoseconds(19));
}

TEST(DiskCosts, ASyncOfNothingIsOnlyACall) {
    EXPECT_EQ(cost_of_sync(kCosts, 0), nanoseconds(10));
    EXPECT_EQ(cost_of_sync(kCosts, 1), nanoseconds(1100));
    EXPECT_EQ(cost_of_sync(kCosts, 5), nanoseconds(1500));
    EXPECT_EQ(cost_of_sync_directory(kCosts, false), nanoseconds(10));
    EXPECT_EQ(cost_of_sync_directory(kCosts, true), nanoseconds(1000));
}

TEST(DiskCosts, NoCallIsFree) {
    // A call that took no time would complete at the instant of its acknowledgement.
    constexpr DeviceCosts kDefault;
    EXPECT_GT(cost_of_append(kDefault, 0).ns, 0);
    EXPECT_GT(cost_of_read(kDefault, 0).ns, 0);
    EXPECT_GT(cost_of_sync(kDefault, 0).ns, 0);
    EXPECT_GT(cost_of_sync_directory(kDefault, false).ns, 0);
}

}  // namespace
}  // namespace klab::sim::test
