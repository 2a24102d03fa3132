// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C: the signal only sets a flag, which the loops of run and sweep ask; so files that are
// being written are finished and the folder stays readable. A second Ctrl-C ends the program at
// once.
//
// Owns: the handlers of SIGINT, SIGTERM and SIGPIPE. Called by: main, run and sweep.
#pragma once

namespace klab::cli {

/// SIGPIPE is ignored from then on: a broken pipe is an error of a write.
void catch_signals();

[[nodiscard]] bool interrupted();

}  // namespace klab::cli
