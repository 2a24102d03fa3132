// SPDX-License-Identifier: Apache-2.0
//
// The cold half of KLAB_ASSERT.
#include "sim/base/assert.h"

namespace klab::detail {

void assertion_failed(const char* file, int line, const char* condition, const std::string& text) {
    throw AssertionFailure(fmt::format("{}:{}: {} does not hold: {}", file, line, condition, text));
}

}  // namespace klab::detail
