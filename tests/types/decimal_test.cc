// SPDX-License-Identifier: Apache-2.0
#include "model/types/decimal.h"

#include <limits>
#include <optional>

#include <gtest/gtest.h>

namespace klab::types {
namespace {

TEST(Decimal, InBillionths) {
    // What settings of Kafka look like, and what Java prints for doubles.
    EXPECT_EQ(billionths_of("0.5"), 500'000'000);
    EXPECT_EQ(billionths_of("1"), kBillion);
    EXPECT_EQ(billionths_of(".9"), 900'000'000);
    EXPECT_EQ(billionths_of("5."), 5 * kBillion);
    EXPECT_EQ(billionths_of("+0.000000001"), 1);
    EXPECT_EQ(billionths_of("-1e-3"), -1'000'000);
    EXPECT_EQ(billionths_of("1.0E7"), 10'000'000 * kBillion);
    EXPECT_EQ(billionths_of("00012.50e1"), 125 * kBillion);
    EXPECT_EQ(billionths_of("0"), 0);
    EXPECT_EQ(billionths_of("0e999999999999"), 0);
}

TEST(Decimal, CutsOffAndSaturates) {
    // Beyond nine digits after the point nothing counts, beyond int64 everything is the most.
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(billionths_of("0.1234567899"), 123'456'789);
    EXPECT_EQ(billionths_of("1e-10"), 0);
    EXPECT_EQ(billionths_of("9223372036.854775807"), kMost);
    EXPECT_EQ(billionths_of("9223372036.854775808"), kMost);
    EXPECT_EQ(billionths_of("9999999999"), kMost);
    EXPECT_EQ(billionths_of("1.7976931348623157E308"), kMost);
    EXPECT_EQ(billionths_of("-1e99999999999999999999"), -kMost);
}

TEST(Decimal, NotANumber) {
    for (const char* text : {"", ".", "-", "half", "1e", "1e+", "0.5x", "1..2", " 1", "NaN"}) {
        EXPECT_EQ(billionths_of(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace klab::types
