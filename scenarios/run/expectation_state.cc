// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/expectation_state.h"

#include <algorithm>
#include <utility>

#include "scenarios/run/run_meters.h"

namespace klab::scenario {

namespace {

const Expression* condition_of(const Expectation& expectation) {
    const auto* that = std::get_if<At<Expression>>(&expectation.condition);
    return that == nullptr ? nullptr : &that->value;
}

bool is_watched(const Expectation& expectation) {
    return expectation.judged == JudgedAt::kAlways || expectation.judged == JudgedAt::kNever ||
           expectation.by.has_value();
}

}  // namespace

void ExpectationState::want(const Expectation& expectation,
                            const sim::EventTable& table,
                            sim::KindSet& kinds) const {
    const Expression* condition = condition_of(expectation);
    if (condition != nullptr && is_watched(expectation)) {
        want_for(*condition, table, kinds);
    }
    if (expectation.at) {
        TriggerWatch::want(*expectation.at, table, kinds);
    }
}

/// Looking costs an evaluation, so only events that can change the value make it look.
bool ExpectationState::concerned(const Expectation& expectation, const Moment& moment) {
    if (!concern_) {
        sim::KindSet kinds;
        want_for(*condition_of(expectation), moment.world.kernel().event_table(), kinds);
        concern_ = std::move(kinds);
        return true;
    }
    return std::any_of(moment.events.begin(), moment.events.end(), [&](const sim::Event& event) {
        return concern_->contains(event.kind);
    });
}

void ExpectationState::decide(bool held,
                              const Expression& condition,
                              const RunView& run,
                              sim::EventId event) {
    held_ = held;
    value_ = shown_value(condition, run);
    event_ = event;
}

void ExpectationState::look(const Expectation& expectation,
                            const Moment& moment,
                            const RunView& run,
                            sim::EventId last_event) {
    const Expression* condition = condition_of(expectation);
    if (held_ || condition == nullptr) {
        return;
    }
    if (expectation.judged == JudgedAt::kTrigger && expectation.at) {
        if (watch_.look(*expectation.at, moment)) {
            decide(holds(*condition, run), *condition, run, last_event);
            early_ = true;
        }
        return;
    }
    if (!is_watched(expectation)) {
        return;
    }
    const bool over = expectation.by && moment.since_origin() >= expectation.by->value;
    if (!over && !concerned(expectation, moment)) {
        return;
    }
    const bool now = holds(*condition, run);
    const bool never = expectation.judged == JudgedAt::kNever;
    const bool always = expectation.judged == JudgedAt::kAlways;
    if ((never && now) || (always && !now) || (over && !now)) {
        decide(false, *condition, run, last_event);
        early_ = true;
    } else if (expectation.by && now && !never && !always) {
        decide(true, *condition, run, last_event);
    }
}

std::optional<Time> ExpectationState::next_time(const Expectation& expectation,
                                                const Moment& moment) const {
    if (held_) {
        return std::nullopt;
    }
    if (expectation.at) {
        return watch_.next_time(*expectation.at, moment);
    }
    if (expectation.by) {
        const Time at = moment.origin + expectation.by->value;
        return at > moment.world.time() ? std::optional<Time>(at) : std::nullopt;
    }
    return std::nullopt;
}

void ExpectationState::close(const Expectation& expectation,
                             const RunView& run,
                             sim::EventId last_event) {
    const Expression* condition = condition_of(expectation);
    if (held_ || condition == nullptr || expectation.judged == JudgedAt::kTrigger) {
        return;
    }
    const bool now = holds(*condition, run);
    decide(expectation.judged == JudgedAt::kNever ? !now : now, *condition, run, last_event);
}

void ExpectationState::close_violation(bool broken, sim::EventId last_event) {
    held_ = broken;
    value_ = Value(broken);
    event_ = last_event;
}

}  // namespace klab::scenario
