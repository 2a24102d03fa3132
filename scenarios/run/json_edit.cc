// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/json_edit.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/run/did_you_mean.h"
#include "scenarios/run/json_reader.h"
#include "scenarios/run/json_values.h"
#include "scenarios/run/text_rules.h"

namespace klab::scenario {

namespace {

constexpr std::size_t kListedMax = 12;

std::string unescape(std::string_view token) {
    std::string out;
    for (std::size_t i = 0; i < token.size(); ++i) {
        const bool escape = token[i] == '~' && i + 1 < token.size();
        if (escape && (token[i + 1] == '0' || token[i + 1] == '1')) {
            out.push_back(token[i + 1] == '0' ? '~' : '/');
            ++i;
        } else {
            out.push_back(token[i]);
        }
    }
    return out;
}

std::vector<std::string> split_pointer(std::string_view pointer) {
    std::vector<std::string> tokens;
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const std::size_t slash = pointer.find('/');
        tokens.push_back(unescape(pointer.substr(0, slash)));
        pointer = slash == std::string_view::npos ? "" : pointer.substr(slash);
    }
    return tokens;
}

/// What an element of a list is called: its id, its name, or the client's name.
std::optional<std::string> name_of_element(const Json& element) {
    for (const std::string_view key : {"id", "name", "producer", "consumer", "admin"}) {
        const Json* value = element.find(key);
        if (value != nullptr && value->is(JsonKind::kText)) {
            return value->text;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> parse_index(std::string_view token) {
    std::size_t index = 0;
    const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), index);
    if (problem != std::errc() || end != token.data() + token.size()) {
        return std::nullopt;
    }
    return index;
}

Json* find_element(Json& list, const std::string& token) {
    for (Json& element : list.elements) {
        if (name_of_element(element) == token) {
            return &element;
        }
    }
    const std::optional<std::size_t> index = parse_index(token);
    return index && *index < list.elements.size() ? &list.elements[*index] : nullptr;
}

void report_no_element(const Json& list,
                       const std::string& token,
                       const Edit& edit,
                       Findings& findings) {
    std::vector<std::string> known;
    for (const Json& element : list.elements) {
        if (std::optional<std::string> name = name_of_element(element)) {
            known.push_back(std::move(*name));
        }
        if (known.size() > kListedMax) {
            break;
        }
    }
    Finding finding = make_finding("S039",
                                   fmt::format("the pointer leads nowhere at \"{}\"", token),
                                   edit.pointer.where,
                                   fmt::format("no element \"{}\" in that list", token));
    if (const auto near = nearest_word(token, known)) {
        finding.label = fmt::format("did you mean \"{}\"?", *near);
        finding.suggestions.push_back({token, *near});
    }
    if (!known.empty() && known.size() <= kListedMax) {
        finding.help.push_back(fmt::format("its elements: {}", fmt::join(known, ", ")));
    } else {
        finding.help.push_back(
            fmt::format("the list has {} elements, counted from 0", list.elements.size()));
    }
    findings.add(std::move(finding));
}

/// The place that one token means inside `parent`, made when a member or "-" is missing there.
Json* descend(Json& parent, const std::string& token, const Edit& edit, Findings& findings) {
    if (parent.is(JsonKind::kObject)) {
        if (Json* found = parent.find(token)) {
            return found;
        }
        Json made;
        made.kind = JsonKind::kObject;
        made.where = edit.value.where;
        parent.members.push_back({token, edit.pointer.where, std::move(made)});
        return &parent.members.back().value;
    }
    if (parent.is(JsonKind::kList)) {
        if (token == "-") {
            Json made;
            made.kind = JsonKind::kObject;
            made.where = edit.value.where;
            parent.elements.push_back(std::move(made));
            return &parent.elements.back();
        }
        Json* found = find_element(parent, token);
        if (found == nullptr) {
            report_no_element(parent, token, edit, findings);
        }
        return found;
    }
    findings.add(make_finding(
        "S039",
        fmt::format("the pointer leads nowhere at \"{}\"", token),
        edit.pointer.where,
        fmt::format("before it stands {}, not an object or list", name_of(parent.kind))));
    return nullptr;
}

}  // namespace

bool apply_edits(Json& file, const std::vector<Edit>& edits, Findings& findings) {
    bool all = true;
    for (const Edit& edit : edits) {
        if (!matches(TextRule::kPointer, edit.pointer.value)) {
            all = false;  // reported by format_check or parse_edit_argument
            continue;
        }
        const std::vector<std::string> tokens = split_pointer(edit.pointer.value);
        Json* place = &file;
        for (const std::string& token : tokens) {
            place = place == nullptr ? nullptr : descend(*place, token, edit, findings);
        }
        if (tokens.size() > kDepthMax || place == nullptr) {
            all = false;
            continue;
        }
        *place = edit.value;
    }
    return all;
}

std::vector<Edit> edits_of(const Json* set) {
    std::vector<Edit> out;
    if (set == nullptr || !set->is(JsonKind::kObject)) {
        return out;
    }
    for (const JsonMember& member : set->members) {
        out.push_back({{member.key, member.key_where}, member.value});
    }
    return out;
}

std::optional<Edit> parse_edit_argument(const std::string& argument,
                                        Sources& sources,
                                        Findings& findings) {
    const auto number = static_cast<std::uint32_t>(sources.size());
    const auto size = static_cast<std::uint32_t>(argument.size());
    sources.emplace_back("--set", argument);
    const std::size_t equals = argument.find('=');
    const std::string pointer = argument.substr(0, equals);
    if (equals == std::string::npos || !matches(TextRule::kPointer, pointer) ||
        find_invalid_utf8(argument)) {
        findings.add(make_finding("S041",
                                  "--set takes POINTER=VALUE",
                                  {number, 0, size},
                                  "for example /clients/p1/config/acks=all"));
        return std::nullopt;
    }
    Edit edit;
    edit.pointer = {pointer, {number, 0, static_cast<std::uint32_t>(equals)}};
    // The value is parsed with the pointer blanked out, so that its positions are right.
    const std::string blanked = std::string(equals + 1, ' ') + argument.substr(equals + 1);
    Findings ignored;
    if (std::optional<Json> json = read_json(SourceText("--set", blanked), number, ignored)) {
        edit.value = std::move(*json);
        return edit;
    }
    edit.value.kind = JsonKind::kText;
    edit.value.text = argument.substr(equals + 1);
    edit.value.where = {number, static_cast<std::uint32_t>(equals) + 1, size};
    return edit;
}

}  // namespace klab::scenario
