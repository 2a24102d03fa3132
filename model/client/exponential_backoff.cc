// SPDX-License-Identifier: Apache-2.0
//
// The backoff formula in integers.
#include "model/client/exponential_backoff.h"

#include <algorithm>

namespace klab::client {

Duration ExponentialBackoff::draw(sim::Context& ctx,
                                  sim::ChoiceSite site,
                                  std::uint32_t attempts) const {
    if (max_ms <= initial_ms) {
        return milliseconds(std::min(initial_ms, max_ms));
    }
    std::int64_t term = std::max<std::int64_t>(initial_ms, 1);
    for (std::uint32_t i = 0; i < attempts && term < max_ms; ++i) {
        term *= 2;
    }
    term = std::min(term, max_ms);
    const Duration low = milliseconds(term) * 8 / 10;
    const Duration high = milliseconds(term) * 12 / 10;
    return std::min(ctx.spread(site, low, high), milliseconds(max_ms));
}

}  // namespace klab::client
