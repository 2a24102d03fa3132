// SPDX-License-Identifier: Apache-2.0
//
// IoThrottle: keeps the reading and writing of the cleaner below a rate, on average. It counts the
// bytes of a period; once the period is longer than 300 ms and the rate was too high, it asks for a
// rest that brings the average down to the limit, and a new period begins.
//
// Called by: the log cleaner of a broker; all its threads share one.
// Kafka: Throttler.
// Simplified: whole bytes a second, at least 1 (Kafka: a double); no limit from 9.2 * 10^9 on.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/time.h"

namespace klab::storage::cleaner {

class IoThrottle {
  public:
    static constexpr Duration kCheckInterval = milliseconds(300);

    /// No limit.
    IoThrottle() = default;

    /// Nothing = no limit.
    IoThrottle(std::optional<std::int64_t> bytes_per_second, Time now)
        : bytes_per_second_(bytes_per_second), period_start_(now) {}

    /// `bytes` were read or written up to `now`. How long to rest before the next ones.
    [[nodiscard]] Duration note(std::uint64_t bytes, Time now);

    friend bool operator==(const IoThrottle&, const IoThrottle&) = default;

  private:
    std::optional<std::int64_t> bytes_per_second_;
    Time period_start_;
    std::uint64_t bytes_ = 0;  // since the start of the period
};

}  // namespace klab::storage::cleaner
