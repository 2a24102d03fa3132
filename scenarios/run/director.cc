// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/director.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/protocol/app_call.h"
#include "scenarios/run/world_run_view.h"

namespace klab::scenario {

Director::Director(std::shared_ptr<const Scenario> scenario,
                   const types::ModelData& data,
                   sim::NodeId operator_node,
                   bool keep_recording,
                   bool check_full)
    : scenario_(std::move(scenario)),
      operator_(operator_node),
      keep_recording_(keep_recording),
      check_full_(check_full),
      checker_(data) {
    const sim::EventTable& table = *world::event_table();
    steps_.resize(scenario_->timeline.size());
    expectations_.resize(scenario_->expect.size());
    for (const Expectation& expectation : scenario_->expect) {
        if (const auto* that = std::get_if<At<Expression>>(&expectation.condition)) {
            meters_.watch(that->value, table);
        }
    }
    for (const Question& question : scenario_->questions) {
        if (const auto* from_run = std::get_if<At<Expression>>(&question.answer)) {
            meters_.watch(from_run->value, table);
        }
    }
    own_kinds_ = find_own_kinds();
}

sim::KindSet Director::find_own_kinds() const {
    const sim::EventTable& table = *world::event_table();
    sim::KindSet kinds;
    ClientCounts::want(kinds);
    meters_.want(kinds);
    for (const Step& step : scenario_->timeline) {
        TriggerWatch::want(step.when, table, kinds);
    }
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
        expectations_[i].want(scenario_->expect[i], table, kinds);
    }
    return kinds;
}

sim::KindSet Director::wanted() const {
    sim::KindSet kinds = own_kinds_;
    kinds.add(checker_.wanted());
    if (keep_recording_) {
        // Details carry no id and are outside the hash: pictures that need them look into the
        // world.
        const std::vector<sim::EventDef>& rows = world::event_table()->rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].level != sim::EventLevel::kDetail) {
                kinds.add(sim::EventKind(static_cast<std::uint16_t>(i)));
            }
        }
    }
    return kinds;
}

Moment Director::moment(const world::KafkaWorld& world, std::span<const sim::Event> events) const {
    return Moment{world, events, counts_, firings_, origin_};
}

void Director::observe(world::KafkaWorld& world, std::span<const sim::Event> events) {
    if (keep_recording_) {
        for (const sim::Event& event : events) {
            recording_.add(event);
        }
    }
    checker_.observe(world, events);
    if (!playing_ || finished()) {
        return;
    }
    bool concerned = false;
    for (const sim::Event& event : events) {
        counts_.add(event);
        meters_.add(event, world.kernel());
        concerned = concerned || own_kinds_.contains(event.kind);
    }
    if (concerned) {
        judge(world, events);
    }
}

void Director::begin(world::KafkaWorld& world) {
    playing_ = true;
    origin_ = world.time();
    for (const types::ClientSpec& client : world.data().cluster.clients) {
        if (client.kind != types::ClientSpec::Kind::kAdmin) {
            world.kernel().call(client.node, sim::make_message(protocol::StartClient{}));
        }
    }
    judge(world, {});
}

void Director::on_time(world::KafkaWorld& world) {
    if (playing_ && !finished()) {
        judge(world, {});
    }
}

void Director::give_up(std::string why) {
    reason_ = EndReason::kNoStart;
    why_ = std::move(why);
}

void Director::stop(std::string why) {
    reason_ = EndReason::kStopped;
    why_ = std::move(why);
}

void Director::judge(world::KafkaWorld& world, std::span<const sim::Event> events) {
    std::span<const sim::Event> fresh = events;
    bool fired = true;
    while (fired && !finished()) {
        const WorldRunView view(world, *this);
        const sim::EventId last(world.kernel().events_emitted());
        for (std::size_t i = 0; i < expectations_.size(); ++i) {
            expectations_[i].look(scenario_->expect[i], moment(world, fresh), view, last);
        }
        fired = fire_due_steps(world, fresh);
        fresh = {};  // counts must see each event once
    }
    if (!finished()) {
        check_deadlines(world);
    }
}

bool Director::fire_due_steps(world::KafkaWorld& world, std::span<const sim::Event> events) {
    std::vector<std::size_t> due;  // all are judged before the first acts
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = scenario_->timeline[i];
        StepState& state = steps_[i];
        if (state.fired < step.repeat && state.watch.look(step.when, moment(world, events))) {
            due.push_back(i);
        }
    }
    for (const std::size_t index : due) {
        if (!finished()) {
            fire(index, world);
        }
    }
    return !due.empty();
}

