// SPDX-License-Identifier: Apache-2.0
//
// See batch_index.h.
#include "model/storage/batch_index.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace klab::storage {

const BatchPlace& BatchIndex::at(std::size_t index) const {
    KLAB_ASSERT(index < size(), "entry {} of {}", index, size());
    const std::size_t leaf = index / kLeafEntries;
    return leaf < full_->size() ? (*(*full_)[leaf])[index % kLeafEntries]
                                : (*tail_)[index % kLeafEntries];
}

std::size_t BatchIndex::first_reaching(types::Offset offset) const {
    const auto before = [](const BatchPlace& place, types::Offset wanted) {
        return place.last_offset < wanted;
    };
    const auto& leaves = *full_;
    const auto leaf = std::lower_bound(
        leaves.begin(), leaves.end(), offset, [](const Cow<Leaf>& l, types::Offset wanted) {
            return l->back().last_offset < wanted;
        });
    const Leaf& entries = leaf == leaves.end() ? *tail_ : **leaf;
    const auto it = std::lower_bound(entries.begin(), entries.end(), offset, before);
    return static_cast<std::size_t>(leaf - leaves.begin()) * kLeafEntries +
           static_cast<std::size_t>(it - entries.begin());
}

void BatchIndex::append(const BatchPlace& place) {
    Leaf& tail = tail_.write();
    tail.push_back(place);
    if (tail.size() == kLeafEntries) {
        full_.write().push_back(std::move(tail_));
        tail_ = Cow<Leaf>();
    }
}

void BatchIndex::truncate(std::size_t count) {
    if (count >= size()) {
        return;
    }
    const std::size_t leaf = count / kLeafEntries;
    if (leaf < full_->size()) {
        tail_ = (*full_)[leaf];
        full_.write().resize(leaf);
    }
    tail_.write().resize(count % kLeafEntries);
}

}  // namespace klab::storage
