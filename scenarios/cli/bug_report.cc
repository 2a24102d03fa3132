// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/bug_report.h"

#include <new>

#include <fmt/format.h>

#include "sim/base/assert.h"

namespace klab::cli {

void report_bug(const std::string& what, const std::string& rerun, Terminal& terminal) {
    terminal.message(
        fmt::format("klab: this is a bug in klab, not in your scenario\n"
                    "  {}\n"
                    "  again:     klab run {}\n"
                    "  to report: send these lines and the scenario file (klab {})\n",
                    what,
                    rerun,
                    KLAB_VERSION));
}

void report_no_memory(Terminal& terminal) {
    terminal.message("klab: not enough memory for this\n");
}

ExitCode with_bug_report(const std::string& rerun,
                         Terminal& terminal,
                         const std::function<ExitCode()>& body) {
    try {
        return body();
    } catch (const AssertionFailure& failure) {
        report_bug(failure.what(), rerun, terminal);
    } catch (const std::bad_alloc&) {
        report_no_memory(terminal);
        return ExitCode::kWrongUse;
    }
    return ExitCode::kBug;
}

}  // namespace klab::cli
