// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/event_match.h"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/time.h"

namespace klab::scenario {

namespace {

std::string node_text(std::int64_t node, const sim::Kernel& kernel) {
    return node < 0 ? std::string("none")
                    : kernel.name(sim::NodeId(static_cast<std::uint32_t>(node)));
}

std::string value_text(std::int64_t value, const sim::FieldDef& field, const sim::Kernel& kernel) {
    switch (field.type) {
        case sim::FieldType::kInteger:
        case sim::FieldType::kBytes:
            return fmt::format("{}", value);
        case sim::FieldType::kBoolean:
            return value != 0 ? "true" : "false";
        case sim::FieldType::kNode:
            return node_text(value, kernel);
        case sim::FieldType::kText:
            return value < 0 ? std::string("none") : kernel.interner().text_of(value);
        case sim::FieldType::kList:
            return fmt::format("[{}]", fmt::join(kernel.interner().list_of(value), ", "));
        case sim::FieldType::kNameIndex:
            return value < 0 ? std::string("none")
                             : fmt::format("{}-{}",
                                           kernel.interner().text_of(sim::unpack_name(value)),
                                           sim::unpack_index(value));
        case sim::FieldType::kDuration:
            return value < 0 ? std::string("none") : to_text(Duration{value});
        case sim::FieldType::kSymbol:
            return std::string(field.symbol_name(value));
    }
    return {};
}

/// "b2" -> "2".
std::string_view without_broker_letter(std::string_view name) {
    const bool broker = name.size() > 1 && name.front() == 'b' &&
                        name.find_first_not_of("0123456789", 1) == std::string_view::npos;
    return broker ? name.substr(1) : name;
}

}  // namespace

std::string field_text(const sim::Event& event, std::string_view field, const sim::Kernel& kernel) {
    const sim::EventTable& table = kernel.event_table();
    const std::optional<std::size_t> index = table.field_index(event.kind, field);
    if (index) {
        return value_text(event.fields[*index], table.row(event.kind).fields[*index], kernel);
    }
    if (field == "node" && event.node) {
        return kernel.name(*event.node);
    }
    return "none";
}

bool field_matches(const sim::Event& event,
                   std::string_view field,
                   std::string_view wanted,
                   const sim::Kernel& kernel) {
    const std::string text = field_text(event, field, kernel);
    if (text == wanted) {
        return true;
    }
    const sim::EventTable& table = kernel.event_table();
    const std::optional<std::size_t> index = table.field_index(event.kind, field);
    if (!index) {
        return false;
    }
    switch (table.row(event.kind).fields[*index].type) {
        case sim::FieldType::kBoolean:
            return wanted == fmt::format("{}", event.fields[*index]);
        case sim::FieldType::kInteger:
            return text == without_broker_letter(wanted) ||
                   (wanted == "none" && event.fields[*index] == sim::kAbsent);
        case sim::FieldType::kBytes:
        case sim::FieldType::kNode:
        case sim::FieldType::kText:
        case sim::FieldType::kList:
        case sim::FieldType::kNameIndex:
        case sim::FieldType::kDuration:
        case sim::FieldType::kSymbol:
            return false;
    }
    return false;
}

std::string message_end(const sim::Event& event, std::string_view end, const sim::Kernel& kernel) {
    const sim::EventTable& table = kernel.event_table();
    const bool has_field = table.field_index(event.kind, end).has_value();
    return field_text(event, has_field ? end : "node", kernel);
}

}  // namespace klab::scenario
