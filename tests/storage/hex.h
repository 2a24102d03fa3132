// SPDX-License-Identifier: Apache-2.0
//
// Bytes from and to hexadecimal text, as the test vectors are written.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/bytes.h"

namespace klab::storage {

/// Ignores everything that is not a hexadecimal digit.
inline Bytes from_hex(std::string_view text) {
    Bytes out;
    unsigned pending = 0;
    bool is_second = false;
    for (const char c : text) {
        if (std::isxdigit(static_cast<unsigned char>(c)) == 0) {
            continue;
        }
        const auto digit = static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        pending = pending * 16 + digit;
        if (is_second) {
            out.push_back(static_cast<std::uint8_t>(pending));
            pending = 0;
        }
        is_second = !is_second;
    }
    return out;
}

inline std::string to_hex(ByteView bytes) {
    std::string out;
    for (const std::uint8_t byte : bytes) {
        out += fmt::format("{:02x}", byte);
    }
    return out;
}

}  // namespace klab::storage
