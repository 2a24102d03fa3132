// SPDX-License-Identifier: Apache-2.0
//
// What the benchmarks share: aims beside figures, so that the printed table tells both, and clocks
// for limits that are measured in the same run.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

#include <benchmark/benchmark.h>

namespace klab::bench {

/// Shows the aim of docs/performance.md next to what was measured.
inline void aim(benchmark::State& state, const char* name, double value) {
    state.counters[name] = benchmark::Counter(value);
}

/// Processor time of this thread: what other processes take is not in it.
[[nodiscard]] inline double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// Processor time that one call of `work` takes.
template <typename Work>
[[nodiscard]] double seconds_of(Work&& work) {
    const double begun = processor_seconds();
    work();
    return processor_seconds() - begun;
}

/// The least of several measurements of the same work.
class Fastest {
  public:
    void add(double seconds) { seconds_ = std::min(seconds_, seconds); }

    [[nodiscard]] double seconds() const { return seconds_; }

  private:
    double seconds_ = std::numeric_limits<double>::max();
};

}  // namespace klab::bench
