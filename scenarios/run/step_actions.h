// SPDX-License-Identifier: Apache-2.0
//
// Actions of a step, done to the world at this very instant. Targets are looked up when the step
// fires; the trace records both ("crash leader(t-0) -> b1").
//
// Called by: Director. Parts: link_actions.cc (what is done to links and messages),
// disk_actions.cc (to disks).
#pragma once

#include <optional>
#include <string>

#include "scenarios/run/moment.h"
#include "scenarios/run/timeline_ast.h"

namespace klab::scenario {

/// What an action needs besides itself.
struct ActionContext {
    world::KafkaWorld& world;
    std::optional<sim::Event> trigger;  ///< the event that fired the step, if it is of this instant
    std::optional<sim::EventId> cause;  ///< event that faults name as their cause
    sim::NodeId operator_node;          ///< carries out admin actions
    std::string step;                   ///< name of the step
};

/// What came of one action.
struct ActionOutcome {
    std::optional<std::string> error;  ///< a role that nobody holds, a node that cannot do this
    bool ends_run = false;

    friend bool operator==(const ActionOutcome&, const ActionOutcome&) = default;
};

/// An action that could not be done, and why.
[[nodiscard]] inline ActionOutcome failed_action(std::string why) {
    ActionOutcome out;
    out.error = std::move(why);
    return out;
}

/// Requires: the scenario passed its checks.
[[nodiscard]] ActionOutcome perform(const Action& action, ActionContext& context);

/// The part for links and messages.
[[nodiscard]] ActionOutcome perform_link(const LinkAction& act, ActionContext& context);
[[nodiscard]] ActionOutcome perform_split(const SplitNetwork& act, ActionContext& context);

/// The part for disks.
[[nodiscard]] ActionOutcome perform_disk(const DiskAction& act, ActionContext& context);

/// What the action says in the trace: "crash leader(t-0) -> b1".
[[nodiscard]] std::string describe(const Action& action, const world::KafkaWorld& world);

}  // namespace klab::scenario
