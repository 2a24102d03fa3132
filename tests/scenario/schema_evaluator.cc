// SPDX-License-Identifier: Apache-2.0
#include "tests/scenario/schema_evaluator.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>

namespace klab::scenario {

namespace {

using Json = nlohmann::json;

bool is_integer(const Json& value) {
    return value.is_number_integer() ||
           (value.is_number_float() && value.get<double>() == std::trunc(value.get<double>()));
}

bool has_type(const Json& value, const std::string& type) {
    if (type == "integer") {
        return is_integer(value);
    }
    if (type == "number") {
        return value.is_number();
    }
    if (type == "string") {
        return value.is_string();
    }
    if (type == "boolean") {
        return value.is_boolean();
    }
    if (type == "null") {
        return value.is_null();
    }
    if (type == "array") {
        return value.is_array();
    }
    if (type == "object") {
        return value.is_object();
    }
    throw std::logic_error("unknown type " + type);
}

bool matches_pattern(const std::string& text, const std::string& pattern) {
    static std::map<std::string, std::regex> compiled;
    const auto found = compiled.try_emplace(pattern, pattern, std::regex::ECMAScript).first;
    return std::regex_search(text, found->second);
}

bool check_type(const Json& value, const Json& types) {
    if (types.is_string()) {
        return has_type(value, types.get<std::string>());
    }
    for (const Json& type : types) {
        if (has_type(value, type.get<std::string>())) {
            return true;
        }
    }
    return false;
}

bool check_members(const Json& value, const Json& schema, const Json& root) {
    if (!value.is_object()) {
        return true;
    }
    for (const auto& [key, member] : value.items()) {
        bool known = false;
        if (schema.contains("properties") && schema["properties"].contains(key)) {
            known = true;
            if (!is_valid(member, schema["properties"][key], root)) {
                return false;
            }
        }
        if (schema.contains("patternProperties")) {
            for (const auto& [pattern, part] : schema["patternProperties"].items()) {
                if (matches_pattern(key, pattern)) {
                    known = true;
                    if (!is_valid(member, part, root)) {
                        return false;
                    }
                }
            }
        }
        if (!known && schema.contains("additionalProperties") &&
            !is_valid(member, schema["additionalProperties"], root)) {
            return false;
        }
    }
    return true;
}

int count_valid(const Json& value, const Json& list, const Json& root) {
    int count = 0;
    for (const Json& part : list) {
        count += is_valid(value, part, root) ? 1 : 0;
    }
    return count;
}

bool check_object_keyword(const std::string& key,
                          const Json& argument,
                          const Json& value,
                          const Json& root) {
    if (!value.is_object()) {
        return true;
    }
    if (key == "required") {
        for (const Json& name : argument) {
            if (!value.contains(name.get<std::string>())) {
                return false;
            }
        }
        return true;
    }
    if (key == "minProperties") {
        return value.size() >= argument.get<std::size_t>();
    }
    if (key == "maxProperties") {
        return value.size() <= argument.get<std::size_t>();
    }
    for (const auto& member : value.items()) {  // propertyNames
        if (!is_valid(Json(member.key()), argument, root)) {
            return false;
        }
    }
    return true;
}

bool check_array_keyword(const std::string& key,
                         const Json& argument,
                         const Json& value,
                         const Json& root) {
    if (!value.is_array()) {
        return true;
    }
    if (key == "minItems") {
        return value.size() >= argument.get<std::size_t>();
    }
    if (key == "maxItems") {
        return value.size() <= argument.get<std::size_t>();
    }
    for (const Json& element : value) {  // items
        if (!is_valid(element, argument, root)) {
            return false;
        }
    }
    return true;
}

bool check_keyword(const std::string& key,
                   const Json& argument,
                   const Json& value,
                   const Json& schema,
                   const Json& root) {
    if (key == "$ref") {
        const std::string name = argument.get<std::string>().substr(std::string("#/$defs/").size());
        return is_valid(value, root.at("$defs").at(name), root);
    }
    if (key == "type") {
        return check_type(value, argument);
    }
    if (key == "const") {
        return value == argument;
    }
    if (key == "enum") {
        return std::find(argument.begin(), argument.end(), value) != argument.end();
    }
    if (key == "minimum") {
        return !value.is_number() || value.get<double>() >= argument.get<double>();
    }
    if (key == "maximum") {
        return !value.is_number() || value.get<double>() <= argument.get<double>();
    }
    if (key == "pattern") {
        return !value.is_string() ||
               matches_pattern(value.get<std::string>(), argument.get<std::string>());
    }
    if (key == "items" || key == "minItems" || key == "maxItems") {
        return check_array_keyword(key, argument, value, root);
    }
    if (key == "required" || key == "minProperties" || key == "maxProperties" ||
        key == "propertyNames") {
        return check_object_keyword(key, argument, value, root);
    }
    if (key == "properties" || key == "patternProperties" || key == "additionalProperties") {
        return check_members(value, schema, root);
    }
    if (key == "oneOf") {
        return count_valid(value, argument, root) == 1;
    }
    if (key == "anyOf") {
        return count_valid(value, argument, root) >= 1;
    }
    if (key == "not") {
        return !is_valid(value, argument, root);
    }
    const bool annotation = key == "title" || key == "description" || key == "default" ||
                            key == "$schema" || key == "$id" || key == "$defs";
    if (!annotation) {
        throw std::logic_error("unknown keyword " + key);
    }
    return true;
}

}  // namespace

bool is_valid(const Json& value, const Json& schema, const Json& root) {
    if (schema.is_boolean()) {
        return schema.get<bool>();
    }
    for (const auto& [key, argument] : schema.items()) {
        if (!check_keyword(key, argument, value, schema, root)) {
            return false;
        }
    }
    return true;
}

}  // namespace klab::scenario
