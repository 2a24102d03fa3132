// SPDX-License-Identifier: Apache-2.0
//
// The rolling 128-bit hash of a trace: each event is hashed together with the hash so far, so two
// runs have equal hashes exactly when all their events are equal (up to a 2^-128 accident).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/trace/event.h"

namespace klab::sim {

/// 128 bits; text() gives 32 hex digits, high half first.
struct TraceHash {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend bool operator==(const TraceHash&, const TraceHash&) = default;

    void add(const Event& event);

    /// New interned content: the numbers in events stand for it.
    void add_content(std::string_view content);

    [[nodiscard]] std::string text() const;
};

}  // namespace klab::sim
