// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C: the signal only sets a flag, which the loops of run, sweep and disk ask; so files that
// are being written are finished and the folder stays readable. A second signal, the same or the
// other of the two, ends the program at once. So does a reader of a pipe that goes away, without a
// word, as with other tools of a shell.
//
// Owns: the handlers of SIGINT, SIGTERM and SIGPIPE. Called by: main, every long loop.
#pragma once

namespace klab::cli {

/// SIGPIPE ends the program from then on, whatever the parent process has set.
void catch_signals();

[[nodiscard]] bool interrupted();

}  // namespace klab::cli
