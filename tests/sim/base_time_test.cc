// SPDX-License-Identifier: Apache-2.0
//
// Durations and instants: arithmetic and text.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/base/time.h"

namespace klab::test {
namespace {

TEST(Durations, AreCountedInNanoseconds) {
    EXPECT_EQ(seconds(2), milliseconds(2000));
    EXPECT_EQ(milliseconds(2), microseconds(2000));
    EXPECT_EQ(microseconds(2), nanoseconds(2000));
    EXPECT_EQ(nanoseconds(3).ns, 3);
    EXPECT_LT(milliseconds(999), seconds(1));
}

TEST(Durations, AddScaleAndDivide) {
    Duration total = seconds(1) + milliseconds(500) - milliseconds(250);
    total += milliseconds(750);
    EXPECT_EQ(total, seconds(2));
    EXPECT_EQ(total * 3, seconds(6));
    EXPECT_EQ(seconds(7) / 2, milliseconds(3500));
    EXPECT_EQ((nanoseconds(0) - seconds(1)).to_ms(), -1000);
}

TEST(Durations, MillisecondsAreRoundedTowardsZero) {
    // Kafka's own unit; a clock that jumped back must not gain a millisecond.
    EXPECT_EQ(microseconds(1999).to_ms(), 1);
    EXPECT_EQ(microseconds(-1999).to_ms(), -1);
    EXPECT_EQ(Time{1'999'999}.to_ms(), 1);
}

TEST(Times, HaveDistances) {
    const Time start{1000};
    EXPECT_EQ(start + nanoseconds(5), Time{1005});
    EXPECT_EQ(start - nanoseconds(5), Time{995});
    EXPECT_EQ(Time{1005} - start, nanoseconds(5));
    EXPECT_LT(start, Time{1001});
}

TEST(Durations, TextIsTheShortestExactOne) {
    // Texts go into scenario files and must read back as the same value.
    EXPECT_EQ(to_text(Duration{}), "0s");
    EXPECT_EQ(to_text(nanoseconds(1)), "1ns");
    EXPECT_EQ(to_text(nanoseconds(999)), "999ns");
    EXPECT_EQ(to_text(nanoseconds(1000)), "1us");
    EXPECT_EQ(to_text(nanoseconds(1001)), "1.001us");
    EXPECT_EQ(to_text(microseconds(1500)), "1.5ms");
    EXPECT_EQ(to_text(milliseconds(20'000)), "20s");
    EXPECT_EQ(to_text(seconds(3600) + nanoseconds(1)), "3600.000000001s");
    EXPECT_EQ(to_text(milliseconds(-1500)), "-1.5s");
    EXPECT_EQ(to_text(nanoseconds(-1)), "-1ns");
}

TEST(Times, ClockTextIsMinutesSecondsAndMicroseconds) {
    EXPECT_EQ(to_clock_text(Time{}), "00:00.000000");
    EXPECT_EQ(to_clock_text(Time{9'830'412'999}), "00:09.830412");
    EXPECT_EQ(to_clock_text(Time{} + seconds(61)), "01:01.000000");
    EXPECT_EQ(to_clock_text(Time{} + seconds(6000)), "100:00.000000");
}

/// Reads "1.5ms" back; only what to_text writes.
std::int64_t parse(const std::string& text) {
    std::size_t at = text[0] == '-' ? 1 : 0;
    std::int64_t whole = 0;
    for (; text[at] >= '0' && text[at] <= '9'; ++at) {
        whole = whole * 10 + (text[at] - '0');
    }
    std::string fraction;
    if (text[at] == '.') {
        for (++at; text[at] >= '0' && text[at] <= '9'; ++at) {
            fraction += text[at];
        }
    }
    const std::string unit = text.substr(at);
    const std::size_t digits = unit == "s" ? 9 : unit == "ms" ? 6 : unit == "us" ? 3 : 0;
    RC_ASSERT(fraction.size() <= digits);
    fraction.resize(digits, '0');
    std::int64_t ns = whole;
    for (const char digit : fraction) {
        ns = ns * 10 + (digit - '0');
    }
    return text[0] == '-' ? -ns : ns;
}

RC_GTEST_PROP(Durations, TextReadsBackAsTheSameValue, ()) {
    const auto ns = *rc::gen::oneOf(
        rc::gen::inRange<std::int64_t>(-5'000'000, 5'000'000),
        rc::gen::inRange<std::int64_t>(-1'000'000'000'000'000'000, 1'000'000'000'000'000'000));
    RC_ASSERT(parse(to_text(Duration{ns})) == ns);
}

}  // namespace
}  // namespace klab::test
