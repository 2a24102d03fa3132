// SPDX-License-Identifier: Apache-2.0
//
// Golden values of keyed choices. They were computed by a separate program from the definition
// (SplitMix64 finaliser over seed, site, node, peer, occurrence; multiply-shift to the bound), so
// they hold for every compiler and platform. A change here changes every run: `Trace-change: yes`.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "sim/kernel/choices.h"

namespace klab::sim::test {
namespace {

std::vector<std::uint32_t> picks(std::uint64_t seed,
                                 std::uint16_t site,
                                 std::int64_t node,
                                 std::int64_t peer,
                                 std::uint32_t bound,
                                 int count) {
    Choices choices(seed);
    std::vector<std::uint32_t> result;
    for (int i = 0; i < count; ++i) {
        result.push_back(choices.pick(ChoiceSite{site, "golden"}, node, peer, bound));
    }
    return result;
}

TEST(ChoicesGolden, Picks) {
    EXPECT_EQ(picks(1, 0, 3, 5, 1000, 8),
              (std::vector<std::uint32_t>{581, 314, 234, 855, 317, 893, 130, 798}));
    EXPECT_EQ(picks(1, 1, -1, -1, 2, 16),
              (std::vector<std::uint32_t>{0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 1}));
    EXPECT_EQ(picks(0xFFFF'FFFF'FFFF'FFFFU, 300, 200, -1, 4'294'967'295, 4),
              (std::vector<std::uint32_t>{1663036739, 3172245975, 3595781411, 1021667319}));
}

TEST(ChoicesGolden, Spread) {
    Choices choices(42);
    std::vector<std::int64_t> spreads;
    for (int i = 0; i < 6; ++i) {
        const Duration spread =
            choices.spread(sites::kLatency, 1, 2, milliseconds(1), milliseconds(10));
        spreads.push_back(spread.ns);
    }
    EXPECT_EQ(spreads,
              (std::vector<std::int64_t>{5354838, 6806451, 3612903, 3032258, 5645161, 4483870}));
}

TEST(ChoicesGolden, FreshBits) {
    Choices choices(7);
    const std::uint64_t first = choices.fresh_bits(9, 2);
    const std::uint64_t second = choices.fresh_bits(9, 2);
    const std::uint64_t third = choices.fresh_bits(9, 2);
    EXPECT_EQ(first, 0xfcaedc240a8152bdU);
    EXPECT_EQ(second, 0x5db5afbe3df6ca12U);
    EXPECT_EQ(third, 0x1c817a1fbfb812e7U);
}

TEST(ChoicesGolden, KernelSitesKeepTheirNumbers) {
    // The number is in the key: renumbering a site would change every run.
    EXPECT_EQ(sites::kLatency.number, 0);
    EXPECT_EQ(sites::kLoss.number, 1);
    EXPECT_EQ(sites::kPagesKept.number, 2);
    EXPECT_EQ(sites::kTornAt.number, 3);
    EXPECT_EQ(sites::kFreshId.number, 4);
    EXPECT_EQ(sites::kHarness.number, 5);
}

}  // namespace
}  // namespace klab::sim::test
