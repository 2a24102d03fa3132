// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/exit_code.h"

namespace klab::cli {

namespace {

std::int32_t badness(ExitCode code) {
    switch (code) {
        case ExitCode::kOk:
            return 0;
        case ExitCode::kUndecided:
            return 1;
        case ExitCode::kFailed:
            return 2;
        case ExitCode::kWrongUse:
            return 3;
        case ExitCode::kBug:
            return 4;
        case ExitCode::kInterrupted:
            return 5;
    }
    return 4;
}

}  // namespace

ExitCode worse(ExitCode a, ExitCode b) { return badness(a) >= badness(b) ? a : b; }

}  // namespace klab::cli
