// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/json_tree.h"

#include <fmt/format.h>

namespace klab::scenario {

namespace {

void write(const Json& json, std::size_t depth, std::string& out);

void indent(std::size_t depth, std::string& out) {
    out.push_back('\n');
    out.append(2 * depth, ' ');
}

void write_list(const Json& json, std::size_t depth, std::string& out) {
    out.push_back('[');
    bool first = true;
    for (const Json& element : json.elements) {
        out.append(first ? "" : ",");
        first = false;
        indent(depth + 1, out);
        write(element, depth + 1, out);
    }
    indent(depth, out);
    out.push_back(']');
}

void write_object(const Json& json, std::size_t depth, std::string& out) {
    out.push_back('{');
    bool first = true;
    for (const JsonMember& member : json.members) {
        out.append(first ? "" : ",");
        first = false;
        indent(depth + 1, out);
        out.append(quote_json(member.key)).append(": ");
        write(member.value, depth + 1, out);
    }
    indent(depth, out);
    out.push_back('}');
}

void write(const Json& json, std::size_t depth, std::string& out) {
    switch (json.kind) {
        case JsonKind::kNull:
            out.append("null");
            return;
        case JsonKind::kBoolean:
            out.append(json.boolean ? "true" : "false");
            return;
        case JsonKind::kInteger:
        case JsonKind::kNumber:
            out.append(json.text);
            return;
        case JsonKind::kText:
            out.append(quote_json(json.text));
            return;
        case JsonKind::kList:
            if (json.elements.empty()) {
                out.append("[]");
                return;
            }
            write_list(json, depth, out);
            return;
        case JsonKind::kObject:
            if (json.members.empty()) {
                out.append("{}");
                return;
            }
            write_object(json, depth, out);
            return;
    }
}

}  // namespace

std::string_view name_of(JsonKind kind) {
    switch (kind) {
        case JsonKind::kNull:
            return "null";
        case JsonKind::kBoolean:
            return "true or false";
        case JsonKind::kInteger:
            return "a whole number";
        case JsonKind::kNumber:
            return "a number";
        case JsonKind::kText:
            return "a text";
        case JsonKind::kList:
            return "a list";
        case JsonKind::kObject:
            return "an object";
    }
    return "a value";
}

const Json* Json::find(std::string_view key) const {
    if (kind != JsonKind::kObject) {
        return nullptr;
    }
    for (const JsonMember& member : members) {
        if (member.key == key) {
            return &member.value;
        }
    }
    return nullptr;
}

Json* Json::find(std::string_view key) {
    if (kind != JsonKind::kObject) {
        return nullptr;
    }
    for (JsonMember& member : members) {
        if (member.key == key) {
            return &member.value;
        }
    }
    return nullptr;
}

bool operator==(const Json& a, const Json& b) {
    if (a.kind != b.kind) {
        return false;
    }
    switch (a.kind) {
        case JsonKind::kNull:
            return true;
        case JsonKind::kBoolean:
            return a.boolean == b.boolean;
        case JsonKind::kInteger:
            return a.integer == b.integer;
        case JsonKind::kNumber:
        case JsonKind::kText:
            return a.text == b.text;
        case JsonKind::kList:
            return a.elements == b.elements;
        case JsonKind::kObject:
            return a.members == b.members;
    }
    return false;
}

bool operator==(const JsonMember& a, const JsonMember& b) {
    return a.key == b.key && a.value == b.value;
}

bool is_scalar(const Json& json) {
    return !json.is(JsonKind::kList) && !json.is(JsonKind::kObject);
}

std::string scalar_text(const Json& json) {
    switch (json.kind) {
        case JsonKind::kBoolean:
            return json.boolean ? "true" : "false";
        case JsonKind::kInteger:
            return fmt::format("{}", json.integer);
        case JsonKind::kNumber:
        case JsonKind::kText:
            return json.text;
        case JsonKind::kNull:
        case JsonKind::kList:
        case JsonKind::kObject:
            return {};
    }
    return {};
}

std::string to_json_text(const Json& json) {
    std::string out;
    write(json, 0, out);
    out.push_back('\n');
    return out;
}

std::string quote_json(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        switch (c) {
            case '"':
                out.append("\\\"");
                break;
            case '\\':
                out.append("\\\\");
                break;
            case '\n':
                out.append("\\n");
                break;
            case '\t':
                out.append("\\t");
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20) {
                    out.append(fmt::format("\\u{:04x}", static_cast<unsigned char>(c)));
                } else {
                    out.push_back(c);
                }
        }
    }
    out.push_back('"');
    return out;
}

}  // namespace klab::scenario
