// SPDX-License-Identifier: Apache-2.0
//
// Recording: append and look-up.
#include "sim/trace/recording.h"

#include "sim/base/assert.h"

namespace klab::sim {

void Recording::add(const Event& event) {
    std::vector<Chunk>& chunks = chunks_.write();
    if (size_ % kChunkEvents == 0) {
        chunks.emplace_back();
        chunks.back().write().reserve(kChunkEvents);
    }
    chunks.back().write().push_back(event);
    ++size_;
}

const Event& Recording::at(std::uint64_t index) const {
    KLAB_ASSERT(index < size_, "event {} of {}", index, size_);
    return (*(*chunks_)[index / kChunkEvents])[index % kChunkEvents];
}

const Event* Recording::find(EventId id) const {
    std::uint64_t low = 0;
    std::uint64_t high = size_;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (at(middle).id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < size_ && at(low).id == id ? &at(low) : nullptr;
}

}  // namespace klab::sim
