// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/run_result.h"

#include <nlohmann/json.hpp>

#include "sim/base/overloaded.h"

namespace klab::scenario {

namespace {

using Out = nlohmann::ordered_json;

Out value_json(const Value& value) {
    return std::visit(overloaded{
                          [](NoValue) { return Out(nullptr); },
                          [](std::int64_t integer) { return Out(integer); },
                          [](Duration duration) { return Out(klab::to_text(duration)); },
                          [](bool truth) { return Out(truth); },
                          [](const std::string& name) { return Out(name); },
                          [](const std::vector<std::string>& nodes) { return Out(nodes); },
                          [](const StepWindow& window) { return Out(to_text(Value(window))); },
                      },
                      value);
}

template <typename T>
Out optional_json(const std::optional<T>& value) {
    return value ? Out(*value) : Out(nullptr);
}

Out expectations_json(const RunResult& result) {
    Out out = Out::array();
    for (const ExpectationResult& row : result.expect) {
        out.push_back({{"that", row.that},
                       {"held", optional_json(row.held)},
                       {"value", value_json(row.value)},
                       {"event", optional_json(row.event)},
                       {"why", row.why}});
    }
    return out;
}

Out violations_json(const RunResult& result) {
    Out out = Out::array();
    for (const ViolationResult& row : result.violations) {
        out.push_back({{"invariant", row.invariant},
                       {"statement", row.statement},
                       {"allowed", row.allowed},
                       {"expected", row.expected},
                       {"event", optional_json(row.event)},
                       {"time_ns", row.time.ns},
                       {"node", row.node},
                       {"detail", row.detail},
                       {"repeats", row.repeats}});
    }
    return out;
}

Out steps_json(const RunResult& result) {
    Out out = Out::array();
    for (const StepResult& row : result.steps) {
        out.push_back({{"id", row.name},
                       {"fired_at_ns", row.fired_at ? Out(row.fired_at->ns) : Out(nullptr)},
                       {"times", row.times}});
    }
    return out;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::kPass:
            return "pass";
        case Verdict::kFail:
            return "fail";
        case Verdict::kUndecided:
            return "undecided";
    }
    return "undecided";
}

std::int32_t exit_code(Verdict verdict) {
    switch (verdict) {
        case Verdict::kPass:
            return 0;
        case Verdict::kFail:
            return 1;
        case Verdict::kUndecided:
            return 3;
    }
    return 3;
}

std::string to_json(const RunResult& result) {
    Out out;
    out["klab_result"] = 1;
    out["scenario"] = result.scenario;
    out["title"] = result.title;
    out["variant"] = result.variant;
    out["seed"] = result.seed;
    out["verdict"] = std::string(name_of(result.verdict));
    out["why"] = result.why;
    out["virtual_time_ns"] = result.virtual_time.ns;
    out["events"] = result.events;
    out["trace_hash"] = result.trace_hash;
    out["expect"] = expectations_json(result);
    out["violations"] = violations_json(result);
    Out anomalies = Out::array();
    for (const AnomalyResult& row : result.anomalies) {
        anomalies.push_back({{"kind", row.kind}, {"detail", row.detail}});
    }
    out["anomalies"] = anomalies;
    out["steps"] = steps_json(result);
    Out answers = Out::object();
    for (const auto& [id, value] : result.answers) {
        answers[id] = value_json(value);
    }
    out["answers"] = answers;
    Out stats = Out::object();
    for (const auto& [name, number] : result.stats) {
        stats[name] = number;
    }
    out["stats"] = stats;
    out["notes"] = result.notes;
    out["wall_time_ns"] = result.wall_time_ns;
    return out.dump(2) + "\n";
}

}  // namespace klab::scenario
