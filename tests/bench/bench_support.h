// SPDX-License-Identifier: Apache-2.0
//
// What the benchmarks share: aims beside figures, so that the printed table tells both.
#pragma once

#include <benchmark/benchmark.h>

namespace klab::bench {

/// Shows the aim of docs/performance.md next to what was measured.
inline void aim(benchmark::State& state, const char* name, double value) {
    state.counters[name] = benchmark::Counter(value);
}

}  // namespace klab::bench
