// SPDX-License-Identifier: Apache-2.0
//
// murmur2, the hash by which a producer chooses the partition of a keyed record. Every client of
// Kafka that wants to meet the Java client in the same partition needs this very variant.
//
// Called by: client (partitioner).
// Kafka: Utils.murmur2, Utils.toPositive, BuiltInPartitioner.partitionForKey.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/bytes.h"

namespace klab::types {

/// The 32-bit hash of the bytes, signed as in Java. Linear in the length.
[[nodiscard]] std::int32_t murmur2(ByteView bytes);

/// The same of the bytes of a text.
[[nodiscard]] std::int32_t murmur2(std::string_view text);

/// The partition of a keyed record: the hash without its sign bit, modulo the number of partitions
/// of the topic (those without leader count too). Requires: partitions > 0.
[[nodiscard]] std::int32_t partition_for_key(ByteView key, std::int32_t partitions);

}  // namespace klab::types
