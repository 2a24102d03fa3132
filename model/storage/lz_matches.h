// SPDX-License-Identifier: Apache-2.0
//
// Repeated stretches of a block, found greedily: what the four formats have in common (LZ77). Each
// of them writes the same steps in bytes of its own.
//
//     "abcabcabcX"  ->  3 literals "abc", then 6 bytes from 3 back; then 1 literal "X"
//
// Called by: lab_deflate.cc, lab_snappy.cc, lab_lz4.cc, lab_zstd.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/bytes.h"

namespace klab::storage {

/// Shorter repetitions stay literals.
inline constexpr std::uint32_t kMatchMin = 4;

/// `literals` bytes as they are, then `length` bytes copied from `distance` back.
struct LzStep {
    std::uint32_t literals = 0;
    std::uint32_t length = 0;  ///< 0 in the last step only, or >= kMatchMin
    std::uint32_t distance = 0;

    friend bool operator==(const LzStep&, const LzStep&) = default;
};

/// What a format allows.
struct LzRules {
    std::uint32_t distance_max = 0;
    std::uint32_t length_max = 0;
    std::uint32_t tail_without_start = kMatchMin;  ///< no match begins in these last bytes
    std::uint32_t tail_without_match = 0;          ///< no match reaches into these
};

/// The steps that make up the block, ending with one of length 0 (perhaps without literals).
/// Requires: tail_without_start >= tail_without_match + kMatchMin. One pass, linear time.
[[nodiscard]] std::vector<LzStep> find_matches(ByteView block, const LzRules& rules);

}  // namespace klab::storage
