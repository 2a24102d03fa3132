// SPDX-License-Identifier: Apache-2.0
//
// Virtual time: int64 nanoseconds. `Time` is an instant since the start of the run, `Duration` a
// length. 2^63 ns is 292 years, so sums of values read from scenarios (at most 10 years each)
// cannot overflow.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace klab {

/// A length of virtual time in nanoseconds. May be negative (a clock that jumps back).
struct Duration {
    std::int64_t ns = 0;

    friend constexpr bool operator==(Duration, Duration) = default;
    friend constexpr auto operator<=>(Duration, Duration) = default;

    friend constexpr Duration operator+(Duration a, Duration b) { return {a.ns + b.ns}; }

    friend constexpr Duration operator-(Duration a, Duration b) { return {a.ns - b.ns}; }

    friend constexpr Duration operator*(Duration a, std::int64_t n) { return {a.ns * n}; }

    friend constexpr Duration operator/(Duration a, std::int64_t n) { return {a.ns / n}; }

    constexpr Duration& operator+=(Duration b) {
        ns += b.ns;
        return *this;
    }

    /// Whole milliseconds, rounded towards zero: Kafka's own unit.
    [[nodiscard]] constexpr std::int64_t to_ms() const { return ns / 1'000'000; }
};

constexpr Duration nanoseconds(std::int64_t n) { return {n}; }

constexpr Duration microseconds(std::int64_t n) { return {n * 1'000}; }

constexpr Duration milliseconds(std::int64_t n) { return {n * 1'000'000}; }

constexpr Duration seconds(std::int64_t n) { return {n * 1'000'000'000}; }

/// An instant: nanoseconds since the start of the run (or, from a node's wall clock, since its
/// epoch).
struct Time {
    std::int64_t ns = 0;

    friend constexpr bool operator==(Time, Time) = default;
    friend constexpr auto operator<=>(Time, Time) = default;

    friend constexpr Time operator+(Time a, Duration b) { return {a.ns + b.ns}; }

    friend constexpr Time operator-(Time a, Duration b) { return {a.ns - b.ns}; }

    friend constexpr Duration operator-(Time a, Time b) { return {a.ns - b.ns}; }

    [[nodiscard]] constexpr std::int64_t to_ms() const { return ns / 1'000'000; }
};

/// "1.5ms", "20s", "0ns": the shortest exact text with one unit.
[[nodiscard]] std::string to_text(Duration duration);

/// "00:09.830412000" style without trailing zeros beyond microseconds: minutes:seconds.fraction.
[[nodiscard]] std::string to_clock_text(Time time);

}  // namespace klab
