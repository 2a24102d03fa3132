// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/scenario_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "model/kafka_world/prelude.h"
#include "scenarios/run/world_plan.h"
#include "scenarios/run/world_run_view.h"

namespace klab::scenario {

namespace {

constexpr std::uint32_t kMillion = 1'000'000;

ScenarioRun make_run(const WorldPlan& plan,
                     std::shared_ptr<const Scenario> scenario,
                     const RunOptions& options) {
    world::KafkaWorld world = world::make_world(plan.setup);
    world.kernel().choices().set_overrides(plan.overrides);
    return ScenarioRun(std::move(world),
                       Director(std::move(scenario),
                                plan.setup.data,
                                plan.operator_node,
                                options.keep_recording,
                                options.check_full));
}

void set_loss_everywhere(sim::Kernel& kernel, std::uint32_t millionths) {
    for (std::uint32_t from = 0; from < kernel.node_count(); ++from) {
        for (std::uint32_t to = 0; to < kernel.node_count(); ++to) {
            if (from != to) {
                kernel.set_loss(sim::NodeId(from), sim::NodeId(to), millionths, kMillion);
            }
        }
    }
}

bool has_end_action(const Scenario& scenario) {
    for (const Step& step : scenario.timeline) {
        for (const Action& action : step.actions) {
            if (action.verb.value == "end") {
                return true;
            }
        }
    }
    return false;
}

std::string condition_text(const Expectation& expectation) {
    const bool violates = std::holds_alternative<Violates>(expectation.condition);
    return violates ? "violates " + expectation.text : expectation.text;
}

void add_expectations(const Director& director, RunResult& result) {
    const Scenario& scenario = director.scenario();
    for (std::size_t i = 0; i < scenario.expect.size(); ++i) {
        const ExpectationState& state = director.expectations()[i];
        ExpectationResult row;
        row.that = condition_text(scenario.expect[i]);
        row.held = state.held();
        row.value = state.value();
        if (state.event()) {
            row.event = state.event()->value();
        }
        row.why = scenario.expect[i].why;
        result.expect.push_back(std::move(row));
    }
}

void add_steps(const Director& director, RunResult& result) {
    const Scenario& scenario = director.scenario();
    for (std::size_t i = 0; i < scenario.timeline.size(); ++i) {
        StepResult row;
        row.name = step_name(scenario.timeline[i], i);
        row.times = director.times_fired(i);
        if (const std::optional<Time> fired = director.first_fired(i)) {
            row.fired_at = *fired - director.origin();
        }
        result.steps.push_back(std::move(row));
    }
}

void add_findings(const world::KafkaWorld& world, const Director& director, RunResult& result) {
    const check::Checker& checker = director.checker();
    for (const check::Violation& violation : checker.violations()) {
        ViolationResult row;
        row.invariant = std::string(violation.id);
        row.statement = std::string(violation.statement);
        row.allowed = violation.allowed;
        row.expected = director.expects(violation.check);
        if (violation.event) {
            row.event = violation.event->value();
        }
        row.time = violation.time - director.origin();
        row.node = violation.node ? world.kernel().name(*violation.node) : "";
        row.detail = violation.why.empty()
                         ? violation.detail
                         : fmt::format("{} ({})", violation.detail, violation.why);
        row.repeats = violation.repeats;
        result.violations.push_back(std::move(row));
    }
    for (const check::Anomaly& anomaly : checker.anomalies()) {
        result.anomalies.push_back({std::string(check::name_of(anomaly.kind)),
                                    anomaly.why.empty()
                                        ? anomaly.detail
                                        : fmt::format("{} ({})", anomaly.detail, anomaly.why)});
    }
    for (const check::CheckInfo& row : check::all_checks()) {
        result.stats[fmt::format("checked.{}", row.id)] =
            static_cast<std::int64_t>(checker.how_often(row.check));
    }
}

void add_clients(const world::KafkaWorld& world, const Director& director, RunResult& result) {
    for (const ClientSpec& client : director.scenario().clients) {
        const std::string& name = client.name.value;
        const std::optional<sim::NodeId> node = world.kernel().find_node(name);
        if (!node) {
            continue;
        }
        const ClientTotals totals = director.counts().of(*node);
        if (client.role() == ClientRole::kProducer) {
            result.stats[name + ".sent"] = totals.sent;
            result.stats[name + ".acked"] = totals.acked;
            result.stats[name + ".failed"] = totals.failed;
        }
        if (client.role() == ClientRole::kConsumer) {
            result.stats[name + ".processed"] = totals.processed;
        }
    }
}

void add_answers(const WorldRunView& view, const Scenario& scenario, RunResult& result) {
    for (const Question& question : scenario.questions) {
        const auto* from_run = std::get_if<At<Expression>>(&question.answer);
        if (from_run != nullptr && !question.changes_file) {
            result.answers[question.id.value] = evaluate(from_run->value, view);
        }
    }
}

/// Did the timeline come to its end, as far as the file says what that is?
bool came_to_its_end(const Director& director) {
    switch (director.reason()) {
        case EndReason::kEndAction:
            return true;
        case EndReason::kLimit:
            return !has_end_action(director.scenario());
        case EndReason::kNotYet:
        case EndReason::kNeverFired:
        case EndReason::kActionFailed:
        case EndReason::kNoStart:
        case EndReason::kStopped:
            return false;
    }
    return false;
}

Verdict verdict_of(const Director& director, const RunResult& result) {
    if (!director.unexpected_violations().empty()) {
        return Verdict::kFail;  // an invariant broke: that is never undecided
    }
    const bool complete = came_to_its_end(director);
    bool open = !complete;
    for (std::size_t i = 0; i < result.expect.size(); ++i) {
        const std::optional<bool> held = result.expect[i].held;
        const bool decided = complete || director.expectations()[i].decided_early();
        if (held && !*held && decided) {
            return Verdict::kFail;
        }
        open = open || !held;
    }
    return open ? Verdict::kUndecided : Verdict::kPass;
}

std::string reason_text(const Director& director, const RunResult& result) {
    if (result.verdict != Verdict::kUndecided) {
        return came_to_its_end(director) ? std::string() : director.why();
    }
    if (!came_to_its_end(director)) {
        return director.why();
    }
    for (const ExpectationResult& row : result.expect) {
        if (!row.held) {
            return fmt::format("the moment at which \"{}\" is judged never came", row.that);
        }
    }
    return director.why();
}

}  // namespace

Play::Play(const std::shared_ptr<const Scenario>& scenario, const RunOptions& options)
    : Play(plan_world(*scenario), scenario, options) {}

Play::Play(const WorldPlan& plan,
           std::shared_ptr<const Scenario> scenario,
           const RunOptions& options)
    : run_(make_run(plan, std::move(scenario), options)),
      prelude_(plan.operator_node, plan.topics),
      loss_millionths_(plan.loss_millionths) {
    world::boot_all(run_.world());
    run_.deliver();
}

bool Play::step_prelude() {
    if (!run_.world().step()) {
        run_.director().give_up("nothing happens any more before the cluster is up");
        return false;
    }
    run_.deliver();
    const world::Prelude::State state = prelude_.advance(run_.world());
    if (state == world::Prelude::State::kTooLate) {
        run_.director().give_up("the cluster did not come up within two minutes");
        return false;
    }
    if (state == world::Prelude::State::kReady) {
        begun_ = true;
        if (loss_millionths_ > 0) {
            set_loss_everywhere(run_.world().kernel(), loss_millionths_);
        }
        run_.director().begin(run_.world());
    }
    run_.deliver();
    return !run_.director().finished();
}

bool Play::step() {
    if (run_.director().finished()) {
        return false;
    }
    if (!begun_) {
        return step_prelude();
    }
    const Time deadline = run_.director().next_deadline(run_.world());
    const std::optional<Time> next = run_.world().kernel().next_time();
    if (next && *next < deadline) {
        return run_.step();
    }
    run_.world().kernel().advance_to(deadline);
    run_.director().on_time(run_.world());
    run_.deliver();
    return !run_.director().finished();
}

std::optional<Time> Play::next_time() const {
    const std::optional<Time> next = world().kernel().next_time();
    if (!begun_) {
        return next;
    }
    const Time deadline = director().next_deadline(world());
    return next ? std::min(*next, deadline) : deadline;
}

void Play::finish() {
    while (step()) {
    }
    if (begun_) {
        run_.director().close(run_.world());
    }
}

void Play::stop(std::string why) {
    run_.director().stop(std::move(why));
    if (begun_) {
        run_.director().close(run_.world());
    }
}

/// An override that was never asked for has changed nothing, and nobody would notice.
void add_unused_overrides(const world::KafkaWorld& world, RunResult& result) {
    const sim::Choices& choices = world.kernel().choices();
    std::size_t unused = 0;
    for (const sim::ChoiceRecord& record : choices.overrides()) {
        unused += choices.has_come(record.key) ? 0U : 1U;
    }
    if (unused > 0) {
        result.notes.push_back(
            fmt::format("{} of {} overrides were never used: the run did not come "
                        "to those choices",
                        unused,
                        choices.overrides().size()));
    }
}

RunResult Play::result(const std::string& name, const std::string& variant) const {
    const Director& director = run_.director();
    RunResult out;
    out.scenario = name;
    out.title = director.scenario().title;
    out.variant = variant;
    out.seed = director.scenario().seed;
    out.virtual_time = begun_ ? time() : Duration{};
    out.events = world().kernel().events_emitted();
    out.trace_hash = world().kernel().trace_hash().text();
    out.stats["turns"] = static_cast<std::int64_t>(world().kernel().turns());
    add_expectations(director, out);
    add_steps(director, out);
    if (begun_) {
        add_clients(world(), director, out);
        add_findings(world(), director, out);
        add_answers(WorldRunView(world(), director), director.scenario(), out);
    }
    add_unused_overrides(world(), out);
    out.verdict = verdict_of(director, out);
    out.why = reason_text(director, out);
    return out;
}

RunResult run_scenario(const std::shared_ptr<const Scenario>& scenario,
                       const RunOptions& options,
                       const std::string& name,
                       const std::string& variant) {
    const auto begin = std::chrono::steady_clock::now();
    constexpr std::uint64_t kTurnsBetweenLooks = 4096;
    Play play(scenario, options);
    bool cancelled = false;
    for (std::uint64_t turn = 1; !cancelled && play.step(); ++turn) {
        cancelled = options.cancelled && turn % kTurnsBetweenLooks == 0 && options.cancelled();
    }
    if (cancelled) {
        play.stop("cancelled");
    } else {
        play.finish();
    }
    RunResult out = play.result(name, variant);
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    out.wall_time_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count();
    return out;
}

}  // namespace klab::scenario
