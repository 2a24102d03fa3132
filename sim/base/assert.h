// SPDX-License-Identifier: Apache-2.0
//
// KLAB_ASSERT: states what must hold whatever the input. It is on in every build type, because a
// wrong run is worse than a stopped one. A failure is a bug in klab, never the user's fault: no
// scenario file may reach one.
//
// Called by: everything. Caught only at the run boundary (scenarios/run), which turns it into exit
// code 70 with the line needed to reproduce it.
#pragma once

#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace klab {

/// Thrown by KLAB_ASSERT. `what()` holds file, line, the condition and the text.
class AssertionFailure : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

namespace detail {
[[noreturn]] void assertion_failed(const char* file,
                                   int line,
                                   const char* condition,
                                   const std::string& text);
}  // namespace detail

}  // namespace klab

/// KLAB_ASSERT(condition, "text {}", value): throws AssertionFailure when the condition is false.
#define KLAB_ASSERT(condition, ...)                                          \
    do {                                                                     \
        if (!(condition)) [[unlikely]] {                                     \
            ::klab::detail::assertion_failed(                                \
                __FILE__, __LINE__, #condition, ::fmt::format(__VA_ARGS__)); \
        }                                                                    \
    } while (false)
