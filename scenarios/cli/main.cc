// SPDX-License-Identifier: Apache-2.0
//
// The klab program.
#include <exception>
#include <new>

#include <fmt/format.h>

#include "scenarios/cli/bug_report.h"
#include "scenarios/cli/command_line.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/terminal.h"

namespace {

using klab::cli::ExitCode;

ExitCode run_guarded(int argc, const char* const* argv, klab::cli::Terminal& terminal) {
    try {
        return klab::cli::run_command_line(argc, argv, terminal);
    } catch (const std::bad_alloc&) {
        klab::cli::report_no_memory(terminal);
        return ExitCode::kWrongUse;
    } catch (const std::exception& problem) {
        terminal.message(fmt::format(
            "klab: this is a bug in klab\n"
            "  {}\n"
            "  to report: send this line, the command and the scenario file (klab {})\n",
            problem.what(),
            KLAB_VERSION));
        return ExitCode::kBug;
    }
}

}  // namespace

int main(int argc, char** argv) {
    klab::cli::catch_signals();
    klab::cli::Terminal terminal;
    ExitCode code = run_guarded(argc, argv, terminal);
    if (!terminal.flush()) {
        code = worse(code, ExitCode::kWrongUse);
    }
    return static_cast<int>(code);
}
