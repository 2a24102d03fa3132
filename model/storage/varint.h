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

namespace detail {
/// Here, because a record has half a dozen of them, most of one group. An overlong sequence is an
/// error; surplus bits in the last allowed group are dropped, as Kafka's shifts do.
template <typename U>
[[nodiscard]] U read_groups(ByteReader& reader) {
    U value = 0;
    for (unsigned shift = 0; shift < sizeof(U) * 8; shift += 7) {
        const std::uint8_t group = reader.get<std::uint8_t>();  // 0, so the last one, at the end
        value = static_cast<U>(value | (static_cast<U>(group & 0x7FU) << shift));
        if ((group & 0x80U) == 0) {
            return reader.ok() ? value : 0;
        }
    }
    reader.fail(ReadError::kOverlongVarint);
    return 0;
}
}  // namespace detail

/// Read one. Errors: the reader fails with kOutOfBytes or kOverlongVarint, and 0 is returned.
[[nodiscard]] inline std::uint32_t read_unsigned_varint(ByteReader& reader) {
    return detail::read_groups<std::uint32_t>(reader);
}

[[nodiscard]] inline std::int32_t read_varint(ByteReader& reader) {
    return zigzag_decode(detail::read_groups<std::uint32_t>(reader));
}

[[nodiscard]] inline std::int64_t read_varlong(ByteReader& reader) {
    return zigzag_decode_long(detail::read_groups<std::uint64_t>(reader));
}

}  // namespace klab::storage