void Director::fire(std::size_t index, world::KafkaWorld& world) {
    const Step& step = scenario_->timeline[index];
    StepState& state = steps_[index];
    const std::string name = step_name(step, index);
    ++state.fired;
    if (!state.first_fired) {
        state.first_fired = world.time();
    }
    if (step.id) {
        Firing& firing = firings_[step.id->value];
        if (firing.times == 0) {
            firing.first = world.time();
            firing.counts_at_first = counts_;
        }
        firing.last = world.time();
        ++firing.times;
    }
    std::string words;
    for (const Action& action : step.actions) {
        if (action.verb.value != "say") {
            words += words.empty() ? "" : "; ";
            words += describe(action, world);
        }
    }
    const std::optional<sim::Event>& matched = state.watch.matched();
    std::vector<sim::EventId> causes;
    if (matched) {
        causes.push_back(matched->id);
    }
    const sim::EventId mark = world.kernel().mark("step", name, words, causes);
    ActionContext context{world, matched, mark, operator_, name};
    world.kernel().set_fault_cause(mark);
    perform_actions(step, name, context);
    world.kernel().set_fault_cause(std::nullopt);
    if (state.fired < step.repeat) {
        state.watch.rearm(step.when, moment(world, {}));
    }
}

void Director::perform_actions(const Step& step, const std::string& name, ActionContext& context) {
    for (const Action& action : step.actions) {
        if (const auto* other = std::get_if<OtherAction>(&action.act)) {
            if (const auto* say = std::get_if<Say>(other)) {
                const sim::EventId cause = *context.cause;
                context.world.kernel().mark("say", name, say->text, std::span(&cause, 1));
                continue;
            }
        }
        const ActionOutcome outcome = perform(action, context);
        if (outcome.error) {
            reason_ = EndReason::kActionFailed;
            why_ = fmt::format("step {} failed at {}: {}",
                               name,
                               seconds_text(context.world.time() - origin_),
                               *outcome.error);
            return;
        }
        if (outcome.ends_run) {
            reason_ = EndReason::kEndAction;
        }
    }
}

/// `within` counts from the firing of the previous step of the file, from time 0 for the first.
std::optional<Time> Director::deadline_of_step(std::size_t index) const {
    const Step& step = scenario_->timeline[index];
    if (!step.within || steps_[index].first_fired) {
        return std::nullopt;
    }
    if (index == 0) {
        return origin_ + step.within->value;
    }
    const std::optional<Time> previous = steps_[index - 1].first_fired;
    return previous ? std::optional<Time>(*previous + step.within->value) : std::nullopt;
}

void Director::check_deadlines(const world::KafkaWorld& world) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const std::optional<Time> deadline = deadline_of_step(i);
        if (!deadline || world.time() < *deadline) {
            continue;
        }
        const Step& step = scenario_->timeline[i];
        const std::string nearest = steps_[i].watch.nearest(step.when);
        reason_ = EndReason::kNeverFired;
        why_ = fmt::format("step {} never fired within {}{}{}",
                           step_name(step, i),
                           to_text(step.within->value),
                           nearest.empty() ? "" : "; the nearest: ",
                           nearest);
        return;
    }
    if (world.time() - origin_ >= scenario_->limit.value) {
        reason_ = EndReason::kLimit;
        why_ = fmt::format("the time limit of {} was reached", to_text(scenario_->limit.value));
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (!steps_[i].first_fired) {
                const Step& step = scenario_->timeline[i];
                const std::string nearest = steps_[i].watch.nearest(step.when);
                why_ += fmt::format("; step {} never fired{}{}",
                                    step_name(step, i),
                                    nearest.empty() ? "" : ", the nearest: ",
                                    nearest);
                break;
            }
        }
    }
}

Time Director::next_deadline(const world::KafkaWorld& world) const {
    Time next = origin_ + scenario_->limit.value;
    const auto consider = [&](std::optional<Time> at) {
        if (at && *at > world.time() && *at < next) {
            next = *at;
        }
    };
    const Moment now = moment(world, {});
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = scenario_->timeline[i];
        if (steps_[i].fired < step.repeat) {
            consider(steps_[i].watch.next_time(step.when, now));
        }
        consider(deadline_of_step(i));
    }
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
        consider(expectations_[i].next_time(scenario_->expect[i], now));
    }
    return next;
}

std::vector<check::Violation> Director::unexpected_violations() const {
    std::vector<std::string> expected;
    for (const Expectation& expectation : scenario_->expect) {
        if (std::holds_alternative<Violates>(expectation.condition)) {
            expected.push_back(expectation.text);
        }
    }
    return checker_.unexpected(expected);
}

bool Director::expects(check::CheckId broken) const {
    return std::ranges::any_of(scenario_->expect, [&](const Expectation& expectation) {
        const auto id = check::find_check(expectation.text);
        return std::holds_alternative<Violates>(expectation.condition) && id &&
               check::covers(*id, broken);
    });
}

void Director::close(const world::KafkaWorld& world) {
    checker_.finish(world);
    closed_ = true;
    if (check_full_) {
        checker_.check_full(world);
    }
    const WorldRunView view(world, *this);
    const sim::EventId last(world.kernel().events_emitted());
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
        const Expectation& expectation = scenario_->expect[i];
        if (std::holds_alternative<Violates>(expectation.condition)) {
            const auto id = check::find_check(expectation.text);
            expectations_[i].close_violation(id && checker_.is_broken(*id), last);
        } else {
            expectations_[i].close(expectation, view, last);
        }
    }
}

}  // namespace klab::scenario
