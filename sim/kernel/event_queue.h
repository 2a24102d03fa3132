// SPDX-License-Identifier: Apache-2.0
//
// The queue of what will happen: a 4-ary heap of 16-byte keys (time, order) over a slab of
// payloads. Equal times are served in the order of insertion, except that `push_front` goes ahead
// of all entries of its instant (the instant rule).
//
// Owns: order of events. Called by: Kernel only.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/kernel/input.h"

namespace klab::sim {

enum class PendingKind : std::uint8_t {
    kTimer,     ///< a node's timer; `key` names it
    kArrival,   ///< the head of a connection direction arrives; a: connection, b: direction | epoch
    kDepart,    ///< what a step sent leaves; a: outbox slot
    kLaneFree,  ///< a busy lane takes its next input
    kPosted,    ///< an input made by the harness; a: slot of posted inputs
    kResume,    ///< end of a timed pause; a: number of the pause
    kCpuNormal,   ///< end of slow_cpu; a: number of the slowing
    kLinkNormal,  ///< end of a timed slow link; a: number of the slowing, b: the other end
    kCutEnds      ///< end of a timed cut; a: number of the cut, b: the other end
};

/// Payload of a queue entry; trivially copyable, so that copying a queue is a memcpy.
struct Pending {
    PendingKind kind = PendingKind::kTimer;
    Lane lane;
    std::uint32_t incarnation = 0;  ///< of the node, where it matters
    NodeId node;
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    TimerKey key;

    friend bool operator==(const Pending&, const Pending&) = default;
};

class EventQueue {
  public:
    [[nodiscard]] bool empty() const { return heap_.empty(); }

    [[nodiscard]] std::uint64_t size() const { return heap_.size(); }

    /// Time of the next entry. Requires: !empty().
    [[nodiscard]] Time next_time() const { return Time{heap_.front().time}; }

    /// Adds an entry behind all others of its time. Returns its order number, unique in the run.
    std::uint64_t push(Time at, const Pending& pending);

    /// Adds an entry ahead of all ordinary ones of its time, behind earlier front entries.
    std::uint64_t push_front(Time at, const Pending& pending);

    struct Popped {
        Time time;
        std::uint64_t order = 0;
        Pending pending;
    };

    /// Requires: !empty().
    [[nodiscard]] Popped pop();

    /// Drops every entry for which `live(pending, order)` is false. O(n).
    template <typename F>
    void compact(F&& live);

    friend bool operator==(const EventQueue&, const EventQueue&) = default;

  private:
    static constexpr std::uint32_t kSlotBits = 24;
    static constexpr std::uint64_t kFirstOrdinary = std::uint64_t{1} << 36;

    struct Key {
        std::int64_t time = 0;
        std::uint64_t order_slot = 0;

        friend bool operator==(const Key&, const Key&) = default;

        [[nodiscard]] bool before(const Key& other) const {
            return time != other.time ? time < other.time : order_slot < other.order_slot;
        }
    };

    std::uint64_t insert(Time at, std::uint64_t order, const Pending& pending);
    void sift_up(std::size_t i);
    void sift_down(std::size_t i);

    std::vector<Key> heap_;
    std::vector<Pending> slab_;
    std::vector<std::uint32_t> free_;
    std::uint64_t next_order_ = kFirstOrdinary;
    std::uint64_t next_front_ = 1;
};

template <typename F>
void EventQueue::compact(F&& live) {
    std::size_t kept = 0;
    for (const Key& key : heap_) {
        const auto slot = static_cast<std::uint32_t>(key.order_slot & ((1U << kSlotBits) - 1));
        if (live(slab_[slot], key.order_slot >> kSlotBits)) {
            heap_[kept++] = key;
        } else {
            free_.push_back(slot);
        }
    }
    heap_.resize(kept);
    for (std::size_t i = kept / 4 + 1; i-- > 0;) {
        if (i < kept) {
            sift_down(i);
        }
    }
}

}  // namespace klab::sim
