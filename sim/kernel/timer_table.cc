// SPDX-License-Identifier: Apache-2.0
//
// TimerTable: linear probing with deletion by moving back.
#include "sim/kernel/timer_table.h"

#include <utility>

namespace klab::sim {

std::size_t TimerTable::home(const TimerKey& key) const {
    // Three products that do not wait for each other; their high halves are well mixed.
    const std::uint64_t h = std::uint64_t{key.timer} * 0x9E37'79B9'7F4A'7C15U +
                            static_cast<std::uint64_t>(key.a) * 0xBF58'476D'1CE4'E5B9U +
                            static_cast<std::uint64_t>(key.b) * 0x94D0'49BB'1331'11EBU;
    return static_cast<std::size_t>((h ^ (h >> 15)) >> 32) & (entries_.size() - 1);
}

std::size_t TimerTable::place(const TimerKey& key) const {
    std::size_t i = home(key);
    while (entries_[i].order != 0 && entries_[i].key != key) {
        i = (i + 1) & (entries_.size() - 1);
    }
    return i;
}

std::uint64_t TimerTable::find(const TimerKey& key) const {
    return size_ == 0 ? 0 : entries_[place(key)].order;
}

std::uint64_t TimerTable::set(const TimerKey& key, std::uint64_t order) {
    if ((size_ + 1) * 2 > entries_.size()) {
        grow();
    }
    Entry& entry = entries_[place(key)];
    const std::uint64_t before = std::exchange(entry.order, order);
    entry.key = key;
    size_ += before == 0 ? 1 : 0;
    return before;
}

void TimerTable::grow() {
    std::vector<Entry> old = std::move(entries_);
    entries_.assign(old.empty() ? 8 : old.size() * 2, Entry{});
    for (const Entry& entry : old) {
        if (entry.order != 0) {
            entries_[place(entry.key)] = entry;
        }
    }
}

bool TimerTable::erase(const TimerKey& key) {
    if (size_ == 0) {
        return false;
    }
    const std::size_t hole = place(key);
    if (entries_[hole].order == 0) {
        return false;
    }
    erase_at(hole);
    return true;
}

bool TimerTable::erase_exactly(const TimerKey& key, std::uint64_t order) {
    if (size_ == 0) {
        return false;
    }
    const std::size_t hole = place(key);
    if (entries_[hole].order != order) {
        return false;
    }
    erase_at(hole);
    return true;
}

void TimerTable::erase_at(std::size_t hole) {
    --size_;
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t i = (hole + 1) & mask; entries_[i].order != 0; i = (i + 1) & mask) {
        // An entry may move back into the hole unless its home lies behind the hole.
        const std::size_t distance = (i - home(entries_[i].key)) & mask;
        if (distance >= ((i - hole) & mask)) {
            entries_[hole] = entries_[i];
            hole = i;
        }
    }
    entries_[hole] = Entry{};
}

void TimerTable::clear() {
    entries_.clear();
    size_ = 0;
}

bool operator==(const TimerTable& a, const TimerTable& b) {
    if (a.size_ != b.size_) {
        return false;
    }
    for (const TimerTable::Entry& entry : a.entries_) {
        if (entry.order != 0 && b.find(entry.key) != entry.order) {
            return false;
        }
    }
    return true;
}

}  // namespace klab::sim
