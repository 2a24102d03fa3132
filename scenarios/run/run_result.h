// SPDX-License-Identifier: Apache-2.0
//
// What a run of a scenario gives: verdict, expectations, violations, anomalies, figures. The JSON
// form is stable under "klab_result": 1 (fields are only added).
//
// Built by: scenario_run. Read by: the command line, sweep, lessons.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/run/expression_eval.h"
#include "sim/base/time.h"

namespace klab::scenario {

enum class Verdict : std::uint8_t {
    kPass,      ///< every expectation held, nothing unexpected broke
    kFail,      ///< an expectation or an invariant failed
    kUndecided  ///< the time limit came before the end, or a step never fired
};

/// "pass", "fail", "undecided".
[[nodiscard]] std::string_view name_of(Verdict verdict);

/// Exit code of the program: 0, 1, 3.
[[nodiscard]] std::int32_t exit_code(Verdict verdict);

struct ExpectationResult {
    std::string that;                    ///< the condition as written, or "violates ACK"
    std::optional<bool> held;            ///< nothing: its moment never came
    Value value;                         ///< of the left side, when it was decided
    std::optional<std::uint64_t> event;  ///< the newest event then
    std::string why;

    friend bool operator==(const ExpectationResult&, const ExpectationResult&) = default;
};

struct ViolationResult {
    std::string invariant;
    std::string statement;
    bool allowed = false;   ///< the settings or faults of the run allow it
    bool expected = false;  ///< the file says that it breaks
    std::optional<std::uint64_t> event;
    Duration time;  ///< since the scenario's time 0
    std::string node;
    std::string detail;
    std::uint64_t repeats = 0;

    friend bool operator==(const ViolationResult&, const ViolationResult&) = default;
};

/// What clients would call wrong: lost-acked, duplicate, reordered, vanished, read-above-hw.
struct AnomalyResult {
    std::string kind;
    std::string detail;

    friend bool operator==(const AnomalyResult&, const AnomalyResult&) = default;
};

struct StepResult {
    std::string name;
    std::optional<Duration> fired_at;  ///< the first time
    std::int64_t times = 0;

    friend bool operator==(const StepResult&, const StepResult&) = default;
};

struct RunResult {
    std::string scenario;  ///< the path as given
    std::string title;
    std::string variant;  ///< "" for the file itself
    std::uint64_t seed = 0;
    Verdict verdict = Verdict::kUndecided;
    std::string why;  ///< of an undecided run, or of a step that failed: one sentence
    Duration virtual_time;
    std::uint64_t events = 0;
    std::string trace_hash;  ///< 32 hex digits
    std::vector<ExpectationResult> expect;
    std::vector<ViolationResult> violations;
    std::vector<AnomalyResult> anomalies;
    std::vector<StepResult> steps;
    std::map<std::string, Value> answers;  ///< of questions that need no other run, by id
    std::map<std::string, std::int64_t> stats;
    std::vector<std::string> notes;  ///< what whoever reads the result should know
    std::int64_t wall_time_ns = 0;

    friend bool operator==(const RunResult&, const RunResult&) = default;
};

/// One object with a final line end.
[[nodiscard]] std::string to_json(const RunResult& result);

}  // namespace klab::scenario
