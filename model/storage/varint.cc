// SPDX-License-Identifier: Apache-2.0
//
// See varint.h.
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

}  // namespace

std::size_t size_of_unsigned_varint(std::uint32_t value) { return size_of_groups(value); }

std::size_t size_of_varint(std::int32_t value) { return size_of_groups(zigzag_encode(value)); }

std::size_t size_of_varlong(std::int64_t value) {
    return size_of_groups(zigzag_encode_long(value));
}

void write_unsigned_varint(Bytes& out, std::uint32_t value) { write_groups(out, value); }

void write_varint(Bytes& out, std::int32_t value) { write_groups(out, zigzag_encode(value)); }

void write_varlong(Bytes& out, std::int64_t value) { write_groups(out, zigzag_encode_long(value)); }

}  // namespace klab::storage
