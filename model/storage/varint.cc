// SPDX-License-Identifier: Apache-2.0
//
// See varint.h. An overlong sequence is an error; surplus bits in the last allowed group are
// dropped, as Kafka's shifts do.
#include "model/storage/varint.h"

namespace klab::storage {

namespace {

template <typename U>
std::size_t size_of_groups(U value) {
    std::size_t size = 1;
    while (value >= 0x80U) {
        value = static_cast<U>(value >> 7);
        ++size;
    }
    return size;
}

template <typename U>
void write_groups(Bytes& out, U value) {
    while (value >= 0x80U) {
        out.push_back(static_cast<std::uint8_t>((value & 0x7FU) | 0x80U));
        value = static_cast<U>(value >> 7);
    }
    out.push_back(static_cast<std::uint8_t>(value));
}

template <typename U>
U read_groups(ByteReader& reader) {
    constexpr unsigned kBits = sizeof(U) * 8;
    U value = 0;
    for (unsigned shift = 0; shift < kBits; shift += 7) {
        const std::uint8_t group = reader.get<std::uint8_t>();
        if (!reader.ok()) {
            return 0;
        }
        value = static_cast<U>(value | (static_cast<U>(group & 0x7FU) << shift));
        if ((group & 0x80U) == 0) {
            return value;
        }
    }
    reader.fail(ReadError::kOverlongVarint);
    return 0;
}

}  // namespace

std::size_t size_of_unsigned_varint(std::uint32_t value) { return size_of_groups(value); }

std::size_t size_of_varint(std::int32_t value) { return size_of_groups(zigzag_encode(value)); }

std::size_t size_of_varlong(std::int64_t value) {
    return size_of_groups(zigzag_encode_long(value));
}

void write_unsigned_varint(Bytes& out, std::uint32_t value) { write_groups(out, value); }

void write_varint(Bytes& out, std::int32_t value) { write_groups(out, zigzag_encode(value)); }

void write_varlong(Bytes& out, std::int64_t value) { write_groups(out, zigzag_encode_long(value)); }

std::uint32_t read_unsigned_varint(ByteReader& reader) {
    return read_groups<std::uint32_t>(reader);
}

std::int32_t read_varint(ByteReader& reader) {
    return zigzag_decode(read_groups<std::uint32_t>(reader));
}

std::int64_t read_varlong(ByteReader& reader) {
    return zigzag_decode_long(read_groups<std::uint64_t>(reader));
}

}  // namespace klab::storage
