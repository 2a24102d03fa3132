// SPDX-License-Identifier: Apache-2.0
//
// How a test reaches into a node through the kernel: it calls into the node, and the node, on its
// turn and with a Context, does what the test wants.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "sim/base/assert.h"
#include "sim/kernel/world.h"

namespace klab::tests {

template <typename Node>
using NodeAction = std::function<void(Node&, sim::Context&)>;

/// "Do this now."
template <typename Node>
struct NodeCall {
    static constexpr std::uint16_t kApi = 2000;
    static constexpr bool kReply = false;
    std::shared_ptr<const NodeAction<Node>> action;

    [[nodiscard]] std::uint64_t wire_bytes() const { return 0; }

    friend bool operator==(const NodeCall&, const NodeCall&) = default;
};

/// For the model's step: does what a NodeCall asks for. Says whether it was one.
template <typename Node>
bool take_call(const sim::Input& input, Node& node, sim::Context& ctx) {
    const auto* call = std::get_if<sim::AppCall>(&input.body);
    if (call == nullptr || !call->call.is<NodeCall<Node>>()) {
        return false;
    }
    (*call->call.as<NodeCall<Node>>().action)(node, ctx);
    return true;
}

/// Runs the world until the node has done it. Requires: the node runs.
template <typename Model>
void run_on(sim::World<Model>& world, sim::NodeId id, NodeAction<typename Model::Node> action) {
    using Node = typename Model::Node;
    auto done = std::make_shared<bool>(false);
    NodeCall<Node> call;
    call.action = std::make_shared<const NodeAction<Node>>(
        [inner = std::move(action), done](Node& node, sim::Context& ctx) {
            inner(node, ctx);
            *done = true;
        });
    KLAB_ASSERT(world.kernel().call(id, sim::make_message(std::move(call))),
                "{} does not run",
                world.kernel().name(id));
    while (!*done && world.step()) {
    }
}

}  // namespace klab::tests
