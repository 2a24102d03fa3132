// SPDX-License-Identifier: Apache-2.0
//
// The toy model of the kernel's tests, and the shortest tutorial of the kernel: a counter
// replicated by a naive leader. Node 0 leads; the others follow. The application calls the leader
// to add one; the leader writes the new value to its disk and sends it to every follower, which
// writes it too and confirms. There is no election and no retry, so faults have plain consequences.
//
// Read it top to bottom: messages, a node's state, make_node, step.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/base/overloaded.h"
#include "sim/kernel/world.h"
#include "sim/trace/kernel_events.h"

namespace klab::toy {

// 1. Messages: plain values with an api number, a direction and a size.
struct Add {
    static constexpr std::uint16_t kApi = 1000;
    static constexpr bool kReply = false;

    [[nodiscard]] std::uint64_t wire_bytes() const { return 0; }

    friend bool operator==(const Add&, const Add&) = default;
};

struct Copy {
    static constexpr std::uint16_t kApi = 1;
    static constexpr bool kReply = false;
    std::int64_t value = 0;

    [[nodiscard]] std::uint64_t wire_bytes() const { return 100; }

    friend bool operator==(const Copy&, const Copy&) = default;
};

struct Copied {
    static constexpr std::uint16_t kApi = 1;
    static constexpr bool kReply = true;
    std::int64_t value = 0;

    [[nodiscard]] std::uint64_t wire_bytes() const { return 20; }

    friend bool operator==(const Copied&, const Copied&) = default;
};

// 2. The model's own event kinds, appended to the kernel's.
inline constexpr sim::EventKind kValueWritten{sim::kFirstModelEventKind};
inline constexpr sim::EventKind kValueConfirmed{sim::kFirstModelEventKind + 1};

inline std::string_view api_name(std::int64_t api) { return api == 1 ? "Copy" : "Add"; }

inline std::string_view timer_name(std::int64_t) { return "beat"; }

inline std::shared_ptr<const sim::EventTable> events() {
    sim::EventTable table;
    table.rows = sim::events::kernel_rows(&api_name, &timer_name);
    table.rows.push_back({"value.written",
                          sim::EventLevel::kTransition,
                          "A node wrote a value to its disk.",
                          "{node} writes {value}",
                          {{"value", sim::FieldType::kInteger, "the counter"}}});
    table.rows.push_back({"value.confirmed",
                          sim::EventLevel::kTransition,
                          "The leader knows that a follower has a value.",
                          "{node} knows that a follower has {value}",
                          {{"value", sim::FieldType::kInteger, "the counter"}}});
    return std::make_shared<const sim::EventTable>(std::move(table));
}

// 3. Constant data of a run, and the state of a node: regular values.
struct Data {
    std::uint32_t nodes = 3;

    friend bool operator==(const Data&, const Data&) = default;
};

struct Node {
    bool leader = false;
    std::uint32_t others = 0;  ///< followers are nodes 1..others
    std::int64_t value = 0;
    std::int64_t confirmations = 0;
    std::int64_t beats = 0;
    std::int64_t refused = 0;                  ///< steps in which the disk refused a call
    std::vector<sim::ConnectionId> followers;  ///< open connections of the leader

    friend bool operator==(const Node&, const Node&) = default;
};

struct Model {
    using Node = toy::Node;
    using Data = toy::Data;

    static Node make_node(const Data& data, sim::NodeId id) {
        Node node;
        node.leader = id.value() == 0;
        node.others = data.nodes - 1;
        return node;
    }

