// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/recorded_run.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "scenarios/cli/interrupt.h"
#include "scenarios/run/scenario_run.h"

namespace klab::cli {

std::optional<PlayOptions> play_options(const std::string& path,
                                        const ScenarioOptions& scenario,
                                        Terminal& terminal) {
    PlayOptions options;
    options.name = path;
    options.variant = scenario.variant.value_or("");
    if (scenario.until) {
        options.until = parse_time_option("--until", *scenario.until, terminal);
        if (!options.until) {
            return std::nullopt;
        }
    }
    return options;
}

RecordedRun play(const std::shared_ptr<const scenario::Scenario>& scenario,
                 const PlayOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    scenario::RunOptions run_options;
    run_options.check_full = options.full_check;
    run_options.keep_recording = options.keep_recording;
    scenario::Play play(scenario, run_options);
    RecordedRun out;
    out.variant_title = options.variant_title;
    bool reached_until = false;
    while (true) {
        if (interrupted()) {
            out.interrupted = true;
            play.stop("interrupted");
            break;
        }
        const std::optional<Time> next =
            play.has_begun() && options.until ? play.next_time() : std::nullopt;
        const bool is_due = next && *next - play.director().origin() > *options.until;
        if (is_due) {
            reached_until = true;
            play.stop(fmt::format("stopped at {} as asked", to_text(*options.until)));
            break;
        }
        if (!play.step()) {
            play.finish();
            break;
        }
    }
    if (options.at_end && !out.interrupted) {
        options.at_end(play.world(), play.time(), reached_until);
    }
    out.result = play.result(options.name, options.variant);
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    out.result.wall_time_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count();
    const sim::Kernel& kernel = play.world().kernel();
    out.trace.recording = play.director().recording();
    out.trace.interner = kernel.interner();
    out.trace.nodes = viz::picture_nodes(play.world().data().cluster);
    out.trace.title = scenario->title;
    out.trace.seed = scenario->seed;
    out.trace.kafka_version = scenario->kafka.value;
    out.trace.origin = play.director().origin();
    out.trace.end = play.world().time();
    return out;
}

}  // namespace klab::cli
