// SPDX-License-Identifier: Apache-2.0
//
// ExponentialBackoff: initial, doubled with each attempt up to a maximum, times a jitter between
// 0.8 and 1.2 that is drawn anew at every use (a keyed choice of 32 levels; calm = 0.8).
//
// Called by: reconnects, retries of batches and of metadata. Kafka: ExponentialBackoff; KIP-580.
// Simplified: the exponent is a whole number, so the last step before the maximum is the maximum.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/kernel/context.h"

namespace klab::client {

namespace sites {
inline constexpr sim::ChoiceSite kReconnectJitter{64, "client.reconnect_jitter"};
inline constexpr sim::ChoiceSite kRetryJitter{65, "client.retry_jitter"};
inline constexpr sim::ChoiceSite kLeastLoaded{66, "client.least_loaded_node"};
inline constexpr sim::ChoiceSite kStickyPartition{67, "client.sticky_partition"};
}  // namespace sites

struct ExponentialBackoff {
    std::int64_t initial_ms = 0;
    std::int64_t max_ms = 0;

    /// The pause before the attempt after `attempts` failed ones (from 0). Without room between
    /// initial and maximum it is constant and draws nothing.
    [[nodiscard]] Duration draw(sim::Context& ctx,
                                sim::ChoiceSite site,
                                std::uint32_t attempts) const;

    friend bool operator==(const ExponentialBackoff&, const ExponentialBackoff&) = default;
};

}  // namespace klab::client
