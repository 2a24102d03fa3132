// SPDX-License-Identifier: Apache-2.0
//
// See io_throttle.h.
#include "model/storage/cleaner/io_throttle.h"

#include <algorithm>

namespace klab::storage::cleaner {

Duration IoThrottle::note(std::uint64_t bytes, Time now) {
    if (!bytes_per_second_) {
        return {};
    }
    bytes_ += bytes;
    const Duration elapsed = now - period_start_;
    if (elapsed <= kCheckInterval || bytes_ == 0) {
        return {};
    }
    // ms that these bytes should have taken, rounded; in parts, so that nothing overflows.
    const auto rate = static_cast<std::uint64_t>(std::max<std::int64_t>(*bytes_per_second_, 1));
    const std::uint64_t fair_ms = bytes_ / rate * 1000 + ((bytes_ % rate) * 1000 + rate / 2) / rate;
    const Duration rest =
        milliseconds(static_cast<std::int64_t>(fair_ms)) - milliseconds(elapsed.to_ms());
    const Duration sleep = std::max(rest, Duration{});
    period_start_ = now + sleep;
    bytes_ = 0;
    return sleep;
}

}  // namespace klab::storage::cleaner
