// SPDX-License-Identifier: Apache-2.0
//
// Every code that a diagnostic can carry, with a heading, an explanation and, where it helps, a
// wrong and a right example. `klab explain S014` prints a row; codes are never reused.
//
// Called by: `klab explain`, the docs, a test that every code used in scenarios/run is here.
#pragma once

#include <string_view>
#include <vector>

namespace klab::scenario {

struct DiagnosticCode {
    std::string_view code;
    std::string_view title;
    std::string_view explanation;
    std::string_view wrong;  ///< an example, or empty
    std::string_view right;  ///< the same set right, or empty
};

/// All codes in order.
[[nodiscard]] const std::vector<DiagnosticCode>& diagnostic_codes();

/// The row of a code, in either case ("s014"), or nullptr.
[[nodiscard]] const DiagnosticCode* find_diagnostic_code(std::string_view code);

}  // namespace klab::scenario
