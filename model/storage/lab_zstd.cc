// SPDX-License-Identifier: Apache-2.0
//
// A compressed zstd block (RFC 8878, section 3.1.1.3): all literals as they are, then the
// sequences, whose three codes (literals, length, distance) are FSE coded with the predefined
// tables.
//
// An FSE coder is a state machine: a state stands for one symbol, and the reader gets from a state
// to that of the next symbol with a few bits. The reader walks the sequences forwards and the bits
// backwards from the end, so the writer goes through the sequences backwards and writes forwards.
#include <algorithm>
#include <array>
#include <bit>

#include "model/storage/bit_writer.h"
#include "model/storage/lab_encoder.h"
#include "model/storage/lz_matches.h"
#include "sim/base/assert.h"

namespace klab::storage {

namespace {

constexpr std::uint32_t kBlockMax = 131'072;
constexpr LzRules kRules{.distance_max = kBlockMax, .length_max = 65'535};

/// One state of a coder: which symbol it stands for, and which states follow it.
struct FseState {
    std::uint8_t symbol = 0;
    std::uint8_t bits = 0;    ///< the reader takes so many to find the next state
    std::uint16_t first = 0;  ///< the next state when those bits are 0
};

/// The states that a distribution of symbols gives, section 4.1.1. -1 means "less than 1".
template <unsigned kLog, std::size_t kSymbols>
constexpr std::array<FseState, std::size_t{1} << kLog> make_states(
    const std::array<int, kSymbols>& counts) {
    constexpr std::uint32_t kSize = 1U << kLog;
    std::array<FseState, kSize> states{};
    std::array<std::uint32_t, kSymbols> next{};
    std::uint32_t last_free = kSize;
    for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) {
        next[symbol] = counts[symbol] < 0 ? 1U : static_cast<std::uint32_t>(counts[symbol]);
        if (counts[symbol] < 0) {
            states[--last_free].symbol = static_cast<std::uint8_t>(symbol);
        }
    }
    std::uint32_t at = 0;
    for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) {
        for (int i = 0; i < counts[symbol]; ++i) {
            states[at].symbol = static_cast<std::uint8_t>(symbol);
            do {
                at = (at + (kSize >> 1) + (kSize >> 3) + 3) & (kSize - 1);
            } while (at >= last_free);
        }
    }
    for (FseState& state : states) {
        const std::uint32_t number = next[state.symbol]++;
        const auto width = static_cast<unsigned>(std::bit_width(number));
        state.bits = static_cast<std::uint8_t>(kLog + 1 - width);
        state.first = static_cast<std::uint16_t>((number << state.bits) - kSize);
    }
    return states;
}

// Section 3.1.1.3.2.2: the predefined distributions.
constexpr auto kLiteralStates =
    make_states<6>(std::array<int, 36>{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
                                       2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1});
constexpr auto kLengthStates = make_states<6>(std::array<int, 53>{
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1});
constexpr auto kDistanceStates = make_states<5>(std::array<int, 29>{
    1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1});

// Section 3.1.1.3.2.1: which code a value has. Lengths count from 3.
constexpr std::array<ValueCode, 36> kLiteralCodes = {{
    {0, 0},     {1, 0},      {2, 0},      {3, 0},      {4, 0},   {5, 0},     {6, 0},     {7, 0},
    {8, 0},     {9, 0},      {10, 0},     {11, 0},     {12, 0},  {13, 0},    {14, 0},    {15, 0},
    {16, 1},    {18, 1},     {20, 1},     {22, 1},     {24, 2},  {28, 2},    {32, 3},    {40, 3},
    {48, 4},    {64, 6},     {128, 7},    {256, 8},    {512, 9}, {1024, 10}, {2048, 11}, {4096, 12},
    {8192, 13}, {16384, 14}, {32768, 15}, {65536, 16},
}};
constexpr std::array<ValueCode, 53> kLengthCodes = {{
    {3, 0},     {4, 0},     {5, 0},      {6, 0},      {7, 0},      {8, 0},   {9, 0},     {10, 0},
    {11, 0},    {12, 0},    {13, 0},     {14, 0},     {15, 0},     {16, 0},  {17, 0},    {18, 0},
    {19, 0},    {20, 0},    {21, 0},     {22, 0},     {23, 0},     {24, 0},  {25, 0},    {26, 0},
    {27, 0},    {28, 0},    {29, 0},     {30, 0},     {31, 0},     {32, 0},  {33, 0},    {34, 0},
    {35, 1},    {37, 1},    {39, 1},     {41, 1},     {43, 2},     {47, 2},  {51, 3},    {59, 3},
    {67, 4},    {83, 4},    {99, 5},     {131, 7},    {259, 8},    {515, 9}, {1027, 10}, {2051, 11},
    {4099, 12}, {8195, 13}, {16387, 14}, {32771, 15}, {65539, 16},
}};

/// The codes of one sequence with their extra bits.
struct CodedValue {
    std::uint32_t code = 0;
    std::uint32_t extra = 0;
    unsigned extra_bits = 0;
};

CodedValue coded(std::span<const ValueCode> rows, std::uint32_t value) {
    const std::uint32_t code = code_of(rows, value);
    return {code, value - rows[code].base, rows[code].extra_bits};
}

/// Distances are counted from 4 on; 1 to 3 would mean "one of the last three".
CodedValue coded_distance(std::uint32_t distance) {
    const std::uint32_t value = distance + 3;
    const auto code = static_cast<std::uint32_t>(std::bit_width(value)) - 1;
    return {code, value - (1U << code), code};
}

/// Writes one of the three codes: a walk over states, from the last one to the first.
class FseWriter {
  public:
    explicit FseWriter(std::span<const FseState> states) : states_(states) {}

