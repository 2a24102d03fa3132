// SPDX-License-Identifier: Apache-2.0
//
// One expectation during a run: has it been judged, did it hold, on which value and at which event.
//
//     end      judged when the run is over
//     always   broken at the first instant at which it is false
//     never    broken at the first instant at which it is true
//     trigger  judged once, at the instant at which the trigger begins to hold
//     by       held as soon as it is true; broken when the time is over
//
// Owns: the verdict on one expectation. Called by: Director.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/run/expression_eval.h"
#include "scenarios/run/scenario_ast.h"
#include "scenarios/run/trigger_watch.h"

namespace klab::scenario {

class ExpectationState {
  public:
    /// Adds the kinds after which the expectation must be looked at.
    void want(const Expectation& expectation,
              const sim::EventTable& table,
              sim::KindSet& kinds) const;

    /// Looks at this instant. `last_event`: the newest event of the run.
    void look(const Expectation& expectation,
              const Moment& moment,
              const RunView& run,
              sim::EventId last_event);

    /// The time of `by` has come, or a trigger's own time.
    [[nodiscard]] std::optional<Time> next_time(const Expectation& expectation,
                                                const Moment& moment) const;

    /// The run is over: judges what is still open. A trigger that never came stays open.
    void close(const Expectation& expectation, const RunView& run, sim::EventId last_event);

    /// The run is over: the same for an expectation that an invariant breaks.
    void close_violation(bool broken, sim::EventId last_event);

    /// Nothing while it is open.
    [[nodiscard]] std::optional<bool> held() const { return held_; }

    /// The value that decided.
    [[nodiscard]] const Value& value() const { return value_; }

    /// The newest event when it was decided.
    [[nodiscard]] std::optional<sim::EventId> event() const { return event_; }

    /// Was it decided before the end of the run?
    [[nodiscard]] bool decided_early() const { return early_; }

    friend bool operator==(const ExpectationState&, const ExpectationState&) = default;

  private:
    void decide(bool held, const Expression& condition, const RunView& run, sim::EventId event);
    [[nodiscard]] bool concerned(const Expectation& expectation, const Moment& moment);

    std::optional<bool> held_;
    Value value_;
    std::optional<sim::EventId> event_;
    bool early_ = false;
    std::optional<sim::KindSet> concern_;  // kinds that can change the value, once looked at
    TriggerWatch watch_;
};

}  // namespace klab::scenario
