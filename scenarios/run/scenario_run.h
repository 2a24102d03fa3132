// SPDX-License-Identifier: Apache-2.0
//
// Plays a scenario: builds the world, lets it come up, plays the timeline, judges, and gives the
// result. The run itself (world and director) can be kept for pictures, questions and forks.
//
// Called by: the command line, sweep, lessons, tests.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "model/kafka_world/prelude.h"
#include "scenarios/run/director.h"
#include "scenarios/run/run_result.h"
#include "scenarios/run/scenario_ast.h"
#include "scenarios/run/world_plan.h"

namespace klab::scenario {

struct RunOptions {
    bool check_full = false;      ///< scan everything at the end; it must agree with the checks
    bool keep_recording = false;  ///< every event from boot on; costs memory, changes nothing
    /// Asked now and then by run_scenario(): shall the run stop here, undecided?
    std::function<bool()> cancelled;
};

/// A run under way or over.
class Play {
  public:
    /// Boots the world; the prelude is still to come.
    /// Requires: the scenario passed its checks.
    Play(const std::shared_ptr<const Scenario>& scenario, const RunOptions& options);

    /// One turn of the queue, or one look at a deadline. False when the run is over.
    bool step();

    /// Plays to the end and judges.
    void finish();

    /// Ends the run here, undecided, and judges what can be judged. `why`: one sentence.
    void stop(std::string why);

    /// Is the prelude over: has the scenario's time 0 come?
    [[nodiscard]] bool has_begun() const { return begun_; }

    [[nodiscard]] const world::KafkaWorld& world() const { return run_.world(); }

    [[nodiscard]] const Director& director() const { return run_.director(); }

    /// When the next step() will be: the queue's next turn, or a deadline of the timeline if that
    /// comes first. Nothing when neither comes.
    [[nodiscard]] std::optional<Time> next_time() const;

    /// Virtual time since the scenario's time 0.
    [[nodiscard]] Duration time() const { return world().time() - director().origin(); }

    /// Requires: finish() or stop() was called. `name` and `variant` are only passed on.
    [[nodiscard]] RunResult result(const std::string& name, const std::string& variant) const;

  private:
    Play(const WorldPlan& plan,
         std::shared_ptr<const Scenario> scenario,
         const RunOptions& options);

    bool step_prelude();

    ScenarioRun run_;
    world::Prelude prelude_;
    std::uint32_t loss_millionths_ = 0;
    bool begun_ = false;
};

/// Plays a scenario from boot to verdict.
[[nodiscard]] RunResult run_scenario(const std::shared_ptr<const Scenario>& scenario,
                                     const RunOptions& options,
                                     const std::string& name,
                                     const std::string& variant);

}  // namespace klab::scenario
