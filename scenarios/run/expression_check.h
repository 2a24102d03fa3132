// SPDX-License-Identifier: Apache-2.0
//
// Types of expressions, judged before the run: every name exists, every function gets the arguments
// it takes, integers are compared with integers and nodes with nodes.
//
// Called by: the semantic checks.
#pragma once

#include <optional>

#include "scenarios/run/expression.h"
#include "scenarios/run/function_table.h"
#include "scenarios/run/name_table.h"
#include "scenarios/run/vocabulary.h"

namespace klab::scenario {

/// The type of the expression; nothing after an error (codes S020 to S024, S037, S038, S043 to
/// S045, S050).
[[nodiscard]] std::optional<ValueType> check_expression(const Expression& expression,
                                                        const NameTable& names,
                                                        const Vocabulary& words,
                                                        Findings& findings);

/// The same, and reports S044 when it is no condition: `that` needs a yes or no.
void check_condition(const Expression& expression,
                     const NameTable& names,
                     const Vocabulary& words,
                     Findings& findings);

}  // namespace klab::scenario
