// SPDX-License-Identifier: Apache-2.0
//
// Comparing a picture with its file under tests/viz/golden. KLAB_REWRITE=1 writes the files
// instead.
#pragma once

#include <string>

namespace klab::viz {

/// Fails the running test if `text` is not what the golden file `name` holds.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace klab::viz
