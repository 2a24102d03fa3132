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

void TraceHash::add(EventId id,
                    Time time,
                    std::optional<NodeId> node,
                    EventKind kind,
                    std::span<const std::int64_t> fields,
                    std::span<const EventId> causes) {
    std::array<std::uint64_t, 6 + kEventFieldsMax + kEventCausesMax> words;
    std::size_t n = 0;
    words[n++] = high;
    words[n++] = low;
    words[n++] = id.value();
    words[n++] = static_cast<std::uint64_t>(time.ns);
    words[n++] = node ? node->value() : ~std::uint64_t{0};
    words[n++] = std::uint64_t{kind.value()} | std::uint64_t{fields.size()} << 16 |
                 std::uint64_t{causes.size()} << 24;
    for (const std::int64_t field : fields) {
        words[n++] = static_cast<std::uint64_t>(field);
    }
    for (const EventId cause : causes) {
        words[n++] = cause.value();
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
