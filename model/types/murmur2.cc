// SPDX-License-Identifier: Apache-2.0
//
// See murmur2.h. All arithmetic is modulo 2^32, bytes are unsigned, words little-endian.
#include "model/types/murmur2.h"

#include "sim/base/assert.h"

namespace klab::types {

namespace {

constexpr std::uint32_t kSeed = 0x9747b28cU;
constexpr std::uint32_t kMultiplier = 0x5bd1e995U;

std::uint32_t byte_at(ByteView bytes, std::size_t i) { return bytes[i]; }

}  // namespace

std::int32_t murmur2(ByteView bytes) {
    std::uint32_t hash = kSeed ^ static_cast<std::uint32_t>(bytes.size());
    while (bytes.size() >= 4) {
        std::uint32_t word = byte_at(bytes, 0) | byte_at(bytes, 1) << 8 | byte_at(bytes, 2) << 16 |
                             byte_at(bytes, 3) << 24;
        word *= kMultiplier;
        word ^= word >> 24;
        word *= kMultiplier;
        hash *= kMultiplier;
        hash ^= word;
        bytes = bytes.subspan(4);
    }
    if (!bytes.empty()) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            hash ^= byte_at(bytes, i) << (8 * i);
        }
        hash *= kMultiplier;
    }
    hash ^= hash >> 13;
    hash *= kMultiplier;
    hash ^= hash >> 15;
    return static_cast<std::int32_t>(hash);
}

std::int32_t murmur2(std::string_view text) {
    const Bytes bytes(text.begin(), text.end());
    return murmur2(ByteView(bytes));
}

std::int32_t partition_for_key(ByteView key, std::int32_t partitions) {
    KLAB_ASSERT(partitions > 0, "a topic has at least one partition, not {}", partitions);
    return (murmur2(key) & 0x7fffffff) % partitions;
}

}  // namespace klab::types
