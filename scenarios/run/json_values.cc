// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/json_values.h"

#include <utility>

#include <fmt/format.h>

#include "scenarios/run/did_you_mean.h"
#include "scenarios/run/format_check.h"

namespace klab::scenario {

namespace {

const Json* of_kind(const Json* json, JsonKind kind) {
    return json != nullptr && json->is(kind) ? json : nullptr;
}

Finding wrong_target(const Json& json) {
    static const std::vector<std::string> kRoles = {
        "leader", "follower", "controller", "coordinator"};
    Finding finding =
        make_finding("S027",
                     fmt::format("{} is neither a node nor a role", quote_json(json.text)),
                     json.where,
                     "for example b1 or leader(t-0)");
    finding.help.emplace_back(
        "roles: leader(t-0), follower(t-0,1), controller(), coordinator(group)");
    const std::size_t open = json.text.find('(');
    const std::string role = json.text.substr(0, open);
    const std::optional<std::string> near =
        open == std::string::npos ? std::nullopt : nearest_word(role, kRoles);
    if (near && *near != role) {
        finding.label = fmt::format("did you mean {}(...)?", *near);
        finding.suggestions.push_back({role, *near});
    }
    return finding;
}

}  // namespace

Finding make_finding(std::string code, std::string message, Span where, std::string label) {
    Finding finding;
    finding.code = std::move(code);
    finding.message = std::move(message);
    finding.where = where;
    finding.label = std::move(label);
    return finding;
}

Span head_span(const Json& json) {
    Span where = json.where;
    if (!is_scalar(json)) {
        where.end = where.begin + 1;
    }
    return where;
}

std::optional<At<std::string>> read_text(const Json* json) {
    const Json* text = of_kind(json, JsonKind::kText);
    if (text == nullptr) {
        return std::nullopt;
    }
    return At<std::string>{text->text, text->where};
}

std::optional<At<std::int64_t>> read_integer(const Json* json) {
    const Json* integer = of_kind(json, JsonKind::kInteger);
    if (integer == nullptr) {
        return std::nullopt;
    }
    return At<std::int64_t>{integer->integer, integer->where};
}

std::optional<At<Duration>> read_duration(const Json* json) {
    const Json* text = of_kind(json, JsonKind::kText);
    const TimeText time = text == nullptr ? TimeText{} : parse_duration(text->text);
    if (!time.duration) {
        return std::nullopt;
    }
    return At<Duration>{*time.duration, text->where};
}

std::optional<At<Duration>> read_shift(const Json* json) {
    const Json* text = of_kind(json, JsonKind::kText);
    const TimeText time = text == nullptr ? TimeText{} : parse_shift(text->text);
    if (!time.duration) {
        return std::nullopt;
    }
    return At<Duration>{*time.duration, text->where};
}

std::optional<At<Spread>> read_spread(const Json* json, Findings& findings) {
    if (const std::optional<At<Duration>> one = read_duration(json)) {
        return At<Spread>{{one->value, one->value}, one->where};
    }
    const Json* list = of_kind(json, JsonKind::kList);
    if (list == nullptr || list->elements.size() != 2) {
        return std::nullopt;
    }
    const std::optional<At<Duration>> low = read_duration(&list->elements[0]);
    const std::optional<At<Duration>> high = read_duration(&list->elements[1]);
    if (!low || !high) {
        return std::nullopt;
    }
    if (high->value < low->value) {
        findings.add(make_finding(
            "S017", "a range from more to less", list->where, "the lower time stands first"));
        return std::nullopt;
    }
    return At<Spread>{{low->value, high->value}, list->where};
}

std::optional<At<PartitionName>> read_partition(const Json* json) {
    const Json* text = of_kind(json, JsonKind::kText);
    std::optional<PartitionName> name =
        text == nullptr ? std::nullopt : parse_partition(text->text);
    if (!name) {
        return std::nullopt;
    }
    return At<PartitionName>{std::move(*name), text->where};
}

std::optional<At<ReplicaName>> read_replica(const Json* json) {
    const Json* text = of_kind(json, JsonKind::kText);
    std::optional<ReplicaName> name = text == nullptr ? std::nullopt : parse_replica(text->text);
    if (!name) {
        return std::nullopt;
    }
    return At<ReplicaName>{std::move(*name), text->where};
}

std::optional<At<Target>> read_target(const Json* json, Findings& findings) {
    const Json* text = of_kind(json, JsonKind::kText);
    if (text == nullptr) {
        return std::nullopt;
    }
    std::optional<Target> target = parse_target(text->text);
    if (!target) {
        findings.add(wrong_target(*text));
        return std::nullopt;
    }
    std::optional<At<Target>> out(std::in_place);
    out->value = std::move(*target);
    out->where = text->where;
    return out;
}

std::vector<At<Target>> read_targets(const Json* json, Findings& findings) {
    std::vector<At<Target>> out;
    if (json == nullptr) {
        return out;
    }
    if (!json->is(JsonKind::kList)) {
        if (std::optional<At<Target>> one = read_target(json, findings)) {
            out.push_back(std::move(*one));
        }
        return out;
    }
    for (const Json& element : json->elements) {
        if (std::optional<At<Target>> one = read_target(&element, findings)) {
            out.push_back(std::move(*one));
        }
    }
    return out;
}

bool read_boolean(const Json* json, bool absent) {
    const Json* boolean = of_kind(json, JsonKind::kBoolean);
    return boolean == nullptr ? absent : boolean->boolean;
}

std::string read_lines(const Json* json) {
    if (json == nullptr) {
        return {};
    }
    if (json->is(JsonKind::kText)) {
        return json->text;
    }
    std::string out;
    for (const Json& line : json->elements) {
        if (line.is(JsonKind::kText)) {
            out += out.empty() ? "" : "\n";
            out += line.text;
        }
    }
    return out;
}

std::vector<Setting> read_settings(const Json* json) {
    std::vector<Setting> out;
    const Json* object = of_kind(json, JsonKind::kObject);
    if (object == nullptr) {
        return out;
    }
    for (const JsonMember& member : object->members) {
        if (is_scalar(member.value) && !member.value.is(JsonKind::kNull)) {
            out.push_back({{member.key, member.key_where},
                           {scalar_text(member.value), member.value.where},
                           member.value.is(JsonKind::kText)});
        }
    }
    return out;
}

std::vector<At<std::string>> read_texts(const Json* json) {
    std::vector<At<std::string>> out;
    const Json* list = of_kind(json, JsonKind::kList);
    if (list == nullptr) {
        return out;
    }
    for (const Json& element : list->elements) {
        if (element.is(JsonKind::kText)) {
            out.push_back({element.text, element.where});
        }
    }
    return out;
}

}  // namespace klab::scenario
