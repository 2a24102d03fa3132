// SPDX-License-Identifier: Apache-2.0
//
// See crc32c.h. The table way handles eight bytes a step (slicing by 8).
#include "model/storage/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace klab::storage {

namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
    Tables tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
        }
        tables[0][i] = crc;
    }
    for (std::size_t t = 1; t < 8; ++t) {
        for (std::size_t i = 0; i < 256; ++i) {
            const std::uint32_t previous = tables[t - 1][i];
            tables[t][i] = (previous >> 8) ^ tables[0][previous & 0xFFU];
        }
    }
    return tables;
}

constexpr Tables kTables = make_tables();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t extend_by_instruction(std::uint32_t crc,
                                                                      ByteView bytes) {
    const std::uint8_t* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t state = ~crc;
    for (; left >= 8; at += 8, left -= 8) {
        std::uint64_t word;
        std::memcpy(&word, at, 8);
        state = _mm_crc32_u64(state, word);
    }
    auto narrow = static_cast<std::uint32_t>(state);
    for (; left > 0; ++at, --left) {
        narrow = _mm_crc32_u8(narrow, *at);
    }
    return ~narrow;
}
#endif

}  // namespace

std::uint32_t crc32c_extend_by_table(std::uint32_t crc, ByteView bytes) {
    const std::uint8_t* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint32_t state = ~crc;
    for (; left >= 8; at += 8, left -= 8) {
        const std::uint32_t low =
            state ^
            (static_cast<std::uint32_t>(at[0]) | static_cast<std::uint32_t>(at[1]) << 8 |
             static_cast<std::uint32_t>(at[2]) << 16 | static_cast<std::uint32_t>(at[3]) << 24);
        state = kTables[7][low & 0xFFU] ^ kTables[6][(low >> 8) & 0xFFU] ^
                kTables[5][(low >> 16) & 0xFFU] ^ kTables[4][low >> 24] ^ kTables[3][at[4]] ^
                kTables[2][at[5]] ^ kTables[1][at[6]] ^ kTables[0][at[7]];
    }
    for (; left > 0; ++at, --left) {
        state = (state >> 8) ^ kTables[0][(state ^ *at) & 0xFFU];
    }
    return ~state;
}

std::uint32_t crc32c_extend(std::uint32_t crc, ByteView bytes) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2")) {
        return extend_by_instruction(crc, bytes);
    }
#endif
    return crc32c_extend_by_table(crc, bytes);
}

std::uint32_t crc32c(ByteView bytes) { return crc32c_extend(0, bytes); }

}  // namespace klab::storage
