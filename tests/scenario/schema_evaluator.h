// SPDX-License-Identifier: Apache-2.0
//
// A tiny evaluator of the part of JSON Schema that the generator emits, written without looking at
// the parser, so that the two can be held against each other.
#pragma once

#include <nlohmann/json.hpp>

namespace klab::scenario {

/// True when the value is valid. Knows: boolean schemas, $ref to #/$defs, type, const, enum,
/// minimum, maximum, pattern, items, minItems, maxItems, properties, patternProperties,
/// additionalProperties, propertyNames, required, minProperties, maxProperties, oneOf, anyOf, not.
/// Fails the process (std::logic_error) on a keyword it does not know.
[[nodiscard]] bool is_valid(const nlohmann::json& value,
                            const nlohmann::json& schema,
                            const nlohmann::json& root);

}  // namespace klab::scenario
