// SPDX-License-Identifier: Apache-2.0
//
// Durations and instants as text.
#include "sim/base/time.h"

#include <array>
#include <cstdlib>

#include <fmt/format.h>

namespace klab {

std::string to_text(Duration duration) {
    struct Unit {
        std::int64_t ns;
        const char* name;
    };

    constexpr std::array<Unit, 4> kUnits{
        {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}, {1, "ns"}}};
    const bool negative = duration.ns < 0;
    const std::int64_t magnitude = negative ? -duration.ns : duration.ns;
    if (magnitude == 0) {
        return "0s";
    }
    for (const Unit& unit : kUnits) {
        if (magnitude < unit.ns) {
            continue;
        }
        const std::int64_t whole = magnitude / unit.ns;
        const std::int64_t rest = magnitude % unit.ns;
        std::string text = fmt::format("{}{}", negative ? "-" : "", whole);
        if (rest != 0) {
            std::string digits = fmt::format("{}", unit.ns + rest).substr(1);
            digits.erase(digits.find_last_not_of('0') + 1);
            text += "." + digits;
        }
        return text + unit.name;
    }
    return "0s";
}

std::string to_clock_text(Time time) {
    const std::int64_t us = time.ns / 1'000;
    const std::int64_t total_seconds = us / 1'000'000;
    return fmt::format("{:02}:{:02}.{:06}", total_seconds / 60, total_seconds % 60, us % 1'000'000);
}

}  // namespace klab
