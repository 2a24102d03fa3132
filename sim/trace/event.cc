// SPDX-License-Identifier: Apache-2.0
//
// Look-ups in the event table.
#include "sim/trace/event.h"

#include "sim/base/assert.h"

namespace klab::sim {

const EventDef& EventTable::row(EventKind kind) const {
    KLAB_ASSERT(kind.value() < rows.size(), "event kind {} is not in the table", kind);
    return rows[kind.value()];
}

std::optional<EventKind> EventTable::find(std::string_view name) const {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!name.empty() && rows[i].name == name) {
            return EventKind(static_cast<std::uint16_t>(i));
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> EventTable::field_index(EventKind kind, std::string_view field) const {
    const std::vector<FieldDef>& fields = row(kind).fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].name == field) {
            return i;
        }
    }
    return std::nullopt;
}

}  // namespace klab::sim
