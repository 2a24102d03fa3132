// SPDX-License-Identifier: Apache-2.0
//
// A JSON document as a value, every node with the place where it is written. nlohmann/json 3.11
// keeps no positions, so the reader (json_reader.h) builds this tree from its SAX events.
//
// Owns: the tree and its text form. Knows nothing of scenarios.
// Called by: json_reader, json_edit (variants and --set), format_check, the builders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/run/source_text.h"

namespace klab::scenario {

enum class JsonKind : std::uint8_t { kNull, kBoolean, kInteger, kNumber, kText, kList, kObject };

/// "a text", "a list", ...: with its article, for messages.
[[nodiscard]] std::string_view name_of(JsonKind kind);

struct JsonMember;

/// One value. Only the fields of its kind are meaningful.
struct Json {
    JsonKind kind = JsonKind::kNull;
    Span where{};
    bool boolean = false;
    std::int64_t integer = 0;  ///< kInteger; a number such as 2.0 or 1e3 is one too
    std::string text;          ///< kText: the text; kInteger, kNumber: as written
    std::vector<Json> elements;
    std::vector<JsonMember> members;  ///< in the order of the file

    /// The first member with that key, or nullptr. Also nullptr when this is no object.
    [[nodiscard]] const Json* find(std::string_view key) const;
    [[nodiscard]] Json* find(std::string_view key);

    [[nodiscard]] bool is(JsonKind k) const { return kind == k; }

    /// Equal as data: positions and the spelling of numbers do not count, the order of members
    /// does.
    friend bool operator==(const Json& a, const Json& b);
};

struct JsonMember {
    std::string key;
    Span key_where{};
    Json value;

    friend bool operator==(const JsonMember& a, const JsonMember& b);
};

/// True for the kinds that are written as one word: null, boolean, number, text.
[[nodiscard]] bool is_scalar(const Json& json);

/// A scalar as the text Kafka's configuration would hold: true, 9000, 0.5, all. Empty for null.
[[nodiscard]] std::string scalar_text(const Json& json);

/// The document with two spaces of indent for each level and a final line end.
[[nodiscard]] std::string to_json_text(const Json& json);

/// A text in JSON quotes, everything that needs it escaped.
[[nodiscard]] std::string quote_json(std::string_view text);

}  // namespace klab::scenario
