// SPDX-License-Identifier: Apache-2.0
//
// Cow<T>: a value that is shared until it is written. Copying is one counter increment, so a fork
// of a world costs microseconds; `write()` copies the value first if anyone else still holds it.
// Compares by value (equal pointers are equal at once).
//
// Grain: a Cow should hold something small (a page, a leaf of 64 entries), because the first write
// after a fork copies it whole. Collections that grow with the cluster are sim/base/cow_map.h.
//
// The counter is atomic, so copies of one world may live on different threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace klab {

template <typename T>
class Cow {
  public:
    /// Default: shares nothing, reads as a default-constructed T.
    Cow() : box_(new Box{}) {}

    explicit Cow(T value) : box_(new Box{std::move(value)}) {}

    Cow(const Cow& other) noexcept : box_(other.box_) {
        box_->owners.fetch_add(1, std::memory_order_relaxed);
    }

    /// A moved-from Cow may only be destroyed or assigned to.
    Cow(Cow&& other) noexcept : box_(std::exchange(other.box_, nullptr)) {}

    Cow& operator=(const Cow& other) noexcept {
        Cow copy(other);
        std::swap(box_, copy.box_);
        return *this;
    }

    Cow& operator=(Cow&& other) noexcept {
        std::swap(box_, other.box_);
        return *this;
    }

    ~Cow() { release(); }

    [[nodiscard]] const T& operator*() const { return box_->value; }

    [[nodiscard]] const T* operator->() const { return &box_->value; }

    [[nodiscard]] const T& read() const { return box_->value; }

    /// The value, for writing: copied first when shared. The reference dies with the next copy.
    [[nodiscard]] T& write() {
        if (box_->owners.load(std::memory_order_acquire) != 1) {
            Box* copy = new Box{box_->value};
            release();
            box_ = copy;
        }
        return box_->value;
    }

    /// True when both handles hold the very same value in memory (a cheap "surely equal").
    [[nodiscard]] bool shares_with(const Cow& other) const { return box_ == other.box_; }

    friend bool operator==(const Cow& a, const Cow& b) {
        return a.box_ == b.box_ || a.box_->value == b.box_->value;
    }

  private:
    struct Box {
        T value{};
        std::atomic<std::uint32_t> owners{1};
    };

    void release() noexcept {
        if (box_ != nullptr && box_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            delete box_;
        }
    }

    Box* box_;
};

}  // namespace klab
