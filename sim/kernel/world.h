// SPDX-License-Identifier: Apache-2.0
//
// World<Model>: a kernel and the model's state of each node, together one regular value. Copying a
// world is a fork; two worlds that compare equal have the same future.
//
// A Model declares
//     using Node = ...;                    regular; the state of any node
//     using Data = ...;                    constant data of a run (rules, layout)
//     static Node make_node(const Data&, NodeId);
//     static void step(Node&, const Input&, Context&);
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/cow.h"
#include "sim/kernel/context.h"
#include "sim/kernel/kernel.h"

namespace klab::sim {

template <typename M>
concept ModelLike = std::regular<typename M::Node> && requires(typename M::Node& node,
                                                               const typename M::Data& data,
                                                               NodeId id,
                                                               const Input& input,
                                                               Context& context) {
    { M::make_node(data, id) } -> std::same_as<typename M::Node>;
    M::step(node, input, context);
};

template <ModelLike Model>
class World {
  public:
    using Node = typename Model::Node;
    using Data = typename Model::Data;

    /// Nodes are down until booted.
    World(const KernelSpec& spec, std::shared_ptr<const Data> data)
        : kernel_(spec), data_(std::move(data)) {
        for (std::uint32_t i = 0; i < spec.nodes.size(); ++i) {
            nodes_.write().push_back(Cow<Node>(Model::make_node(*data_, NodeId(i))));
        }
    }

    /// Serves one entry of the queue. False when nothing will ever happen again.
    bool step() {
        Kernel::Dispatch dispatch;
        switch (kernel_.next(dispatch)) {
            case Kernel::Turn::kEmpty:
                return false;
            case Kernel::Turn::kInternal:
                return true;
            case Kernel::Turn::kInput:
                break;
        }
        Context context(kernel_,
                        dispatch.node,
                        dispatch.input.lane,
                        dispatch.input.event,
                        static_cast<const void*>(data_.get()));
        Model::step(nodes_.write()[dispatch.node.value()].write(), dispatch.input, context);
        kernel_.finish_step(context);
        return true;
    }

    /// Steps until virtual time `until` (entries at `until` included); it is `until` then.
    void run_until(Time until) {
        while (kernel_.next_time() && *kernel_.next_time() <= until && step()) {
        }
        kernel_.advance_to(until);
    }

    /// Starts a process with fresh memory. Requires: it does not run.
    void boot(NodeId node) {
        nodes_.write()[node.value()] = Cow<Node>(Model::make_node(*data_, node));
        kernel_.boot(node);
    }

    /// State of a node; of a dead process what it held when it died.
    [[nodiscard]] const Node& node(NodeId id) const { return (*nodes_)[id.value()].read(); }

    [[nodiscard]] const Data& data() const { return *data_; }

    [[nodiscard]] Kernel& kernel() { return kernel_; }

    [[nodiscard]] const Kernel& kernel() const { return kernel_; }

    [[nodiscard]] Time time() const { return kernel_.time(); }

    friend bool operator==(const World& a, const World& b) {
        return a.kernel_ == b.kernel_ && a.nodes_ == b.nodes_ &&
               (a.data_ == b.data_ || *a.data_ == *b.data_);
    }

  private:
    Kernel kernel_;
    Cow<std::vector<Cow<Node>>> nodes_;
    std::shared_ptr<const Data> data_;
};

}  // namespace klab::sim
