// SPDX-License-Identifier: Apache-2.0
//
// DEFLATE with the fixed Huffman codes of RFC 1951 section 3.2.6, or stored blocks where those are
// shorter.
#include <algorithm>
#include <array>

#include "model/storage/bit_writer.h"
#include "model/storage/lab_encoder.h"
#include "model/storage/lz_matches.h"

namespace klab::storage {

namespace {

constexpr LzRules kRules{.distance_max = 32'768, .length_max = 258};
constexpr std::size_t kStoredMax = 65'535;
constexpr std::uint32_t kEndOfBlock = 256;
constexpr std::uint32_t kFirstLength = 257;

/// Lengths 3 to 258 and distances 1 to 32768, section 3.2.5.
constexpr std::array<ValueCode, 29> kLengths = {{
    {3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1},  {13, 1},
    {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3},  {59, 3},
    {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0},
}};
constexpr std::array<ValueCode, 30> kDistances = {{
    {1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},
    {9, 2},     {13, 2},    {17, 3},    {25, 3},     {33, 4},     {49, 4},
    {65, 5},    {97, 5},    {129, 6},   {193, 6},    {257, 7},    {385, 7},
    {513, 8},   {769, 8},   {1025, 9},  {1537, 9},   {2049, 10},  {3073, 10},
    {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13},
}};

/// Huffman codes go in from their highest bit on.
void put_huffman(BitWriter& bits, std::uint32_t code, unsigned width) {
    for (unsigned bit = width; bit > 0; --bit) {
        bits.put(code >> (bit - 1) & 1U, 1);
    }
}

/// A symbol of the literal and length alphabet.
void put_symbol(BitWriter& bits, std::uint32_t symbol) {
    if (symbol < 144) {
        put_huffman(bits, 0x30 + symbol, 8);
    } else if (symbol < 256) {
        put_huffman(bits, 0x190 + (symbol - 144), 9);
    } else if (symbol < 280) {
        put_huffman(bits, symbol - 256, 7);
    } else {
        put_huffman(bits, 0xC0 + (symbol - 280), 8);
    }
}

void put_match(BitWriter& bits, const LzStep& step) {
    const std::uint32_t length = code_of(kLengths, step.length);
    put_symbol(bits, kFirstLength + length);
    bits.put(step.length - kLengths.at(length).base, kLengths.at(length).extra_bits);
    const std::uint32_t distance = code_of(kDistances, step.distance);
    put_huffman(bits, distance, 5);
    bits.put(step.distance - kDistances.at(distance).base, kDistances.at(distance).extra_bits);
}

Bytes with_fixed_codes(ByteView content) {
    Bytes out;
    out.reserve(content.size() + 16);
    BitWriter bits(out);
    bits.put(1, 1);  // the last block
    bits.put(1, 2);  // fixed codes
    std::size_t at = 0;
    for (const LzStep& step : find_matches(content, kRules)) {
        for (const std::uint8_t literal : content.subspan(at, step.literals)) {
            put_symbol(bits, literal);
        }
        at += step.literals + step.length;
        if (step.length > 0) {
            put_match(bits, step);
        }
    }
    put_symbol(bits, kEndOfBlock);
    bits.align();
    return out;
}

std::size_t stored_size(std::size_t content) {
    constexpr std::size_t kHeader = 5;
    return content + kHeader * std::max<std::size_t>((content + kStoredMax - 1) / kStoredMax, 1);
}

Bytes stored(ByteView content) {
    Bytes out;
    out.reserve(stored_size(content.size()));
    BitWriter bits(out);
    do {
        const ByteView block = content.first(std::min(content.size(), kStoredMax));
        content = content.subspan(block.size());
        const auto size = static_cast<std::uint32_t>(block.size());
        bits.put(content.empty() ? 1 : 0, 1);
        bits.put(0, 2);
        bits.align();
        bits.put(size, 16);
        bits.put(~size & 0xFFFFU, 16);
        out.insert(out.end(), block.begin(), block.end());
    } while (!content.empty());
    return out;
}

}  // namespace

Bytes lab_deflate(ByteView content) {
    Bytes out = with_fixed_codes(content);
    return stored_size(content.size()) < out.size() ? stored(content) : out;
}

}  // namespace klab::storage
