// SPDX-License-Identifier: Apache-2.0
//
// Decimal numbers without floating point: a setting such as "0.5" as a whole number of billionths.
//
// Called by: settings.cc (kind and range of a setting), config_reader.cc.
// Kafka: Double.parseDouble. Simplified: nine digits after the point; no NaN, Infinity or hex.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace klab::types {

inline constexpr std::int64_t kBillion = 1'000'000'000;

/// Digits with an optional sign, point and exponent, times 10^9. Further digits are cut off; what
/// is too large becomes the largest int64, or the smallest. Nothing when it is no number.
[[nodiscard]] std::optional<std::int64_t> billionths_of(std::string_view text);

}  // namespace klab::types
