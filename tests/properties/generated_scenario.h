// SPDX-License-Identifier: Apache-2.0
//
// Generated scenarios: a cluster, a workload and a plan of faults as plain data, and the scenario
// text of format 1 that plays it. Properties draw plans; a plan that breaks something is shrunk and
// written as a file that `klab run` plays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/run/run_result.h"

namespace klab::tests {

enum class PlannedFault : std::uint8_t { kCrash, kPowerOff, kPause, kCutOff, kRestart };

inline constexpr int kPlannedFaults = 5;

struct PlanStep {
    PlannedFault fault = PlannedFault::kCrash;
    int broker = 1;
    int delay_ms = 100;      ///< after every ISR is full again
    int duration_ms = 2000;  ///< until the broker is started, woken or connected again

    friend bool operator==(const PlanStep&, const PlanStep&) = default;
};

struct Plan {
    std::uint64_t seed = 1;
    int brokers = 3;
    int replicas = 3;
    int min_isr = 2;
    int partitions = 1;
    std::string acks = "all";
    bool idempotence = true;
    bool unclean = false;
    std::string mutant;
    int records = 40;
    int every_ms = 50;
    /// Faults wait until every ISR is full. Without it they follow each other by time alone, and
    /// overlap.
    bool safe_profile = true;
    std::vector<PlanStep> steps;

    friend bool operator==(const Plan&, const Plan&) = default;
};

/// The scenario text. `expect`: expectations as JSON array elements, one each.
[[nodiscard]] std::string to_scenario(const Plan& plan, const std::vector<std::string>& expect);

/// Expectations of a run in which nothing may be lost, repeated or reordered.
[[nodiscard]] std::vector<std::string> safe_expectations(const Plan& plan);

/// Loads and plays a scenario text. Requires: it is valid (a generated one always is).
[[nodiscard]] scenario::RunResult play(const std::string& text);

/// Drops steps and records while `still_fails` holds; one more removal would end it.
template <typename F>
[[nodiscard]] Plan shrink_plan(Plan plan, F&& still_fails) {
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (std::size_t i = 0; i < plan.steps.size() && !smaller; ++i) {
            Plan without = plan;
            without.steps.erase(without.steps.begin() + static_cast<std::ptrdiff_t>(i));
            if (still_fails(without)) {
                plan = without;
                smaller = true;
            }
        }
        Plan fewer = plan;
        fewer.records = plan.records / 2;
        if (!smaller && fewer.records > 0 && still_fails(fewer)) {
            plan = fewer;
            smaller = true;
        }
    }
    return plan;
}

/// A plan of `steps` faults drawn from a number; the same number gives the same plan.
[[nodiscard]] Plan drawn_plan(std::uint64_t number, int steps);

}  // namespace klab::tests
