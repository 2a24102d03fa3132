// SPDX-License-Identifier: Apache-2.0
//
// The 4-ary heap.
#include "sim/kernel/event_queue.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace klab::sim {

std::uint64_t EventQueue::push(Time at, const Pending& pending) {
    return insert(at, next_order_++, pending);
}

std::uint64_t EventQueue::push_front(Time at, const Pending& pending) {
    return insert(at, next_front_++, pending);
}

std::uint64_t EventQueue::insert(Time at, std::uint64_t order, const Pending& pending) {
    std::uint32_t slot;
    if (free_.empty()) {
        slot = static_cast<std::uint32_t>(slab_.size());
        KLAB_ASSERT(slot < (1U << kSlotBits), "{} pending events", slot);
        slab_.push_back(pending);
    } else {
        slot = free_.back();
        free_.pop_back();
        slab_[slot] = pending;
    }
    heap_.push_back({at.ns, order << kSlotBits | slot});
    sift_up(heap_.size() - 1);
    return order;
}

EventQueue::Popped EventQueue::pop() {
    KLAB_ASSERT(!heap_.empty(), "pop of an empty queue");
    const Key top = heap_.front();
    const auto slot = static_cast<std::uint32_t>(top.order_slot & ((1U << kSlotBits) - 1));
    heap_.front() = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) {
        sift_down(0);
    }
    free_.push_back(slot);
    return {Time{top.time}, top.order_slot >> kSlotBits, slab_[slot]};
}

void EventQueue::sift_up(std::size_t i) {
    const Key key = heap_[i];
    while (i > 0) {
        const std::size_t parent = (i - 1) / 4;
        if (!key.before(heap_[parent])) {
            break;
        }
        heap_[i] = heap_[parent];
        i = parent;
    }
    heap_[i] = key;
}

void EventQueue::sift_down(std::size_t i) {
    const Key key = heap_[i];
    const std::size_t n = heap_.size();
    while (true) {
        const std::size_t first = 4 * i + 1;
        if (first >= n) {
            break;
        }
        std::size_t best = first;
        const std::size_t last = std::min(first + 4, n);
        for (std::size_t c = first + 1; c < last; ++c) {
            if (heap_[c].before(heap_[best])) {
                best = c;
            }
        }
        if (!heap_[best].before(key)) {
            break;
        }
        heap_[i] = heap_[best];
        i = best;
    }
    heap_[i] = key;
}

}  // namespace klab::sim
