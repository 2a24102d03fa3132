// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/event_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "scenarios/cli/engine_tables.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

/// Integer fields that hold a broker id.
constexpr std::array<std::string_view, 5> kBrokerFields{
    "broker", "leader", "follower", "previous", "replica"};

bool is_broker_field(std::string_view name) {
    return std::find(kBrokerFields.begin(), kBrokerFields.end(), name) != kBrokerFields.end();
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// What differs between two events of one kind: "0..9", from the lower to the higher number.
std::string stretch(const std::string& before, const std::string& after) {
    if (before == after) {
        return before;
    }
    const bool falls =
        is_number(before) && is_number(after) &&
        (before.size() > after.size() || (before.size() == after.size() && before > after));
    return falls ? after + ".." + before : before + ".." + after;
}

std::string duration_text(std::int64_t value) {
    return value == sim::kAbsent ? "ever" : viz::to_short_text(Duration{value});
}

}  // namespace

EventText::EventText(const viz::PictureInput& run) : run_(run), table_(joined_events()) {
    for (const viz::PictureNode& node : run.nodes) {
        nodes_[node.node] = node.name;
        if (node.broker_id) {
            brokers_[*node.broker_id] = node.name;
        }
    }
}

const sim::EventDef& EventText::row(const sim::Event& event) const {
    return table_.row(event.kind);
}

std::optional<std::int64_t> EventText::number(const sim::Event& event,
                                              std::string_view field) const {
    const std::optional<std::size_t> index = table_.field_index(event.kind, field);
    return index ? std::optional<std::int64_t>(event.fields[*index]) : std::nullopt;
}

std::string EventText::name_index(std::int64_t packed) const {
    if (packed == sim::kAbsent) {
        return {};
    }
    return fmt::format(
        "{}-{}", run_.interner.text_of(sim::unpack_name(packed)), sim::unpack_index(packed));
}

std::string EventText::node(std::optional<sim::NodeId> node) const {
    if (!node) {
        return {};
    }
    const auto found = nodes_.find(*node);
    return found == nodes_.end() ? fmt::format("node {}", node->value()) : found->second;
}

std::string EventText::broker(std::int64_t id) const {
    if (id == sim::kAbsent) {
        return "nobody";
    }
    const auto found = brokers_.find(id);
    return found == brokers_.end() ? fmt::format("broker {}", id) : found->second;
}

std::string EventText::field(const sim::Event& event, std::size_t index) const {
    const sim::FieldDef& def = row(event).fields[index];
    const std::int64_t value = event.fields[index];
    switch (def.type) {
        case sim::FieldType::kInteger:
            return is_broker_field(def.name) ? broker(value) : fmt::format("{}", value);
        case sim::FieldType::kBytes:
            return fmt::format("{}", value);
        case sim::FieldType::kBoolean:
            return value == 0 ? "no" : "yes";
        case sim::FieldType::kNode:
            return value < 0 ? "anybody" : node(sim::NodeId(static_cast<std::uint32_t>(value)));
        case sim::FieldType::kText:
            return value == sim::kAbsent ? "" : viz::to_printable(run_.interner.text_of(value));
        case sim::FieldType::kList: {
            std::string out;
            for (const std::int32_t id : run_.interner.list_of(value)) {
                out += (out.empty() ? "" : ", ") + broker(id);
            }
            return "[" + out + "]";
        }
        case sim::FieldType::kNameIndex:
            return name_index(value);
        case sim::FieldType::kDuration:
            return duration_text(value);
        case sim::FieldType::kSymbol:
            return std::string(def.symbol_name(value));
    }
    return {};
}

std::string EventText::word(const sim::Event& event, std::string_view name) const {
    if (name == "node") {
        return node(event.node);
    }
    const std::optional<std::size_t> index = table_.field_index(event.kind, name);
    if (!index) {
        return fmt::format("{{{}}}", name);
    }
    std::string text = field(event, *index);
    if (name == "api" && number(event, "reply").value_or(0) == 1) {
        text += " reply";
    }
    return text;
}

std::string EventText::sentence(const sim::Event& event) const { return sentence(event, event); }

std::string EventText::sentence(const sim::Event& first, const sim::Event& last) const {
    std::string_view rest = row(first).narration;
    std::string out;
    std::optional<std::string> begin;  // "{a}..{b}": from the first event's a to the last one's b
    while (!rest.empty()) {
        const std::size_t open = rest.find('{');
        out += rest.substr(0, open);
        if (open == std::string_view::npos) {
            break;
        }
        const std::size_t close = rest.find('}', open);
        const std::string_view name = rest.substr(open + 1, close - open - 1);
        rest.remove_prefix(close + 1);
        const std::string before = word(first, name);
        const std::string after = word(last, name);
        if (begin) {
            out += after == *begin ? *begin : *begin + ".." + after;
            begin.reset();
        } else if (rest.substr(0, 3) == "..{") {
            begin = before;
            rest.remove_prefix(2);
        } else if (name == "from" || name == "to") {
            out += name == "from" ? before : after;
        } else {
            out += stretch(before, after);
        }
    }
    return out;
}

}  // namespace klab::cli
