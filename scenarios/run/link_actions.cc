// SPDX-License-Identifier: Apache-2.0
//
// What steps do to links and to messages on them. A link without `from` or `to` means every node
// there.
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/types/api_key.h"
#include "scenarios/run/step_actions.h"

namespace klab::scenario {

namespace {

using Outcome = ActionOutcome;

/// Both ends; absent where the action names none.
struct Ends {
    std::optional<sim::NodeId> from;
    std::optional<sim::NodeId> to;
};

Result<Ends, std::string> ends_of(const LinkAction& act, const world::KafkaWorld& world) {
    Ends ends;
    if (act.from) {
        const Result<sim::NodeId, std::string> node = resolve(act.from->value, world);
        if (!node.ok()) {
            return Error{node.error()};
        }
        ends.from = *node;
    }
    if (act.to) {
        const Result<sim::NodeId, std::string> node = resolve(act.to->value, world);
        if (!node.ok()) {
            return Error{node.error()};
        }
        ends.to = *node;
    }
    return ends;
}

/// Calls f(from, to) for every way that the ends mean.
template <typename F>
void for_each_way(const Ends& ends, const sim::Kernel& kernel, F&& f) {
    for (std::uint32_t from = 0; from < kernel.node_count(); ++from) {
        if (ends.from && ends.from->value() != from) {
            continue;
        }
        for (std::uint32_t to = 0; to < kernel.node_count(); ++to) {
            if (from != to && (!ends.to || ends.to->value() == to)) {
                f(sim::NodeId(from), sim::NodeId(to));
            }
        }
    }
}

sim::FaultAction message_fault(LinkVerb verb) {
    switch (verb) {
        case LinkVerb::kDrop:
            return sim::FaultAction::kDrop;
        case LinkVerb::kDuplicate:
            return sim::FaultAction::kDuplicate;
        case LinkVerb::kHold:
            return sim::FaultAction::kHold;
        case LinkVerb::kReset:
            return sim::FaultAction::kReset;
        case LinkVerb::kDelay:
        case LinkVerb::kCut:
        case LinkVerb::kHeal:
        case LinkVerb::kRelease:
        case LinkVerb::kSlowLink:
            return sim::FaultAction::kDelay;
    }
    return sim::FaultAction::kDelay;
}

void arm(const LinkAction& act, const Ends& ends, sim::Kernel& kernel) {
    sim::MessageFault fault;
    fault.action = message_fault(act.verb);
    fault.from = ends.from;
    fault.to = ends.to;
    if (act.api) {
        if (const std::optional<types::ApiKey> api = types::find_api(act.api->value)) {
            fault.api = static_cast<std::uint16_t>(*api);
        }
        fault.reply = act.reply;
    } else if (act.reply) {
        fault.reply = true;
    }
    if (act.length) {
        fault.until = kernel.time() + act.length->value;
        fault.remaining = UINT64_MAX;
    }
    if (act.next) {
        fault.remaining = static_cast<std::uint64_t>(act.next->value);
    }
    if (act.by) {
        fault.by = act.by->value;
    }
    kernel.arm(fault);
}

void heal(const LinkAction& act, const Ends& ends, sim::Kernel& kernel) {
    if (act.all || (!ends.from && !ends.to)) {
        kernel.heal_all();
        return;
    }
    for_each_way(ends, kernel, [&](sim::NodeId from, sim::NodeId to) {
        kernel.heal(from, to);
        kernel.heal(to, from);
    });
}

}  // namespace

ActionOutcome perform_link(const LinkAction& act, ActionContext& context) {
    const Result<Ends, std::string> ends = ends_of(act, context.world);
    if (!ends.ok()) {
        return failed_action(ends.error());
    }
    sim::Kernel& kernel = context.world.kernel();
    switch (act.verb) {
        case LinkVerb::kCut:
            for_each_way(*ends, kernel, [&](sim::NodeId from, sim::NodeId to) {
                kernel.cut(from, to, act.length ? std::optional(act.length->value) : std::nullopt);
            });
            return {};
        case LinkVerb::kHeal:
            heal(act, *ends, kernel);
            return {};
        case LinkVerb::kRelease:
            kernel.release(ends->from, ends->to);
            return {};
        case LinkVerb::kSlowLink:
            for_each_way(*ends, kernel, [&](sim::NodeId from, sim::NodeId to) {
                const std::optional<Duration> length =
                    act.length ? std::optional<Duration>(act.length->value) : std::nullopt;
                kernel.slow_link(from, to, act.by ? act.by->value : Duration{}, length);
            });
            return {};
        case LinkVerb::kDrop:
        case LinkVerb::kDuplicate:
        case LinkVerb::kHold:
        case LinkVerb::kReset:
        case LinkVerb::kDelay:
            arm(act, *ends, kernel);
            return {};
    }
    return {};
}

ActionOutcome perform_split(const SplitNetwork& act, ActionContext& context) {
    std::vector<std::vector<sim::NodeId>> groups;
    for (const std::vector<At<Target>>& targets : act.groups) {
        std::vector<sim::NodeId>& group = groups.emplace_back();
        for (const At<Target>& target : targets) {
            const Result<sim::NodeId, std::string> node = resolve(target.value, context.world);
            if (!node.ok()) {
                return failed_action(node.error());
            }
            group.push_back(*node);
        }
    }
    sim::Kernel& kernel = context.world.kernel();
    for (const std::vector<sim::NodeId>& here : groups) {
        for (const std::vector<sim::NodeId>& there : groups) {
            for (const sim::NodeId from : here) {
                for (const sim::NodeId to : there) {
                    if (&here != &there && from != to) {
                        kernel.cut(from, to);
                    }
                }
            }
        }
    }
    return {};
}

}  // namespace klab::scenario
