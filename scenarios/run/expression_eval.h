// SPDX-License-Identifier: Apache-2.0
//
// The value of an expression in a run. What does not exist (the leader while there is none) and
// what overflows is NoValue; it spreads through arithmetic, equals only `none`, and no order holds
// for it.
//
// Called by: the engine (expectations, questions).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/run/expression.h"
#include "scenarios/run/run_view.h"

namespace klab::scenario {

struct NoValue {
    friend bool operator==(NoValue, NoValue) = default;
};

/// A node is its name; a list of nodes is sorted.
using Value = std::variant<NoValue,
                           std::int64_t,
                           Duration,
                           bool,
                           std::string,
                           std::vector<std::string>,
                           StepWindow>;

/// "3", "1.5s", "true", "b2", "[b1, b2]", "none".
[[nodiscard]] std::string to_text(const Value& value);

/// Requires: check_expression accepted it.
[[nodiscard]] Value evaluate(const Expression& expression, const RunView& run);

/// A condition: NoValue does not hold.
[[nodiscard]] bool holds(const Expression& condition, const RunView& run);

/// The value that a reader wants to see beside a condition: of a comparison the left side.
[[nodiscard]] Value shown_value(const Expression& condition, const RunView& run);

}  // namespace klab::scenario
