// SPDX-License-Identifier: Apache-2.0
//
// From the words of the command line to a command: options, help, and what is said about a word
// that klab does not know.
//
// Called by: main.
#pragma once

#include "scenarios/cli/exit_code.h"
#include "scenarios/cli/terminal.h"

namespace klab::cli {

/// The whole program but for signals and the final flush.
[[nodiscard]] ExitCode run_command_line(int argc, const char* const* argv, Terminal& terminal);

}  // namespace klab::cli
