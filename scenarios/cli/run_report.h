// SPDX-License-Identifier: Apache-2.0
//
// The report of a run for people: steps, expectations, broken invariants, anomalies, figures, the
// verdict and the next command worth typing.
//
// Called by: run, demo, output_folder.
#pragma once

#include <string>

#include "scenarios/cli/recorded_run.h"
#include "scenarios/cli/scenario_source.h"
#include "scenarios/cli/terminal.h"
#include "scenarios/run/run_result.h"
#include "scenarios/run/scenario_ast.h"

namespace klab::cli {

/// Title and where it comes from.
[[nodiscard]] std::string report_head(const RecordedRun& run,
                                      const scenario::Scenario& scenario,
                                      const Terminal& terminal);

/// Everything between head and verdict.
[[nodiscard]] std::string report_body(const scenario::RunResult& result, const Terminal& terminal);

/// One line: "PASS  4 of 4 expectations hold ...".
[[nodiscard]] std::string verdict_line(const scenario::RunResult& result, const Terminal& terminal);

/// "pass", coloured, with its sign: for lists of runs.
[[nodiscard]] std::string verdict_sign(scenario::Verdict verdict, const Terminal& terminal);

/// "Next: klab ...": what to type after this result.
[[nodiscard]] std::string next_line(const scenario::RunResult& result,
                                    const scenario::Scenario& scenario,
                                    const ScenarioOptions& options,
                                    const Terminal& terminal);

}  // namespace klab::cli
