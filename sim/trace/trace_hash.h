// SPDX-License-Identifier: Apache-2.0
//
// The rolling 128-bit hash of a trace: each event is hashed together with the hash so far, so two
// runs have equal hashes exactly when all their events are equal (up to a 2^-128 accident).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/trace/event.h"

namespace klab::sim {

/// 128 bits; text() gives 32 hex digits, high half first.
struct TraceHash {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend bool operator==(const TraceHash&, const TraceHash&) = default;

    /// An event by its parts, so that one that nobody wants to see need not be made.
    void add(EventId id,
             Time time,
             std::optional<NodeId> node,
             EventKind kind,
             std::span<const std::int64_t> fields,
             std::span<const EventId> causes);

    void add(const Event& event) {
        add(event.id,
            event.time,
            event.node,
            event.kind,
            {event.fields.data(), event.field_count},
            {event.causes.data(), event.cause_count});
    }

    /// New interned content: the numbers in events stand for it.
    void add_content(std::string_view content);

    [[nodiscard]] std::string text() const;
};

}  // namespace klab::sim
