// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/seed_sweep.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include "scenarios/run/scenario_run.h"
#include "sim/base/assert.h"

namespace klab::scenario {

namespace {

/// What the threads share.
struct Shared {
    std::mutex mutex;
    std::uint64_t next_seed = 0;
    bool exhausted = false;
    bool out_of_memory = false;
    std::set<std::string> hashes;
    SweepSummary summary;
};

std::optional<std::uint64_t> take_seed(const SweepOptions& options, Shared& shared) {
    const std::lock_guard<std::mutex> lock(shared.mutex);
    if (shared.exhausted || shared.summary.stopped) {
        return std::nullopt;
    }
    const std::uint64_t seed = shared.next_seed;
    shared.exhausted = seed == options.last_seed;
    ++shared.next_seed;
    return seed;
}

void run_one(const Scenario& scenario,
             std::uint64_t seed,
             const SweepOptions& options,
             Shared& shared) {
    auto changed = std::make_shared<Scenario>(scenario);
    changed->seed = seed;
    std::optional<RunResult> result;
    std::string bug;
    try {
        RunOptions run_options;
        run_options.cancelled = options.cancelled;
        result = run_scenario(changed, run_options, options.name, options.variant);
    } catch (const AssertionFailure& failure) {
        bug = failure.what();
    } catch (const std::bad_alloc&) {
        const std::lock_guard<std::mutex> lock(shared.mutex);
        shared.summary.stopped = true;
        shared.out_of_memory = true;
        return;
    }
    const std::lock_guard<std::mutex> lock(shared.mutex);
    SweepSummary& summary = shared.summary;
    if (options.cancelled && options.cancelled()) {
        summary.stopped = true;
        return;
    }
    ++summary.runs;
    if (!result) {
        summary.crashes.push_back({seed, std::move(bug)});
    } else {
        shared.hashes.insert(result->trace_hash);
        if (result->verdict == Verdict::kPass) {
            ++summary.passed;
        } else {
            summary.not_passed.push_back(std::move(*result));
        }
    }
    if (options.progress && !options.progress(summary.runs)) {
        summary.stopped = true;
    }
}

}  // namespace

SweepSummary sweep(const Scenario& scenario, const SweepOptions& options) {
    KLAB_ASSERT(options.first_seed <= options.last_seed, "an empty range of seeds");
    Shared shared;
    shared.next_seed = options.first_seed;
    const auto work = [&] {
        while (const std::optional<std::uint64_t> seed = take_seed(options, shared)) {
            run_one(scenario, *seed, options, shared);
        }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t i = 1; i < options.threads; ++i) {
        threads.emplace_back(work);
    }
    work();
    for (std::thread& thread : threads) {
        thread.join();
    }
    if (shared.out_of_memory) {
        throw std::bad_alloc();
    }
    SweepSummary& summary = shared.summary;
    summary.distinct_hashes = shared.hashes.size();
    std::sort(summary.not_passed.begin(),
              summary.not_passed.end(),
              [](const RunResult& a, const RunResult& b) { return a.seed < b.seed; });
    std::sort(summary.crashes.begin(),
              summary.crashes.end(),
              [](const SweepCrash& a, const SweepCrash& b) { return a.seed < b.seed; });
    return std::move(summary);
}

}  // namespace klab::scenario
