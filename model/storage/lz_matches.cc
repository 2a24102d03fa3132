// SPDX-License-Identifier: Apache-2.0
//
// See lz_matches.h. A table remembers, for each hash of four bytes, where they were seen last.
#include "model/storage/lz_matches.h"

#include <algorithm>
#include <limits>

#include "sim/base/assert.h"

namespace klab::storage {

namespace {

constexpr unsigned kHashBits = 13;
constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

/// The four bytes at a place; the order of bytes is the same on every host.
std::uint32_t four_bytes(ByteView block, std::uint32_t at) {
    return block[at] | std::uint32_t{block[at + 1]} << 8 | std::uint32_t{block[at + 2]} << 16 |
           std::uint32_t{block[at + 3]} << 24;
}

std::uint32_t hash_of(std::uint32_t four) { return four * 2654435761U >> (32 - kHashBits); }

std::uint32_t match_length(ByteView block,
                           std::uint32_t earlier,
                           std::uint32_t at,
                           std::uint32_t end) {
    const std::uint32_t start = at;
    while (at < end && block[earlier] == block[at]) {
        ++earlier;
        ++at;
    }
    return at - start;
}

}  // namespace

std::vector<LzStep> find_matches(ByteView block, const LzRules& rules) {
    KLAB_ASSERT(rules.tail_without_start >= rules.tail_without_match + kMatchMin, "rules");
    KLAB_ASSERT(block.size() < kNowhere, "a block of {} bytes", block.size());
    const auto size = static_cast<std::uint32_t>(block.size());
    std::vector<std::uint32_t> seen(std::size_t{1} << kHashBits, kNowhere);
    std::vector<LzStep> steps;
    std::uint32_t literals_from = 0;
    std::uint32_t at = 0;
    while (size - at >= rules.tail_without_start) {
        const std::uint32_t four = four_bytes(block, at);
        std::uint32_t& slot = seen[hash_of(four)];
        const std::uint32_t earlier = slot;
        slot = at;
        if (earlier == kNowhere || at - earlier > rules.distance_max ||
            four_bytes(block, earlier) != four) {
            ++at;
            continue;
        }
        const std::uint32_t room = std::min(size - rules.tail_without_match - at, rules.length_max);
        const std::uint32_t length = match_length(block, earlier, at, at + room);
        steps.push_back({at - literals_from, length, at - earlier});
        const std::uint32_t end = at + length;
        for (++at; at < end && size - at >= kMatchMin; ++at) {
            seen[hash_of(four_bytes(block, at))] = at;
        }
        at = end;
        literals_from = end;
    }
    steps.push_back({size - literals_from, 0, 0});
    return steps;
}

}  // namespace klab::storage
