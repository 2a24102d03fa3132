// SPDX-License-Identifier: Apache-2.0
//
// BitWriter: values of a few bits each, packed into bytes from the low bit up, as DEFLATE and zstd
// want them; and the code tables both use, where a code stands for a range of values and extra bits
// say which one.
//
// Called by: lab_deflate.cc, lab_zstd.cc.
#pragma once

#include <cstdint>
#include <span>

#include "sim/base/bytes.h"

namespace klab::storage {

/// Appends bits to a byte vector that the caller owns.
class BitWriter {
  public:
    explicit BitWriter(Bytes& out) : out_(&out) {}

    /// Requires: bits <= 32, value below 2^bits.
    void put(std::uint32_t value, unsigned bits) {
        pending_ |= std::uint64_t{value} << count_;
        count_ += bits;
        for (; count_ >= 8; count_ -= 8, pending_ >>= 8) {
            out_->push_back(static_cast<std::uint8_t>(pending_));
        }
    }

    /// Fills the last byte with zeros.
    void align() {
        if (count_ > 0) {
            put(0, 8 - count_);
        }
    }

  private:
    Bytes* out_;
    std::uint64_t pending_ = 0;
    unsigned count_ = 0;  // bits in pending_, below 8 between calls
};

/// A code that stands for the values from `base` on, below that of the next row.
struct ValueCode {
    std::uint32_t base = 0;
    std::uint8_t extra_bits = 0;
};

/// The code of a value. Requires: rows ascend, the first is not above the value.
[[nodiscard]] constexpr std::uint32_t code_of(std::span<const ValueCode> rows,
                                              std::uint32_t value) {
    std::uint32_t code = 0;
    while (code + 1 < rows.size() && rows[code + 1].base <= value) {
        ++code;
    }
    return code;
}

}  // namespace klab::storage