    /// Steps to a state of `symbol` from which the reader gets to the one before, and writes the
    /// bits it needs for that. The first call writes nothing.
    void put(BitWriter& bits, std::uint32_t symbol) {
        for (std::uint32_t i = 0; i < states_.size(); ++i) {
            const FseState& state = states_[i];
            const bool leads_on = state_ >= state.first && state_ - state.first < 1U << state.bits;
            if (state.symbol == symbol && (is_first_ || leads_on)) {
                if (!is_first_) {
                    bits.put(state_ - state.first, state.bits);
                }
                state_ = i;
                is_first_ = false;
                return;
            }
        }
        KLAB_ASSERT(false, "no state for symbol {}", symbol);
    }

    /// Where the reader begins.
    void finish(BitWriter& bits) const {
        bits.put(state_, static_cast<unsigned>(std::bit_width(states_.size())) - 1);
    }

  private:
    std::span<const FseState> states_;
    std::uint32_t state_ = 0;
    bool is_first_ = true;
};

void put_literals_section(Bytes& out, ByteView content, std::span<const LzStep> steps) {
    std::size_t total = 0;
    for (const LzStep& step : steps) {
        total += step.literals;
    }
    // Raw literals (type 0) with a size of 5, 12 or 20 bits.
    BitWriter bits(out);
    const auto size = static_cast<std::uint32_t>(total);
    if (size < 32) {
        bits.put(size << 3, 8);
    } else if (size < 4096) {
        bits.put(size << 4 | 1U << 2, 16);
    } else {
        bits.put(size << 4 | 3U << 2, 24);
    }
    std::size_t at = 0;
    for (const LzStep& step : steps) {
        const ByteView literals = content.subspan(at, step.literals);
        out.insert(out.end(), literals.begin(), literals.end());
        at += step.literals + step.length;
    }
}

void put_sequence_count(Bytes& out, std::size_t count) {
    BitWriter bits(out);
    if (count < 128) {
        bits.put(static_cast<std::uint32_t>(count), 8);
    } else if (count < 0x7F00) {
        bits.put(static_cast<std::uint32_t>(count >> 8) + 128, 8);
        bits.put(static_cast<std::uint32_t>(count & 0xFFU), 8);
    } else {
        bits.put(255, 8);
        bits.put(static_cast<std::uint32_t>(count - 0x7F00), 16);
    }
}

/// The order of codes and extra bits is that of the reader, turned round.
void put_sequences(Bytes& out, std::span<const LzStep> sequences) {
    FseWriter literals(kLiteralStates);
    FseWriter lengths(kLengthStates);
    FseWriter distances(kDistanceStates);
    BitWriter bits(out);
    for (auto step = sequences.rbegin(); step != sequences.rend(); ++step) {
        const CodedValue literal = coded(kLiteralCodes, step->literals);
        const CodedValue length = coded(kLengthCodes, step->length);
        const CodedValue distance = coded_distance(step->distance);
        distances.put(bits, distance.code);
        lengths.put(bits, length.code);
        literals.put(bits, literal.code);
        bits.put(literal.extra, literal.extra_bits);
        bits.put(length.extra, length.extra_bits);
        bits.put(distance.extra, distance.extra_bits);
    }
    lengths.finish(bits);
    distances.finish(bits);
    literals.finish(bits);
    bits.put(1, 1);  // the reader looks for the highest bit
    bits.align();
}

}  // namespace

Bytes lab_zstd_block(ByteView content) {
    KLAB_ASSERT(content.size() <= kBlockMax, "a block of {} bytes", content.size());
    const std::vector<LzStep> steps = find_matches(content, kRules);
    // The literals after the last match need no sequence.
    const auto sequences = std::span(steps).first(steps.size() - 1);
    Bytes out;
    out.reserve(content.size() + 16);
    put_literals_section(out, content, steps);
    put_sequence_count(out, sequences.size());
    if (!sequences.empty()) {
        out.push_back(0);  // all three tables predefined
        put_sequences(out, sequences);
    }
    return out;
}

}  // namespace klab::storage
