// SPDX-License-Identifier: Apache-2.0
//
// Fifo<T>: a queue in one vector. Unlike std::deque an empty one owns no memory, so values that
// hold many empty queues copy cheaply. push and pop are amortised O(1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace klab {

template <typename T>
class Fifo {
  public:
    [[nodiscard]] bool empty() const { return head_ == items_.size(); }

    [[nodiscard]] std::size_t size() const { return items_.size() - head_; }

    /// Requires: !empty().
    [[nodiscard]] T& front() { return items_[head_]; }

    [[nodiscard]] const T& front() const { return items_[head_]; }

    [[nodiscard]] T& back() { return items_.back(); }

    void push_back(T item) { items_.push_back(std::move(item)); }

    /// Requires: !empty().
    T pop_front() {
        T item = std::move(items_[head_++]);
        if (head_ == items_.size()) {
            clear();
        } else if (head_ > 32 && head_ > items_.size() / 2) {
            items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(head_));
            head_ = 0;
        }
        return item;
    }

    void clear() {
        items_.clear();
        head_ = 0;
    }

    [[nodiscard]] auto begin() const { return items_.begin() + static_cast<std::ptrdiff_t>(head_); }

    [[nodiscard]] auto end() const { return items_.end(); }

    [[nodiscard]] auto begin() { return items_.begin() + static_cast<std::ptrdiff_t>(head_); }

    [[nodiscard]] auto end() { return items_.end(); }

    friend bool operator==(const Fifo& a, const Fifo& b) {
        return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
    }

  private:
    std::vector<T> items_;
    std::size_t head_ = 0;  // items before it are moved-from
};

}  // namespace klab