    // 4. The step: a function of the node's state and one input. All effects go through `ctx`.
    static void step(Node& node, const sim::Input& input, sim::Context& ctx) {
        std::visit(
            overloaded{
                [&](const sim::Booted&) { boot(node, ctx); },
                [&](const sim::Connected& in) {
                    if (!in.incoming) {
                        node.followers.push_back(in.connection);
                    }
                },
                [&](const sim::Delivered& in) { deliver(node, in, ctx); },
                [&](const sim::Disconnected& in) { std::erase(node.followers, in.connection); },
                [&](const sim::TimerFired&) {
                    ++node.beats;
                    ctx.set_timer({1, 0, 0}, seconds(1));
                },
                [&](const sim::Resumed&) {},
                [&](const sim::AppCall&) { add(node, ctx); },
            },
            input.body);
        node.refused += ctx.disk_failure() != nullptr ? 1 : 0;
    }

    static void boot(Node& node, sim::Context& ctx) {
        node.value = read_value(ctx);
        ctx.set_timer({1, 0, 0}, seconds(1));
        if (node.leader) {
            for (std::uint32_t i = 1; i <= node.others; ++i) {
                static_cast<void>(ctx.connect(sim::NodeId(i), sim::Lane(0), 7));
            }
        }
    }

    static void add(Node& node, sim::Context& ctx) {
        ++node.value;
        write_value(node.value, ctx);
        for (const sim::ConnectionId follower : node.followers) {
            ctx.send(follower, sim::make_message(Copy{node.value}), 0);
        }
    }

    static void deliver(Node& node, const sim::Delivered& in, sim::Context& ctx) {
        if (in.message.is<Copy>()) {
            node.value = in.message.as<Copy>().value;
            write_value(node.value, ctx);
            ctx.send(in.connection, sim::make_message(Copied{node.value}), in.correlation);
        } else {
            ++node.confirmations;
            ctx.emit(kValueConfirmed, {in.message.as<Copied>().value});
        }
    }

    // The disk holds one byte a value, so that torn and lost writes show.
    // A broken disk keeps the old value; the toy goes on as if nothing had happened.
    static void write_value(std::int64_t value, sim::Context& ctx) {
        const sim::DiskResult<sim::FileId> file = ctx.disk().create("/counter");
        const auto byte = static_cast<std::uint8_t>(value);
        if (file && ctx.disk().append(*file, {&byte, 1})) {
            ctx.emit(kValueWritten, {value});
        }
    }

    static std::int64_t read_value(sim::Context& ctx) {
        const sim::DiskResult<sim::FileId> file = ctx.disk().open("/counter");
        if (!file) {
            return 0;
        }
        const sim::DiskResult<std::uint64_t> size = ctx.disk().size(*file);
        return static_cast<std::int64_t>(*size);
    }
};

using World = sim::World<Model>;
static_assert(std::copyable<World> && std::equality_comparable<World>);

inline constexpr sim::NodeId kLeader{0};
inline constexpr sim::NodeId kFollower{1};

/// A world of `nodes` nodes, all booted and connected (run to 100 ms).
inline World make_world(std::uint64_t seed, std::uint32_t nodes = 3, std::uint16_t lanes = 1) {
    sim::KernelSpec spec;
    spec.seed = seed;
    spec.events = events();
    for (std::uint32_t i = 0; i < nodes; ++i) {
        spec.nodes.push_back({"n" + std::to_string(i), lanes, {}});
    }
    World world(spec, std::make_shared<const Data>(Data{nodes}));
    for (std::uint32_t i = nodes; i-- > 0;) {
        world.boot(sim::NodeId(i));
    }
    world.run_until(Time{} + milliseconds(100));
    return world;
}

/// The application adds one and the world runs for `length`.
inline void add_and_run(World& world, Duration length) {
    world.kernel().call(kLeader, sim::make_message(Add{}));
    world.run_until(world.time() + length);
}

/// Events of one kind since the last call; all others are dropped.
inline std::vector<sim::Event> events_of(World& world, sim::EventKind kind) {
    std::vector<sim::Event> fresh;
    world.kernel().take_events(fresh);
    std::erase_if(fresh, [&](const sim::Event& event) { return event.kind != kind; });
    return fresh;
}

}  // namespace klab::toy
