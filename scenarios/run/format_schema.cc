// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/format_schema.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/run/format_table.h"

namespace klab::scenario {

namespace {

using Schema = nlohmann::ordered_json;

Schema reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

Schema field_schema(const Field& field) {
    Schema out = reference(field.shape);
    if (!field.default_json.empty()) {
        out["default"] = Schema::parse(field.default_json);
    }
    out["description"] = field.doc;
    return out;
}

void add_fields(const std::vector<Field>& fields, bool comments, Schema& out) {
    Schema required = Schema::array();
    Schema properties = Schema::object();
    for (const Field& field : fields) {
        properties[field.name] = field_schema(field);
        if (field.required) {
            required.push_back(field.name);
        }
    }
    if (!required.empty()) {
        out["required"] = required;
    }
    out["properties"] = properties;
    if (comments) {
        out["patternProperties"] = {{"^//", true}};
    }
    out["additionalProperties"] = false;
}

Schema object_schema(const Shape& shape) {
    Schema out = {{"type", "object"}};
    add_fields(shape.fields, shape.comments, out);
    if (shape.one_key) {
        out["minProperties"] = 1;
        out["maxProperties"] = 1;
    }
    if (!shape.one_of.empty()) {
        out["anyOf"] = Schema::array();
        for (const std::string& name : shape.one_of) {
            out["anyOf"].push_back({{"required", Schema::array({name})}});
        }
    }
    if (!shape.not_both.empty()) {
        out["not"] = {{"required", shape.not_both}};
    }
    return out;
}

Schema forms_schema(const Shape& shape) {
    Schema out = {{"type", "object"}, {"oneOf", Schema::array()}};
    for (const Form& form : shape.forms) {
        Schema one = Schema::object();
        one["title"] = form.title;
        add_fields(form.fields, shape.comments, one);
        if (form.fields_min > 1) {
            one["minProperties"] = form.fields_min;
        }
        out["oneOf"].push_back(one);
    }
    return out;
}

Schema number_schema(std::string_view type, const Shape& shape) {
    Schema out = {{"type", type}};
    if (shape.minimum && *shape.minimum != INT64_MIN) {
        out["minimum"] = *shape.minimum;
    }
    if (shape.maximum) {
        out["maximum"] = *shape.maximum;
    }
    return out;
}

Schema list_schema(const Shape& shape) {
    Schema out = {{"type", "array"}, {"items", reference(shape.element)}};
    if (shape.items_min > 0) {
        out["minItems"] = shape.items_min;
    }
    if (shape.items_max) {
        out["maxItems"] = *shape.items_max;
    }
    return out;
}

Schema map_schema(const Shape& shape) {
    Schema out = {{"type", "object"}};
    if (!shape.words.empty()) {
        out["propertyNames"] = {{"enum", shape.words}};
    } else if (shape.rule != TextRule::kAny) {
        out["propertyNames"] = {{"pattern", pattern_of(shape.rule)}};
    }
    out["additionalProperties"] = reference(shape.element);
    return out;
}

Schema plain_schema(const Shape& shape) {
    switch (shape.kind) {
        case ShapeKind::kAnything:
            return Schema::object();
        case ShapeKind::kNull:
            return {{"type", "null"}};
        case ShapeKind::kScalar:
            return {{"type", {"string", "number", "boolean"}}};
        case ShapeKind::kText: {
            Schema out = {{"type", "string"}};
            if (shape.rule != TextRule::kAny) {
                out["pattern"] = pattern_of(shape.rule);
            }
            return out;
        }
        case ShapeKind::kInteger:
            return number_schema("integer", shape);
        case ShapeKind::kNumber:
            return number_schema("number", shape);
        case ShapeKind::kBoolean:
            return {{"type", "boolean"}};
        case ShapeKind::kTrue:
            return {{"const", true}};
        case ShapeKind::kVersion:
            return {{"const", 1}};
        case ShapeKind::kChoice:
            return {{"enum", shape.words}};
        case ShapeKind::kList:
            return list_schema(shape);
        case ShapeKind::kMap:
            return map_schema(shape);
        case ShapeKind::kObject:
            return object_schema(shape);
        case ShapeKind::kForms:
            return forms_schema(shape);
        case ShapeKind::kAlternatives: {
            Schema out = {{"oneOf", Schema::array()}};
            for (const std::string& name : shape.alternatives) {
                out["oneOf"].push_back(reference(name));
            }
            return out;
        }
    }
    return Schema::object();
}

Schema shape_schema(const Shape& shape) {
    Schema out = plain_schema(shape);
    if (!shape.doc.empty()) {
        out["description"] = shape.doc;
    }
    return out;
}

void append_rows(const std::vector<Field>& fields, std::string& out) {
    out += "| field | value | needed | default | meaning |\n|---|---|---|---|---|\n";
    for (const Field& field : fields) {
        const std::string value = field.default_json.empty() ? "" : "`" + field.default_json + "`";
        out += fmt::format("| `{}` | {} | {} | {} | {} |\n",
                           field.name,
                           shape(field.shape).title,
                           field.required ? "yes" : "",
                           value,
                           field.doc);
    }
    out += "\n";
}

}  // namespace

std::string format_schema_json() {
    Schema out = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                  {"$id", "https://klab.example/schema/klab-scenario-1.schema.json"},
                  {"title", "klab scenario, format 1"}};
    const std::vector<Shape>& shapes = format_shapes();
    out.update(shape_schema(shapes.front()));
    Schema definitions = Schema::object();
    for (std::size_t i = 1; i < shapes.size(); ++i) {
        definitions[shapes[i].name] = shape_schema(shapes[i]);
    }
    out["$defs"] = definitions;
    return out.dump(1) + "\n";
}

std::string format_docs_markdown() {
    std::string out;
    for (const Shape& shape : format_shapes()) {
        if (shape.kind == ShapeKind::kObject) {
            out += fmt::format("## {}\n\n", shape.title);
            append_rows(shape.fields, out);
        }
        for (const Form& form : shape.forms) {
            out += fmt::format("## {}\n\n", form.title);
            append_rows(form.fields, out);
        }
    }
    return out;
}

}  // namespace klab::scenario
