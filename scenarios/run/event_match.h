// SPDX-License-Identifier: Apache-2.0
//
// Does an event have these values of its fields? Values are the texts of a scenario file; an event
// holds numbers, whose meaning the event table tells (nodes, partitions, symbols, lists).
//
// Called by: trigger_watch (general triggers), event_counts (count(...)).
#pragma once

#include <string>
#include <string_view>

#include "sim/kernel/kernel.h"
#include "sim/trace/event.h"

namespace klab::scenario {

/// The value of a field as people write it: 3, true, b2, t-0, NOT_ENOUGH_REPLICAS, [1, 2], 20ms.
/// An absent value is "none". "node" is the node of the event, whatever its fields. Broker ids stay
/// numbers.
[[nodiscard]] std::string field_text(const sim::Event& event,
                                     std::string_view field,
                                     const sim::Kernel& kernel);

/// Equal texts; a broker id also matches the broker's name ("b2"), 1 and 0 also true and false.
[[nodiscard]] bool field_matches(const sim::Event& event,
                                 std::string_view field,
                                 std::string_view wanted,
                                 const sim::Kernel& kernel);

/// The node a message event comes from (or goes to): its field, or the node where it happened.
[[nodiscard]] std::string message_end(const sim::Event& event,
                                      std::string_view end,
                                      const sim::Kernel& kernel);

}  // namespace klab::scenario
