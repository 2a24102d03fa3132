// SPDX-License-Identifier: Apache-2.0
//
// Exit codes of the klab program, and which of several counts.
//
// Called by: every command.
#pragma once

#include <cstdint>

namespace klab::cli {

enum class ExitCode : std::int32_t {
    kOk = 0,            ///< expectations hold
    kFailed = 1,        ///< an expectation or an invariant failed
    kWrongUse = 2,      ///< wrong arguments, a wrong scenario, an answer that could not be written
    kUndecided = 3,     ///< time limit reached, or a step that never fired
    kBug = 70,          ///< a bug in klab
    kInterrupted = 130  ///< Ctrl-C
};

/// The one that counts: 130, then 70, 2, 1, 3, 0.
[[nodiscard]] ExitCode worse(ExitCode a, ExitCode b);

}  // namespace klab::cli
