// SPDX-License-Identifier: Apache-2.0
//
// A snappy block: the content's length as a varint, then elements. The two low bits of an element's
// first byte say what it is: 0 literals, 1 a short copy from nearby, 2 a copy of up to 64 bytes
// from up to 65,535 back.
#include <algorithm>

#include "model/storage/lab_encoder.h"
#include "model/storage/lz_matches.h"
#include "model/storage/varint.h"
#include "sim/base/assert.h"

namespace klab::storage {

namespace {

constexpr LzRules kRules{.distance_max = 65'535, .length_max = 65'536};
constexpr std::uint32_t kCopyMax = 64;

void put_literals(Bytes& out, ByteView literals) {
    if (literals.empty()) {
        return;
    }
    const std::size_t less_one = literals.size() - 1;
    if (less_one < 60) {
        out.push_back(static_cast<std::uint8_t>(less_one << 2));
    } else if (less_one < 256) {
        out.push_back(60U << 2);
        out.push_back(static_cast<std::uint8_t>(less_one));
    } else {
        out.push_back(61U << 2);
        out.push_back(static_cast<std::uint8_t>(less_one));
        out.push_back(static_cast<std::uint8_t>(less_one >> 8));
    }
    out.insert(out.end(), literals.begin(), literals.end());
}

void put_copy(Bytes& out, std::uint32_t length, std::uint32_t distance) {
    if (length >= 4 && length < 12 && distance < 2048) {
        out.push_back(static_cast<std::uint8_t>((distance >> 8) << 5 | (length - 4) << 2 | 1));
        out.push_back(static_cast<std::uint8_t>(distance));
        return;
    }
    out.push_back(static_cast<std::uint8_t>((length - 1) << 2 | 2));
    out.push_back(static_cast<std::uint8_t>(distance));
    out.push_back(static_cast<std::uint8_t>(distance >> 8));
}

}  // namespace

Bytes lab_snappy_block(ByteView content) {
    KLAB_ASSERT(content.size() <= 65'536, "{} bytes", content.size());
    Bytes out;
    out.reserve(content.size() + 16);
    write_unsigned_varint(out, static_cast<std::uint32_t>(content.size()));
    std::size_t at = 0;
    for (const LzStep& step : find_matches(content, kRules)) {
        put_literals(out, content.subspan(at, step.literals));
        at += step.literals + step.length;
        for (std::uint32_t left = step.length; left > 0;) {
            const std::uint32_t length = std::min(left, kCopyMax);
            put_copy(out, length, step.distance);
            left -= length;
        }
    }
    return out;
}

}  // namespace klab::storage
