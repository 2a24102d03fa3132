// SPDX-License-Identifier: Apache-2.0
//
// Benchmarks of the kernel: the hold model (timers only) with 100 to 100,000 pending events beside
// the bare typed loop that it is measured against, ping-pong over connections, forks.
#include <cstdint>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>
#include <xxhash.h>

#include "sim/base/overloaded.h"
#include "sim/kernel/event_queue.h"
#include "sim/kernel/world.h"
#include "tests/bench/bench_support.h"
#include "tests/sim/toy_counter.h"

namespace klab::bench {
namespace {

constexpr sim::ChoiceSite kDelay{90, "bench.delay"};

// --- hold model: each event schedules one successor after a drawn delay

struct HoldModel {
    struct Node {
        std::int64_t fired = 0;
        std::int64_t timers = 0;

        friend bool operator==(const Node&, const Node&) = default;
    };

    struct Data {
        std::int64_t timers_per_node = 0;

        friend bool operator==(const Data&, const Data&) = default;
    };

    static Node make_node(const Data& data, sim::NodeId) { return {0, data.timers_per_node}; }

    static void step(Node& node, const sim::Input& input, sim::Context& ctx) {
        if (const auto* fired = std::get_if<sim::TimerFired>(&input.body)) {
            ++node.fired;
            ctx.set_timer(fired->key, ctx.spread(kDelay, microseconds(1), milliseconds(1)));
            return;
        }
        for (std::int64_t i = 0; i < node.timers; ++i) {
            const Duration delay = ctx.spread(kDelay, microseconds(1), milliseconds(1));
            ctx.set_timer({1, i, 0}, delay);
        }
    }
};

void hold_model(benchmark::State& state) {
    constexpr std::int64_t kNodes = 16;
    sim::KernelSpec spec;
    spec.seed = 1;
    spec.events = toy::events();
    for (std::int64_t i = 0; i < kNodes; ++i) {
        spec.nodes.push_back({"n" + std::to_string(i), 1, {}});
    }
    const HoldModel::Data data{state.range(0) / kNodes};
    sim::World<HoldModel> world(spec, std::make_shared<const HoldModel::Data>(data));
    for (std::uint32_t i = 0; i < kNodes; ++i) {
        world.boot(sim::NodeId(i));
    }
    for (auto _ : state) {
        world.step();
    }
    state.SetItemsProcessed(state.iterations());
    aim(state, "aim_M/s", 20);
}

BENCHMARK(hold_model)->Arg(96)->Arg(992)->Arg(9'984)->Arg(99'968);

/// The bare limit: queue, keyed draw and hash of an event, without nodes, lanes or timers.
void bare_typed_loop(benchmark::State& state) {
    sim::EventQueue queue;
    sim::Choices choices(1);
    sim::TraceHash hash;
    for (std::int64_t i = 0; i < state.range(0); ++i) {
        sim::Pending pending;
        pending.node = sim::NodeId(static_cast<std::uint32_t>(i % 16));
        queue.push(Time{i}, pending);
    }
    sim::Event event;
    event.field_count = 3;
    for (auto _ : state) {
        const sim::EventQueue::Popped popped = queue.pop();
        event.time = popped.time;
        event.node = popped.pending.node;
        event.id = event.id.next();
        hash.add(event);
        const Duration delay = choices.spread(
            kDelay, popped.pending.node.value(), -1, microseconds(1), milliseconds(1));
        queue.push(popped.time + delay, popped.pending);
    }
    benchmark::DoNotOptimize(hash);
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(bare_typed_loop)->Arg(992);

// --- ping-pong: pairs of nodes that answer each other for ever

struct PingPong {
    struct Node {
        std::uint32_t self = 0;
        std::int64_t received = 0;

        friend bool operator==(const Node&, const Node&) = default;
    };

    struct Data {
        friend bool operator==(const Data&, const Data&) = default;
    };

    static Node make_node(const Data&, sim::NodeId id) { return {id.value(), 0}; }

    static void step(Node& node, const sim::Input& input, sim::Context& ctx) {
        std::visit(overloaded{
                       [&](const sim::Booted&) {
                           if (node.self % 2 == 0) {
                               const auto peer = sim::NodeId(node.self + 1);
                               static_cast<void>(ctx.connect(peer, sim::Lane(0), 1));
                           }
                       },
                       [&](const sim::Connected& in) {
                           if (!in.incoming) {
                               ctx.send(in.connection, sim::make_message(toy::Copy{1}), 0);
                           }
                       },
                       [&](const sim::Delivered& in) {
                           ++node.received;
                           ctx.send(in.connection, in.message, 0);
                       },
                       [](const auto&) {},
                   },
                   input.body);
    }
};

void ping_pong(benchmark::State& state) {
    sim::KernelSpec spec;
    spec.seed = 1;
    spec.events = toy::events();
    for (std::int64_t i = 0; i < 2 * state.range(0); ++i) {
        spec.nodes.push_back({"n" + std::to_string(i), 1, {}});
    }
    sim::World<PingPong> world(spec, std::make_shared<const PingPong::Data>());
    for (std::uint32_t i = world.kernel().node_count(); i-- > 0;) {
        world.boot(sim::NodeId(i));
    }
    world.run_until(Time{} + milliseconds(20));
    const auto messages = [&] {
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < world.kernel().node_count(); ++i) {
            sum += world.node(sim::NodeId(i)).received;
        }
        return sum;
    };
    const std::int64_t before = messages();
    for (auto _ : state) {
        world.step();
    }
    state.SetItemsProcessed(messages() - before);
    aim(state, "aim_M/s", 4);
}

BENCHMARK(ping_pong)->Arg(1)->Arg(10)->Arg(100);

}  // namespace
}  // namespace klab::bench

BENCHMARK_MAIN();
