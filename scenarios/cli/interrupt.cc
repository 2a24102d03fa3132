// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/interrupt.h"

#include <atomic>
#include <csignal>

namespace klab::cli {

namespace {

// A signal handler has nowhere else to put it.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int /*number*/) {
    g_interrupted = true;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void catch_signals() {
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    std::signal(SIGPIPE, SIG_DFL);
}

bool interrupted() { return g_interrupted; }

}  // namespace klab::cli
