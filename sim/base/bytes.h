// SPDX-License-Identifier: Apache-2.0
//
// Bytes: what lies on a disk or travels in a message. `SharedBytes` is the immutable form that
// messages hold, so that copying a world copies no payload.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cow.h"

namespace klab {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;
using SharedBytes = Cow<Bytes>;

}  // namespace klab
