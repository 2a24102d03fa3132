// SPDX-License-Identifier: Apache-2.0
//
// Sweep: one scenario under many seeds, on several threads. Each seed is a run of its own, so the
// number of threads changes nothing but the time.
//
// Called by: `klab sweep`, tests.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/run/run_result.h"
#include "scenarios/run/scenario_ast.h"

namespace klab::scenario {

struct SweepOptions {
    std::uint64_t first_seed = 1;
    std::uint64_t last_seed = 1;  ///< included
    std::uint32_t threads = 1;
    std::string name;     ///< of the scenario, passed on
    std::string variant;  ///< passed on
    /// Called after each run with how many are done, never from two threads at once. True goes on.
    std::function<bool(std::uint64_t done)> progress;
    /// Asked now and then inside a run, from any thread: shall the sweep end? Runs that have not
    /// ended do not count.
    std::function<bool()> cancelled;
};

/// A run that ended in a bug of klab instead of a result.
struct SweepCrash {
    std::uint64_t seed = 0;
    std::string what;

    friend bool operator==(const SweepCrash&, const SweepCrash&) = default;
};

struct SweepSummary {
    std::uint64_t runs = 0;
    std::uint64_t passed = 0;
    std::uint64_t distinct_hashes = 0;
    std::vector<RunResult> not_passed;  ///< failed or undecided, by seed
    std::vector<SweepCrash> crashes;    ///< by seed
    bool stopped = false;               ///< `progress` or `cancelled` said so
};

/// Requires: the scenario passed its checks; first_seed <= last_seed.
[[nodiscard]] SweepSummary sweep(const Scenario& scenario, const SweepOptions& options);

}  // namespace klab::scenario
