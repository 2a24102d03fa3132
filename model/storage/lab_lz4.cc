// SPDX-License-Identifier: Apache-2.0
//
// An lz4 block. A sequence is a token (literals << 4 | length - 4), more bytes where one of them is
// 15 or above, the literals, and the distance in two bytes, low byte first. The last sequence ends
// after its literals.
#include "model/storage/lab_encoder.h"
#include "model/storage/lz_matches.h"
#include "sim/base/assert.h"

namespace klab::storage {

namespace {

/// The format's own end conditions: the last match begins 12 bytes before the end or earlier, the
/// last 5 bytes are literals.
constexpr LzRules kRules{.distance_max = 65'535,
                         .length_max = 65'536,
                         .tail_without_start = 12,
                         .tail_without_match = 5};

std::uint8_t nibble_of(std::uint32_t value) {
    return static_cast<std::uint8_t>(value < 15 ? value : 15);
}

/// The part of a length that does not fit its nibble: 255 as often as needed, then the rest.
void put_rest_of_length(Bytes& out, std::uint32_t value) {
    if (value < 15) {
        return;
    }
    for (value -= 15; value >= 255; value -= 255) {
        out.push_back(255);
    }
    out.push_back(static_cast<std::uint8_t>(value));
}

}  // namespace

Bytes lab_lz4_block(ByteView content) {
    KLAB_ASSERT(!content.empty() && content.size() <= 65'536, "{} bytes", content.size());
    Bytes out;
    out.reserve(content.size() + 16);
    std::size_t at = 0;
    for (const LzStep& step : find_matches(content, kRules)) {
        const std::uint32_t length = step.length == 0 ? 0 : step.length - kMatchMin;
        out.push_back(static_cast<std::uint8_t>(nibble_of(step.literals) << 4 | nibble_of(length)));
        put_rest_of_length(out, step.literals);
        const ByteView literals = content.subspan(at, step.literals);
        out.insert(out.end(), literals.begin(), literals.end());
        at += step.literals + step.length;
        if (step.length > 0) {
            out.push_back(static_cast<std::uint8_t>(step.distance));
            out.push_back(static_cast<std::uint8_t>(step.distance >> 8));
            put_rest_of_length(out, length);
        }
    }
    return out;
}

}  // namespace klab::storage
