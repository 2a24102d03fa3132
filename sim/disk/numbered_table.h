// SPDX-License-Identifier: Apache-2.0
//
// NumberedTable<V>: values by number, where numbers are mostly consecutive (pages of a file, inodes
// of a disk). Shelves of 64 slots are shared between copies until written; shelves without a value
// do not exist, so a sparse file costs what it holds.
//
// Complexity: lookup is one binary search over the shelves (none for the last shelf, where appends
// happen) and one index; the first write after a copy copies one shelf.
//
// Called by: Inode (pages), FileTree (files and directories).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/cow.h"

namespace klab::sim {

template <typename V>
class NumberedTable {
  public:
    static constexpr std::uint64_t kSlots = 64;

    /// The value at `number`, or nullptr. The pointer dies with the next write.
    [[nodiscard]] const V* find(std::uint64_t number) const {
        const std::size_t s = shelf_of(number);
        if (s == shelves_.size() || shelves_[s].number != number / kSlots) {
            return nullptr;
        }
        const Slots& slots = *shelves_[s].slots;
        const std::size_t slot = number % kSlots;
        return slot < slots.size() && slots[slot].has_value() ? &*slots[slot] : nullptr;
    }

    /// The value at `number` for writing, or nullptr.
    [[nodiscard]] V* find_for_write(std::uint64_t number) {
        const std::size_t s = shelf_of(number);
        if (s == shelves_.size() || shelves_[s].number != number / kSlots) {
            return nullptr;
        }
        Slots& slots = shelves_[s].slots.write();
        const std::size_t slot = number % kSlots;
        return slot < slots.size() && slots[slot].has_value() ? &*slots[slot] : nullptr;
    }

    /// Sets the value at `number`; the reference dies with the next write.
    V& put(std::uint64_t number, V value) {
        const std::size_t s = shelf_of(number);
        if (s == shelves_.size() || shelves_[s].number != number / kSlots) {
            shelves_.insert(at(s), Shelf{number / kSlots, {}, 0});
        }
        Shelf& shelf = shelves_[s];
        Slots& slots = shelf.slots.write();
        const std::size_t slot = number % kSlots;
        if (slot >= slots.size()) {
            slots.resize(slot + 1);
        }
        if (!slots[slot].has_value()) {
            ++shelf.used;
        }
        slots[slot] = std::move(value);
        return *slots[slot];
    }

    /// Says whether there was something to erase.
    bool erase(std::uint64_t number) {
        if (find(number) == nullptr) {
            return false;
        }
        const std::size_t s = shelf_of(number);
        Shelf& shelf = shelves_[s];
        if (shelf.used == 1) {
            shelves_.erase(at(s));
            return true;
        }
        Slots& slots = shelf.slots.write();
        slots[number % kSlots].reset();
        --shelf.used;
        while (!slots.back().has_value()) {
            slots.pop_back();
        }
        return true;
    }

    /// Erases everything at `number` and above.
    void erase_from(std::uint64_t number) {
        while (!shelves_.empty() && shelves_.back().number > number / kSlots) {
            shelves_.pop_back();
        }
        if (shelves_.empty() || shelves_.back().number < number / kSlots) {
            return;
        }
        const std::uint64_t first = shelves_.back().number * kSlots;
        for (std::uint64_t slot = shelves_.back().slots->size(); slot > number - first; --slot) {
            const bool last_value = shelves_.back().used == 1;
            const bool erased = erase(first + slot - 1);
            if (erased && last_value) {
                return;
            }
        }
    }

    /// How many values stand at `number` and above.
    [[nodiscard]] std::uint64_t count_from(std::uint64_t number) const {
        std::uint64_t count = 0;
        for (auto shelf = shelves_.rbegin(); shelf != shelves_.rend(); ++shelf) {
            if (shelf->number * kSlots >= number) {
                count += shelf->used;
                continue;
            }
            const std::uint64_t first = number - std::min(number, shelf->number * kSlots);
            for (std::uint64_t slot = first; slot < shelf->slots->size(); ++slot) {
                count += (*shelf->slots)[slot].has_value() ? 1U : 0U;
            }
            break;
        }
        return count;
    }

    /// Calls f(number, value) for each value at `number` and above, in order.
    template <typename F>
    void for_each_from(std::uint64_t number, F&& f) const {
        for (std::size_t s = shelf_of(number); s < shelves_.size(); ++s) {
            const std::uint64_t first = shelves_[s].number * kSlots;
            const Slots& slots = *shelves_[s].slots;
            for (std::uint64_t slot = number > first ? number - first : 0; slot < slots.size();
                 ++slot) {
                if (slots[slot].has_value()) {
                    f(first + slot, *slots[slot]);
                }
            }
        }
    }

    /// Numbers at `number` and above that have a value; a copy, so that the table may be written.
    [[nodiscard]] std::vector<std::uint64_t> numbers_from(std::uint64_t number) const {
        std::vector<std::uint64_t> numbers;
        for_each_from(number, [&](std::uint64_t n, const V&) { numbers.push_back(n); });
        return numbers;
    }

    friend bool operator==(const NumberedTable&, const NumberedTable&) = default;

  private:
    using Slots = std::vector<std::optional<V>>;  // at most 64; the last one has a value

    struct Shelf {
        std::uint64_t number = 0;  // of its first slot, divided by 64
        Cow<Slots> slots;
        std::uint32_t used = 0;  // slots with a value; at least 1

        friend bool operator==(const Shelf&, const Shelf&) = default;
    };

    [[nodiscard]] auto at(std::size_t index) {
        return shelves_.begin() + static_cast<std::ptrdiff_t>(index);
    }

    /// The first shelf that ends at or after `number`, or shelves_.size().
    [[nodiscard]] std::size_t shelf_of(std::uint64_t number) const {
        const std::uint64_t wanted = number / kSlots;
        if (!shelves_.empty() && shelves_.back().number == wanted) {
            return shelves_.size() - 1;
        }
        const auto it = std::lower_bound(
            shelves_.begin(), shelves_.end(), wanted, [](const Shelf& shelf, std::uint64_t n) {
                return shelf.number < n;
            });
        return static_cast<std::size_t>(it - shelves_.begin());
    }

    std::vector<Shelf> shelves_;  // ascending by number
};

}  // namespace klab::sim
