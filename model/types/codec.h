// SPDX-License-Identifier: Apache-2.0
//
// Codec: how the records of a batch are compressed, by Kafka's numbers and names.
//
// Called by: settings (compression.type of producers and topics), storage, client.
// Kafka: CompressionType, BrokerCompressionType. KIP-110 (zstd), KIP-390 (levels).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace klab::types {

/// The number stands in the attributes of a batch; 5 to 7 are nobody's.
enum class Codec : std::uint8_t { kNone = 0, kGzip = 1, kSnappy = 2, kLz4 = 3, kZstd = 4 };

inline constexpr std::array<Codec, 5> kAllCodecs = {
    Codec::kNone, Codec::kGzip, Codec::kSnappy, Codec::kLz4, Codec::kZstd};

/// "none", "gzip", ...
[[nodiscard]] std::string_view to_text(Codec codec);

/// The codec with that name. A topic says "uncompressed" for kNone; its "producer" names no codec.
[[nodiscard]] std::optional<Codec> find_codec(std::string_view name);

}  // namespace klab::types
