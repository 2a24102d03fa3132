// SPDX-License-Identifier: Apache-2.0
//
// What steps do to disks: faults of a device, and damage to what lies on it.
#include <utility>

#include <fmt/format.h>

#include "scenarios/run/step_actions.h"

namespace klab::scenario {

namespace {

using Outcome = ActionOutcome;

std::optional<sim::DiskFaultKind> fault_of(const DiskAction& act) {
    switch (act.verb) {
        case DiskVerb::kSlow:
            return sim::DiskFaultKind::kSlow;
        case DiskVerb::kFull:
            return sim::DiskFaultKind::kFull;
        case DiskVerb::kReadOnly:
            return sim::DiskFaultKind::kReadOnly;
        case DiskVerb::kGone:
            return sim::DiskFaultKind::kGone;
        case DiskVerb::kError:
            return act.on == DiskAccessKind::kRead ? sim::DiskFaultKind::kReadError
                                                   : sim::DiskFaultKind::kWriteError;
        case DiskVerb::kBitRot:
        case DiskVerb::kLoseEntry:
            return std::nullopt;
    }
    return std::nullopt;
}

std::string path_of(const DiskAction& act) { return act.path ? act.path->value : std::string(); }

Outcome break_device(const DiskAction& act,
                     sim::DiskFaultKind kind,
                     sim::NodeId node,
                     sim::Kernel& kernel) {
    sim::DiskFault fault;
    fault.kind = kind;
    fault.path = path_of(act);
    if (act.next) {
        fault.remaining = static_cast<std::uint64_t>(act.next->value);
    }
    if (act.above) {
        fault.limit = static_cast<std::uint64_t>(act.above->value);
    }
    if (kind == sim::DiskFaultKind::kSlow) {
        fault.by = act.by ? act.by->value : Duration{};
        if (act.on) {
            fault.only =
                *act.on == DiskAccessKind::kRead ? sim::DiskUse::kRead : sim::DiskUse::kChange;
        }
    }
    const auto length =
        act.length ? std::optional<Duration>(act.length->value) : std::optional<Duration>();
    kernel.add_disk_fault(node, std::move(fault), length);
    return {};
}

Outcome lose_entry(const DiskAction& act, sim::NodeId node, sim::Kernel& kernel) {
    if (kernel.slot(node).process_alive()) {
        return failed_action(
            fmt::format("{} runs and holds its files open: crash or stop it before its "
                        "disk loses one",
                        kernel.name(node)));
    }
    if (!kernel.lose_entry(node, path_of(act))) {
        return failed_action(fmt::format("{} has no such file or directory", kernel.name(node)));
    }
    return {};
}

}  // namespace

ActionOutcome perform_disk(const DiskAction& act, ActionContext& context) {
    const Result<sim::NodeId, std::string> node = resolve(act.node.value, context.world);
    if (!node.ok()) {
        return failed_action(node.error());
    }
    sim::Kernel& kernel = context.world.kernel();
    if (const auto kind = fault_of(act)) {
        return break_device(act, *kind, *node, kernel);
    }
    if (act.verb == DiskVerb::kLoseEntry) {
        return lose_entry(act, *node, kernel);
    }
    const auto byte =
        act.byte ? std::optional(static_cast<std::uint64_t>(act.byte->value)) : std::nullopt;
    if (!kernel.rot_bit(*node, path_of(act), byte)) {
        return failed_action(fmt::format("{} has no bytes there to rot", kernel.name(*node)));
    }
    return {};
}

}  // namespace klab::scenario
