// SPDX-License-Identifier: Apache-2.0
//
// What stands above every picture: title of the scenario, span of virtual time, seed, rules of
// which Kafka version, and what the picture hides. A picture without it cannot be traced back to a
// run. Owns: nothing. Called by: all pictures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/time.h"
#include "viz/scene.h"
#include "viz/text_canvas.h"

namespace klab::viz {

struct PictureHead {
    std::string title;    ///< Of the scenario.
    std::string subject;  ///< What is drawn: "leader election of t-0".
    Time from;            ///< First instant shown.
    Time to;              ///< Last instant shown; equal to `from` for a still.
    std::uint64_t seed = 0;
    std::string kafka_version;        ///< "4.1".
    std::vector<std::string> hidden;  ///< "heartbeats (212)"; empty: nothing is hidden.

    friend bool operator==(const PictureHead&, const PictureHead&) = default;
};

/// Three lines: title and subject; time, seed and rules; what is hidden.
[[nodiscard]] std::vector<std::string> head_lines(const PictureHead& head);

/// Draws the head at the top left over `width` points and returns the first free y below it.
std::int32_t add_head(SceneBuilder& scene, const PictureHead& head, std::int32_t width);

/// Joins the head and the lines of a picture to the text that a terminal shows, each line ended by
/// a line feed, in the wanted character set.
[[nodiscard]] std::string write_text(const PictureHead& head,
                                     const std::vector<std::string>& body,
                                     const TextOptions& options);

/// What the sample in a legend looks like.
enum class LegendSign : std::uint8_t { kSurface, kLine, kWall, kCross };

/// One entry of a legend: a small sample and its word.
struct LegendEntry {
    Style style;
    std::string word;
    LegendSign sign = LegendSign::kSurface;
};

/// Draws entries in rows of at most `width` points from the upper left corner `at`; returns the
/// first free y below.
std::int32_t add_legend(SceneBuilder& scene,
                        Point at,
                        std::int32_t width,
                        const std::vector<LegendEntry>& entries);

}  // namespace klab::viz
