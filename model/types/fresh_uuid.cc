// SPDX-License-Identifier: Apache-2.0
//
// See fresh_uuid.h.
#include "model/types/fresh_uuid.h"

#include <fmt/format.h>

namespace klab::types {

Uuid fresh_uuid(sim::Context& ctx, FreshIdKind kind) {
    const sim::FreshId bits = ctx.fresh_id(static_cast<std::uint32_t>(kind));
    Uuid id;
    id.high = (bits.high & ~std::uint64_t{0xF000}) | 0x4000;                     // version 4
    id.low = (bits.low & ~(std::uint64_t{3} << 62)) | (std::uint64_t{1} << 63);  // variant
    if (id.text().starts_with('-')) {
        // Command lines would read such an id as an option; Kafka draws again.
        id.high ^= std::uint64_t{1} << 63;
    }
    return id;
}

namespace {

/// The value of a character of URL-safe base64.
std::optional<std::uint32_t> base64_value(char c) {
    constexpr std::string_view kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const std::size_t at = kAlphabet.find(c);
    return at == std::string_view::npos ? std::nullopt
                                        : std::optional(static_cast<std::uint32_t>(at));
}

}  // namespace

std::optional<Uuid> parse_uuid(std::string_view text) {
    // 22 characters carry 132 bits: the last 4 are padding.
    constexpr std::size_t kCharacters = 22;
    if (text.size() != kCharacters) {
        return std::nullopt;
    }
    Uuid id;
    for (std::size_t i = 0; i < kCharacters; ++i) {
        const auto value = base64_value(text[i]);
        if (!value) {
            return std::nullopt;
        }
        const bool is_last = i + 1 == kCharacters;
        const std::uint32_t bits = is_last ? 2 : 6;
        const std::uint64_t added = is_last ? *value >> 4U : *value;
        id.high = (id.high << bits) | (id.low >> (64U - bits));
        id.low = (id.low << bits) | added;
    }
    return id;
}

std::string hex_text(const Uuid& id) { return fmt::format("{:016x}{:016x}", id.high, id.low); }

}  // namespace klab::types
