// SPDX-License-Identifier: Apache-2.0
//
// ChunkList<T>: a list that only grows and shrinks at its end, in shared chunks of 64. Copying it
// is one counter increment; a write after a copy copies one chunk and the list of chunks.
//
// Called by: checks, for everything that grows with the length of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/cow.h"

namespace klab::check {

template <typename T>
class ChunkList {
  public:
    static constexpr std::size_t kChunk = 64;

    [[nodiscard]] std::size_t size() const { return size_; }

    [[nodiscard]] bool empty() const { return size_ == 0; }

    /// Requires: i < size().
    [[nodiscard]] const T& operator[](std::size_t i) const {
        return (*chunks_)[i / kChunk].read()[i % kChunk];
    }

    /// Requires: i < size(). The reference dies with the next write or copy.
    [[nodiscard]] T& write(std::size_t i) {
        return chunks_.write()[i / kChunk].write()[i % kChunk];
    }

    [[nodiscard]] const T& back() const { return (*this)[size_ - 1]; }

    void push_back(T value) {
        std::vector<Chunk>& chunks = chunks_.write();
        if (size_ == chunks.size() * kChunk) {
            chunks.emplace_back();
            chunks.back().write().reserve(kChunk);
        }
        chunks.back().write().push_back(std::move(value));
        ++size_;
    }

    /// Requires: !empty().
    void pop_back() {
        std::vector<Chunk>& chunks = chunks_.write();
        chunks.back().write().pop_back();
        --size_;
        if (chunks.back()->empty()) {
            chunks.pop_back();
        }
    }

    void clear() {
        chunks_ = Cow<std::vector<Chunk>>();
        size_ = 0;
    }

    /// The first index whose element does not satisfy `before` (elements that do come first), or
    /// size(). O(log distance from the end): questions are mostly about what came last.
    template <typename Before>
    [[nodiscard]] std::size_t partition_point(Before before) const {
        std::size_t high = size_;
        std::size_t step = 1;
        std::size_t low = 0;
        while (high > 0) {
            const std::size_t probe = high > step ? high - step : 0;
            if (before((*this)[probe])) {
                low = probe + 1;
                break;
            }
            high = probe;
            step *= 2;
        }
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (before((*this)[middle])) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    template <typename F>
    void for_each(F&& f) const {
        for (const Chunk& chunk : *chunks_) {
            for (const T& value : *chunk) {
                f(value);
            }
        }
    }

    friend bool operator==(const ChunkList&, const ChunkList&) = default;

  private:
    using Chunk = Cow<std::vector<T>>;

    Cow<std::vector<Chunk>> chunks_;
    std::size_t size_ = 0;
};

}  // namespace klab::check
