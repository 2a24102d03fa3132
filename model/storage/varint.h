// SPDX-License-Identifier: Apache-2.0
//
// Variable-length integers: base-128 groups, least significant first, high bit = more follow.
// Signed ones are zigzag coded first, so that small negative numbers stay short. Records use the
// signed form, compact arrays and tagged fields of messages the unsigned one.
//
// Called by: record.cc, record_batch_builder.cc and the codecs of metadata records.
// Kafka: common.utils.ByteUtils (readVarint, writeVarint, readUnsignedVarint, ...).
#pragma once

#include <cstdint>

#include "model/storage/byte_io.h"
#include "sim/base/bytes.h"

namespace klab::storage {

[[nodiscard]] constexpr std::uint32_t zigzag_encode(std::int32_t value) {
    return (static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31);
}

[[nodiscard]] constexpr std::int32_t zigzag_decode(std::uint32_t raw) {
    return static_cast<std::int32_t>((raw >> 1) ^ (~(raw & 1) + 1));
}

[[nodiscard]] constexpr std::uint64_t zigzag_encode_long(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

[[nodiscard]] constexpr std::int64_t zigzag_decode_long(std::uint64_t raw) {
    return static_cast<std::int64_t>((raw >> 1) ^ (~(raw & 1) + 1));
}

/// Bytes that `value` takes: 1..5 for 32 bits, 1..10 for 64.
[[nodiscard]] std::size_t size_of_unsigned_varint(std::uint32_t value);
[[nodiscard]] std::size_t size_of_varint(std::int32_t value);
[[nodiscard]] std::size_t size_of_varlong(std::int64_t value);

/// Append the encoded form to `out`.
void write_unsigned_varint(Bytes& out, std::uint32_t value);
void write_varint(Bytes& out, std::int32_t value);
void write_varlong(Bytes& out, std::int64_t value);

/// Read one. Errors: the reader fails with kOutOfBytes or kOverlongVarint, and 0 is returned.
[[nodiscard]] std::uint32_t read_unsigned_varint(ByteReader& reader);
[[nodiscard]] std::int32_t read_varint(ByteReader& reader);
[[nodiscard]] std::int64_t read_varlong(ByteReader& reader);

}  // namespace klab::storage
