// SPDX-License-Identifier: Apache-2.0
//
// Virtual time -> points on the page, in three ways. A run is quiet for seconds and then decides
// everything within a millisecond; only one of the three ways shows both.
//   linear      true to scale everywhere
//   event       every instant one equal step below the last
//   compressed  a step grows with the logarithm of the gap: order and "long or short" both readable
// Owns: nothing. Called by: pictures with a time axis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/time.h"

namespace klab::viz {

enum class TimeAxis : std::uint8_t { kLinear, kEvent, kCompressed };

/// "linear", "event", "compressed".
[[nodiscard]] std::string_view time_axis_word(TimeAxis axis);

/// The axis of that word, or nullopt.
[[nodiscard]] std::optional<TimeAxis> parse_time_axis(std::string_view word);

/// An instant that the axis must show; `room` is the least distance in points from the one before
/// (ignored by the linear axis).
struct ScaleInstant {
    Time at;
    std::int32_t room = 0;
};

class TimeScale {
  public:
    /// Instants in any order, repetitions allowed; at least one.
    TimeScale(TimeAxis axis, std::vector<ScaleInstant> instants);

    /// Points below the first instant; instants between two known ones are interpolated, those
    /// outside are held at the ends.
    [[nodiscard]] std::int32_t y(Time at) const;

    /// Points from the first to the last instant.
    [[nodiscard]] std::int32_t height() const { return knots_.back().y; }

    /// The distinct instants in order.
    [[nodiscard]] std::vector<Time> instants() const;

  private:
    struct Knot {
        Time at;
        std::int32_t y = 0;
    };

    std::vector<Knot> knots_;
};

}  // namespace klab::viz
