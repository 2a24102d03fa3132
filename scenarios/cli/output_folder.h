// SPDX-License-Identifier: Apache-2.0
//
// What `--out DIR` leaves of a run: scenario.json (as run), result.json, report.txt, trace.jsonl,
// pictures/ (each as dot and SVG) and tables/ (CSV). The scenario comes first and every file is
// whole, so an interrupted run leaves a folder that can be read and run again.
//
// Owns: the layout of the folder. Called by: run, demo.
#pragma once

#include <string>
#include <vector>

#include "scenarios/cli/file_writing.h"
#include "scenarios/cli/recorded_run.h"
#include "scenarios/cli/scenario_source.h"

namespace klab::cli {

/// Writes the scenario as it will run, before it runs. Makes the folder.
[[nodiscard]] FileProblem write_scenario(const std::string& folder, const scenario::Json& file);

/// Writes the rest. A picture that the run has nothing for (no election) is left out.
[[nodiscard]] FileProblem write_run(const std::string& folder,
                                    const RecordedRun& run,
                                    const scenario::Scenario& scenario,
                                    const scenario::Json& file);

/// "election.svg", "log.dot", ...: the pictures that write_run wrote.
[[nodiscard]] std::vector<std::string> pictures_in(const std::string& folder);

}  // namespace klab::cli
