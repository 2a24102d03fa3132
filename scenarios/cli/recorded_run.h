// SPDX-License-Identifier: Apache-2.0
//
// A run for the command line: played to its end, to --until or to Ctrl-C, with the recording that
// stories, pictures and exports need.
//
// Called by: run, demo, draw, export.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "model/kafka_world/kafka_model.h"
#include "scenarios/cli/scenario_source.h"
#include "scenarios/run/run_result.h"
#include "scenarios/run/scenario_ast.h"
#include "viz/picture_input.h"

namespace klab::cli {

struct PlayOptions {
    std::string name;               ///< path as given
    std::string variant;            ///< "" for the file itself
    std::string variant_title;      ///< of the variant, if it has one
    bool keep_recording = true;     ///< else the pictures of the result are empty
    bool full_check = false;        ///< rescan every check at every step
    std::optional<Duration> until;  ///< virtual time at which to stop
    /// Looks at the world where the run ended, unless it was interrupted; `reached_until`: `until`
    /// ended it.
    std::function<void(const world::KafkaWorld&, Duration time, bool reached_until)> at_end;
};

struct RecordedRun {
    std::string variant_title;
    scenario::RunResult result;
    viz::PictureInput trace;
    bool interrupted = false;
};

/// How to play the file as the command line says. Nothing, and a message, for a wrong --until.
[[nodiscard]] std::optional<PlayOptions> play_options(const std::string& path,
                                                      const ScenarioOptions& scenario,
                                                      Terminal& terminal);

/// Throws: AssertionFailure when klab has a bug.
[[nodiscard]] RecordedRun play(const std::shared_ptr<const scenario::Scenario>& scenario,
                               const PlayOptions& options);

}  // namespace klab::cli
