// SPDX-License-Identifier: Apache-2.0
//
// Director: the scenario as a value beside the world. It holds armed triggers, expectations and
// counts; it sees the events of a step as soon as the step returns, and what it does happens at
// that same instant, ahead of everything in the queue.
//
//     waiting -(begin: the prelude is over)-> playing -(end, limit, step never fired)-> finished
//
// Owns: the state of timeline and expectations (values: a copy of Run copies them).
// Called by: sim::Run, scenario_run. Parts: expectation_state (what is judged when).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/check/checker.h"
#include "model/kafka_world/kafka_model.h"
#include "scenarios/run/client_counts.h"
#include "scenarios/run/expectation_state.h"
#include "scenarios/run/run_meters.h"
#include "scenarios/run/scenario_ast.h"
#include "scenarios/run/step_actions.h"
#include "scenarios/run/trigger_watch.h"
#include "sim/kernel/run.h"
#include "sim/trace/recording.h"

namespace klab::scenario {

/// Why a run is over.
enum class EndReason : std::uint8_t {
    kNotYet,
    kEndAction,     ///< a step said `end`
    kLimit,         ///< the time limit came
    kNeverFired,    ///< a step with `within` did not fire in time
    kActionFailed,  ///< an action could not be done: nobody holds the role
    kNoStart,       ///< the cluster did not come up before time 0
    kStopped        ///< whoever plays it wanted no more
};

class Director {
  public:
    /// `keep_recording`: keeps every event of the run, from boot on.
    /// `check_full`: at the end everything is scanned once more and must agree with the checks.
    Director(std::shared_ptr<const Scenario> scenario,
             const types::ModelData& data,
             sim::NodeId operator_node,
             bool keep_recording,
             bool check_full);

    // --- for sim::Run

    [[nodiscard]] sim::KindSet wanted() const;
    void observe(world::KafkaWorld& world, std::span<const sim::Event> events);

    [[nodiscard]] bool finished() const { return reason_ != EndReason::kNotYet; }

    // --- for the loop of scenario_run

    /// Virtual time 0 of the scenario: arms everything, starts the clients.
    void begin(world::KafkaWorld& world);

    /// The next time at which something must be looked at although nothing happens.
    [[nodiscard]] Time next_deadline(const world::KafkaWorld& world) const;

    /// Looks at this instant without new events.
    void on_time(world::KafkaWorld& world);

    /// The cluster could not start.
    void give_up(std::string why);

    /// Whoever plays the run wants no more of it.
    void stop(std::string why);

    /// Judges what is judged at the end. Requires: finished().
    void close(const world::KafkaWorld& world);

    // --- results

    [[nodiscard]] const Scenario& scenario() const { return *scenario_; }

    [[nodiscard]] Time origin() const { return origin_; }

    [[nodiscard]] EndReason reason() const { return reason_; }

    /// One sentence about an end that is no `end` action; empty otherwise.
    [[nodiscard]] const std::string& why() const { return why_; }

    [[nodiscard]] const std::vector<ExpectationState>& expectations() const {
        return expectations_;
    }

    /// How often the step at that place of the timeline has fired, and when first.
    [[nodiscard]] std::int64_t times_fired(std::size_t step) const { return steps_[step].fired; }

    [[nodiscard]] std::optional<Time> first_fired(std::size_t step) const {
        return steps_[step].first_fired;
    }

    [[nodiscard]] const ClientCounts& counts() const { return counts_; }

    /// Invariants and the oracle of client histories; they watch from boot on.
    [[nodiscard]] const check::Checker& checker() const { return checker_; }

    /// Violations that neither the settings allow nor the file expects.
    [[nodiscard]] std::vector<check::Violation> unexpected_violations() const;

    /// Does the file say that this invariant breaks?
    [[nodiscard]] bool expects(check::CheckId broken) const;

    /// close() was called: the oracle has spoken.
    [[nodiscard]] bool is_closed() const { return closed_; }

    [[nodiscard]] const RunMeters& meters() const { return meters_; }

    [[nodiscard]] const Firings& firings() const { return firings_; }

    [[nodiscard]] const sim::Recording& recording() const { return recording_; }

    friend bool operator==(const Director&, const Director&) = default;

  private:
    struct StepState {
        TriggerWatch watch;
        std::int64_t fired = 0;
        std::optional<Time> first_fired;

        friend bool operator==(const StepState&, const StepState&) = default;
    };

    void judge(world::KafkaWorld& world, std::span<const sim::Event> events);
    bool fire_due_steps(world::KafkaWorld& world, std::span<const sim::Event> events);
    void fire(std::size_t index, world::KafkaWorld& world);
    void perform_actions(const Step& step, const std::string& name, ActionContext& context);
    void check_deadlines(const world::KafkaWorld& world);
    [[nodiscard]] sim::KindSet find_own_kinds() const;
    [[nodiscard]] std::optional<Time> deadline_of_step(std::size_t index) const;
    [[nodiscard]] Moment moment(const world::KafkaWorld& world,
                                std::span<const sim::Event> events) const;

    std::shared_ptr<const Scenario> scenario_;
    sim::NodeId operator_;
    bool keep_recording_ = false;
    bool check_full_ = false;
    bool playing_ = false;
    bool closed_ = false;
    Time origin_;
    std::vector<StepState> steps_;  // as in the scenario's timeline
    std::vector<ExpectationState> expectations_;
    ClientCounts counts_;
    check::Checker checker_;
    RunMeters meters_;
    Firings firings_;  // of steps with an id
    sim::Recording recording_;
    sim::KindSet own_kinds_;  // kinds after which timeline and expectations are looked at
    EndReason reason_ = EndReason::kNotYet;
    std::string why_;
};

/// A scenario in play: what is forked.
using ScenarioRun = sim::Run<world::KafkaModel, Director>;

}  // namespace klab::scenario
