// SPDX-License-Identifier: Apache-2.0
//
// A run as a story for the terminal: what the scenario does, who leads, what is written and read.
// Routine events between two turns of the plot are told once with their number; a turn of the plot
// (a step, a crash, an election, a change of the ISR) always has a line of its own.
//
// Called by: run_report, demo.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/cli/event_text.h"
#include "scenarios/cli/terminal.h"

namespace klab::cli {

enum class StoryDetail : std::uint8_t {
    kFolded,  ///< the plot, routine told once
    kAll      ///< every transition from time 0 on, one line each
};

struct StoryLine {
    Duration time;  ///< since the scenario's time 0
    Tone tone = Tone::kPlain;
    bool is_step = false;  ///< a step of the scenario fired, or spoke
    std::string text;
};

[[nodiscard]] std::vector<StoryLine> tell_story(const EventText& events, StoryDetail detail);

/// Lines with aligned times, wrapped to the width of the terminal.
[[nodiscard]] std::string story_text(const std::vector<StoryLine>& story, const Terminal& terminal);

/// "9.830 s": to the millisecond, rounded down.
[[nodiscard]] std::string clock_text(Duration time);

}  // namespace klab::cli
