// SPDX-License-Identifier: Apache-2.0
//
// The three time axes. See time_scale.h.
#include "viz/time_scale.h"

#include <algorithm>
#include <array>

#include "sim/base/assert.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kEventStep = 24;
constexpr std::int32_t kLinearPerInstant = 14;
constexpr std::int32_t kLinearMin = 240;
constexpr std::int32_t kLinearMax = 6000;

constexpr std::array<TimeAxis, 3> kAxes{TimeAxis::kLinear, TimeAxis::kEvent, TimeAxis::kCompressed};

std::int32_t log2_floor(std::int64_t n) {
    std::int32_t log = 0;
    while (n > 1) {
        n >>= 1;
        ++log;
    }
    return log;
}

std::int32_t compressed_step(Duration gap) {
    return std::clamp(8 + 3 * log2_floor(gap.ns / 1'000 + 1), 12, 84);
}

/// a * b / c rounded, for a <= c, without overflow: large spans lose precision far below a point.
std::int64_t scaled(std::int64_t a, std::int64_t b, std::int64_t c) {
    constexpr std::int64_t kSafe = std::int64_t{1} << 40;
    while (c > kSafe) {
        a >>= 1;
        c >>= 1;
    }
    return (a * b + c / 2) / c;
}

}  // namespace

std::string_view time_axis_word(TimeAxis axis) {
    switch (axis) {
        case TimeAxis::kLinear:
            return "linear";
        case TimeAxis::kEvent:
            return "event";
        case TimeAxis::kCompressed:
            return "compressed";
    }
    KLAB_ASSERT(false, "axis {}", static_cast<int>(axis));
    return {};
}

std::optional<TimeAxis> parse_time_axis(std::string_view word) {
    for (const TimeAxis axis : kAxes) {
        if (time_axis_word(axis) == word) {
            return axis;
        }
    }
    return std::nullopt;
}

TimeScale::TimeScale(TimeAxis axis, std::vector<ScaleInstant> instants) {
    KLAB_ASSERT(!instants.empty(), "a time axis without an instant");
    std::sort(instants.begin(), instants.end(), [](const ScaleInstant& a, const ScaleInstant& b) {
        return a.at < b.at;
    });
    std::vector<std::int32_t> rooms;
    for (const ScaleInstant& instant : instants) {
        if (!knots_.empty() && knots_.back().at == instant.at) {
            rooms.back() = std::max(rooms.back(), instant.room);
            continue;
        }
        knots_.push_back({instant.at, 0});
        rooms.push_back(instant.room);
    }
    const auto count = static_cast<std::int32_t>(
        std::min<std::size_t>(knots_.size(), static_cast<std::size_t>(kLinearMax)));
    const std::int32_t total = std::clamp(count * kLinearPerInstant, kLinearMin, kLinearMax);
    const Duration span = knots_.back().at - knots_.front().at;
    for (std::size_t i = 1; i < knots_.size(); ++i) {
        const Duration gap = knots_[i].at - knots_[i - 1].at;
        switch (axis) {
            case TimeAxis::kLinear:
                knots_[i].y = static_cast<std::int32_t>(
                    scaled((knots_[i].at - knots_.front().at).ns, total, span.ns));
                break;
            case TimeAxis::kEvent:
                knots_[i].y = knots_[i - 1].y + std::max(kEventStep, rooms[i]);
                break;
            case TimeAxis::kCompressed:
                knots_[i].y = knots_[i - 1].y + std::max(compressed_step(gap), rooms[i]);
                break;
        }
    }
}

std::int32_t TimeScale::y(Time at) const {
    if (at <= knots_.front().at) {
        return 0;
    }
    const auto next =
        std::lower_bound(knots_.begin(), knots_.end(), at, [](const Knot& knot, Time wanted) {
            return knot.at < wanted;
        });
    if (next == knots_.end()) {
        return knots_.back().y;
    }
    const Knot& before = *(next - 1);
    return before.y + static_cast<std::int32_t>(scaled(
                          (at - before.at).ns, next->y - before.y, (next->at - before.at).ns));
}

std::vector<Time> TimeScale::instants() const {
    std::vector<Time> out;
    out.reserve(knots_.size());
    for (const Knot& knot : knots_) {
        out.push_back(knot.at);
    }
    return out;
}

}  // namespace klab::viz
