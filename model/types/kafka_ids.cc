// SPDX-License-Identifier: Apache-2.0
//
// Uuid in its two outer forms. Kafka: org.apache.kafka.common.Uuid.toString.
#include "model/types/kafka_ids.h"

namespace klab::types {

std::array<std::uint8_t, 16> Uuid::bytes() const {
    std::array<std::uint8_t, 16> out{};
    for (std::size_t i = 0; i < 8; ++i) {
        out[i] = static_cast<std::uint8_t>(high >> (56 - 8 * i));
        out[8 + i] = static_cast<std::uint8_t>(low >> (56 - 8 * i));
    }
    return out;
}

std::string Uuid::text() const {
    static constexpr char kAlphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const auto raw = bytes();
    std::string out;
    for (std::size_t i = 0; i < raw.size(); i += 3) {
        std::uint32_t group = static_cast<std::uint32_t>(raw[i]) << 16;
        const bool last = i + 1 >= raw.size();
        if (!last) {
            group |= static_cast<std::uint32_t>(raw[i + 1]) << 8 | raw[i + 2];
        }
        for (int shift = 18; shift >= (last ? 12 : 0); shift -= 6) {
            out += kAlphabet[(group >> shift) & 63U];
        }
    }
    return out;
}

}  // namespace klab::types
