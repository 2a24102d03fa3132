// SPDX-License-Identifier: Apache-2.0
//
// Format 1 of scenario files as one table of shapes. The parser walks it (format_check), the JSON
// Schema is generated from it (format_schema), and so are the help lines of errors ("a trigger with
// "client" takes: acked, processed, error"). Nothing about what may stand where is written anywhere
// else.
//
// Owns: the names of all fields, their kinds, defaults and one-line meanings.
// Called by: format_check, format_schema, `klab explain`, the docs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/run/text_rules.h"

namespace klab::scenario {

enum class ShapeKind : std::uint8_t {
    kAnything,      ///< any value
    kNull,          ///< only null
    kScalar,        ///< text, number, true or false: the value of a Kafka setting
    kText,          ///< a text that follows `rule`
    kInteger,       ///< between `minimum` and `maximum`
    kNumber,        ///< likewise, with decimals
    kBoolean,       ///< true or false
    kTrue,          ///< only true
    kVersion,       ///< only the number 1
    kChoice,        ///< one of `words`
    kList,          ///< `items_min` to `items_max` times `element`
    kMap,           ///< keys by `rule` or one of `words`, values are `element`
    kObject,        ///< `fields`
    kForms,         ///< an object in one of several forms, told apart by the first field of each
    kAlternatives,  ///< one of several shapes that differ in their kind of JSON value
};

/// One field of an object.
struct Field {
    std::string name;
    std::string shape;  ///< name of a shape
    std::string doc;    ///< one line
    bool required = false;
    std::string default_json;  ///< as JSON; empty = no default

    Field(std::string name_in,
          std::string shape_in,
          std::string doc_in,
          bool required_in = false,
          std::string default_in = {})
        : name(std::move(name_in)),
          shape(std::move(shape_in)),
          doc(std::move(doc_in)),
          required(required_in),
          default_json(std::move(default_in)) {}
};

/// One form of an object with forms. The first field marks the form and is required.
struct Form {
    std::string title;  ///< "a trigger with \"client\""
    std::vector<Field> fields;
    std::uint32_t fields_min = 1;  ///< how many of the fields must be there, the mark included

    Form(std::string title_in, std::vector<Field> fields_in, std::uint32_t fields_min_in = 1)
        : title(std::move(title_in)), fields(std::move(fields_in)), fields_min(fields_min_in) {}
};

/// How one kind of value may look.
struct Shape {
    std::string name;   ///< key under $defs
    std::string title;  ///< "a trigger": how messages call it
    ShapeKind kind = ShapeKind::kAnything;
    std::string doc;
    TextRule rule = TextRule::kAny;
    std::optional<std::int64_t> minimum;
    std::optional<std::int64_t> maximum;
    std::vector<std::string> words;
    std::string element;
    std::uint32_t items_min = 0;
    std::optional<std::uint32_t> items_max;
    std::vector<Field> fields;
    std::vector<Form> forms;
    std::vector<std::string> alternatives;
    bool comments = false;              ///< keys that begin with // are allowed
    bool one_key = false;               ///< exactly one field (an action)
    std::vector<std::string> one_of;    ///< at least one of these fields must be there
    std::vector<std::string> not_both;  ///< at most one of these fields may be there
};

/// All shapes of format 1; the first is the file itself ("scenario").
[[nodiscard]] const std::vector<Shape>& format_shapes();

/// The shape with that name. Requires: it exists (names come from the table itself).
[[nodiscard]] const Shape& shape(std::string_view name);

/// The fields of an object shape, or of all its forms, in the order of the table, each name once.
[[nodiscard]] std::vector<std::string> field_names(const Shape& shape);

/// "a trigger with "client" takes: acked, processed, error": what may stand beside the mark.
[[nodiscard]] std::string help_line(const Form& form);

/// "a topic takes: name, partitions, ...".
[[nodiscard]] std::string help_line(const Shape& shape);

namespace format {
// The parts of the table, one file a theme.
[[nodiscard]] std::vector<Shape> file_shapes();
[[nodiscard]] std::vector<Shape> cluster_shapes();
[[nodiscard]] std::vector<Shape> trigger_shapes();
[[nodiscard]] std::vector<Shape> action_shapes();
}  // namespace format

}  // namespace klab::scenario
