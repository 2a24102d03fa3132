// SPDX-License-Identifier: Apache-2.0
//
// TimerTable: the timers of one node, by key: which queue entry is the valid one. A flat hash table
// with linear probing, because setting and firing timers is the hottest path of the kernel. It is
// never walked in its own order, so the hash decides nothing that a run could see.
//
// Owns: key and order number of each live timer. Called by: Kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/kernel/input.h"

namespace klab::sim {

class TimerTable {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }

    /// Order number of the timer's queue entry, 0 when there is none.
    [[nodiscard]] std::uint64_t find(const TimerKey& key) const;

    /// Sets it; returns the one it replaces, 0 when there was none. Requires: order > 0.
    std::uint64_t set(const TimerKey& key, std::uint64_t order);

    /// Says whether there was one.
    bool erase(const TimerKey& key);

    /// Erases the timer if its order number is `order`; says whether it was.
    bool erase_exactly(const TimerKey& key, std::uint64_t order);

    void clear();

    /// Same timers with the same order numbers, wherever they lie.
    friend bool operator==(const TimerTable& a, const TimerTable& b);

  private:
    struct Entry {
        TimerKey key;
        std::uint64_t order = 0;  // 0: free
    };

    [[nodiscard]] std::size_t home(const TimerKey& key) const;
    [[nodiscard]] std::size_t place(const TimerKey& key) const;
    void grow();
    /// Frees a taken place and moves later entries of the same run back.
    void erase_at(std::size_t hole);

    std::vector<Entry> entries_;  // a power of two, at most half full
    std::size_t size_ = 0;
};

}  // namespace klab::sim
