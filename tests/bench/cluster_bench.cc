// SPDX-License-Identifier: Apache-2.0
//
// Benchmarks of the whole model: a steady cluster of three brokers at 1,000 records/s without and
// with all invariants, an idle one, forks of a running world and the first write after one, and the
// memory that all this takes.
#include <optional>
#include <sys/resource.h>
#include <vector>

#include <benchmark/benchmark.h>

#include "model/check/checker.h"
#include "tests/bench/bench_support.h"
#include "tests/world/cluster_builder_fixture.h"

namespace klab::bench {
namespace {

tests::ClusterBuilder steady_cluster(Duration every) {
    types::SendPlan plan;
    plan.count = 1'000'000'000;
    plan.every = every;
    plan.partition = 0;
    tests::ClusterBuilder builder;
    builder.seed(1)
        .brokers(3)
        .topic("t", 1, 3, 2)
        .producer("p1", "t", plan, {{"acks", "all"}, {"linger.ms", "0"}})
        .consumer("c1", {{"t", 0}});
    return builder;
}

double peak_memory_mb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// Runs one virtual second an iteration. Items are turns of the queue (kernel events).
void run_steady(benchmark::State& state, Duration every, bool checked) {
    std::optional<check::Checker> checker;
    std::vector<sim::Event> events;
    const auto prepare = [&](world::KafkaWorld& world) {
        if (checked) {
            checker.emplace(world.data());
            world.kernel().subscribe(checker->wanted());
        }
    };
    const auto look = [&](world::KafkaWorld& world) {
        while (checker && world.kernel().has_events()) {
            world.kernel().take_events(events);
            checker->observe(world, events);
        }
    };
    world::KafkaWorld world = steady_cluster(every).start(prepare, look);
    tests::start_clients(world);
    const std::uint64_t turns = world.kernel().turns();
    const Time begun = world.time();
    for (auto _ : state) {
        const Time until = world.time() + seconds(1);
        while (world.kernel().next_time() && *world.kernel().next_time() <= until) {
            world.step();
            look(world);
        }
        world.kernel().advance_to(until);
    }
    const double simulated = static_cast<double>((world.time() - begun).ns) / 1e9;
    state.SetItemsProcessed(static_cast<std::int64_t>(world.kernel().turns() - turns));
    state.counters["x_real_time"] = benchmark::Counter(simulated, benchmark::Counter::kIsRate);
    state.counters["peak_MB"] = peak_memory_mb();
}

void steady_1000_records_per_second(benchmark::State& state) {
    run_steady(state, milliseconds(1), false);
    aim(state, "aim_M/s", 3);
}

BENCHMARK(steady_1000_records_per_second)->Unit(benchmark::kMillisecond);

void steady_with_all_invariants(benchmark::State& state) {
    run_steady(state, milliseconds(1), true);
    aim(state, "aim_M/s", 2);
    aim(state, "aim_x", 100);
}

BENCHMARK(steady_with_all_invariants)->Unit(benchmark::kMillisecond);

void idle_cluster(benchmark::State& state) {
    run_steady(state, seconds(1'000'000), false);
    aim(state, "aim_x", 10'000);
}

BENCHMARK(idle_cluster)->Unit(benchmark::kMillisecond);

world::KafkaWorld running_cluster() {
    world::KafkaWorld world = steady_cluster(milliseconds(1)).start();
    tests::start_clients(world);
    world.run_until(world.time() + seconds(2));
    return world;
}

void fork_running_cluster(benchmark::State& state) {
    const world::KafkaWorld world = running_cluster();
    for (auto _ : state) {
        world::KafkaWorld fork = world;
        benchmark::DoNotOptimize(fork);
    }
    aim(state, "aim_us", 5);
}

BENCHMARK(fork_running_cluster)->Unit(benchmark::kMicrosecond);

void fork_and_one_turn(benchmark::State& state) {
    const world::KafkaWorld world = running_cluster();
    for (auto _ : state) {
        world::KafkaWorld fork = world;
        fork.step();
        benchmark::DoNotOptimize(fork);
    }
    aim(state, "aim_us", 20);
}

BENCHMARK(fork_and_one_turn)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace klab::bench

BENCHMARK_MAIN();
