// SPDX-License-Identifier: Apache-2.0
//
// What the program says when klab itself is wrong: an assertion failed during a run.
//
// Called by: every command that plays a scenario.
#pragma once

#include <functional>
#include <string>

#include "scenarios/cli/exit_code.h"
#include "scenarios/cli/terminal.h"

namespace klab::cli {

/// Calls `body`; an assertion that fails in it becomes a message with what is needed to reproduce
/// it ("klab run `rerun`") and the exit code 70. Memory that runs out is no bug: exit code 2.
[[nodiscard]] ExitCode with_bug_report(const std::string& rerun,
                                       Terminal& terminal,
                                       const std::function<ExitCode()>& body);

/// "not enough memory". Takes little itself.
void report_no_memory(Terminal& terminal);

void report_bug(const std::string& what, const std::string& rerun, Terminal& terminal);

}  // namespace klab::cli
