// SPDX-License-Identifier: Apache-2.0
//
// Event hashing with XXH3 (128 bits). Words are laid out in one fixed order; the hosts klab
// supports are little-endian, which the static_assert below states.
#include "sim/trace/trace_hash.h"

#include <array>
#include <bit>
#include <cstddef>

#include <fmt/format.h>
#include <xxhash.h>

namespace klab::sim {

static_assert(std::endian::native == std::endian::little,
              "trace hashes are defined on little-endian words");

void TraceHash::add(const Event& event) {
    std::array<std::uint64_t, 6 + kEventFieldsMax + kEventCausesMax> words;
    std::size_t n = 0;
    words[n++] = high;
    words[n++] = low;
    words[n++] = event.id.value();
    words[n++] = static_cast<std::uint64_t>(event.time.ns);
    words[n++] = event.node ? event.node->value() : ~std::uint64_t{0};
    words[n++] = std::uint64_t{event.kind.value()} | std::uint64_t{event.field_count} << 16 |
                 std::uint64_t{event.cause_count} << 24;
    for (std::size_t i = 0; i < event.field_count; ++i) {
        words[n++] = static_cast<std::uint64_t>(event.fields[i]);
    }
    for (std::size_t i = 0; i < event.cause_count; ++i) {
        words[n++] = event.causes[i].value();
    }
    const XXH128_hash_t hash = XXH3_128bits(words.data(), n * sizeof(std::uint64_t));
    high = hash.high64;
    low = hash.low64;
}

void TraceHash::add_content(std::string_view content) {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(content.data(), content.size(), high ^ low);
    high ^= hash.high64;
    low += hash.low64;
}

std::string TraceHash::text() const { return fmt::format("{:016x}{:016x}", high, low); }

}  // namespace klab::sim
