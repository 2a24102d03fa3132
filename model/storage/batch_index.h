// SPDX-License-Identifier: Apache-2.0
//
// BatchIndex: where each batch of one segment lies in its file. In memory only, rebuilt when the
// log is opened. It grows at the end and is cut at the end; a copy shares all full leaves.
//
// Called by: log.cc, log_loader.cc.
// Kafka: LogSegment.translateOffset. Simplified: every batch has an entry, so that a position is
// found without reading the file; Kafka's sparse index file is not written yet.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/types/kafka_ids.h"
#include "sim/base/cow.h"

namespace klab::storage {

/// One batch: its last offset and the position of its first byte.
struct BatchPlace {
    types::Offset last_offset;
    std::uint32_t position = 0;

    friend bool operator==(const BatchPlace&, const BatchPlace&) = default;
};

class BatchIndex {
  public:
    static constexpr std::size_t kLeafEntries = 64;

    [[nodiscard]] std::size_t size() const { return full_->size() * kLeafEntries + tail_->size(); }

    [[nodiscard]] bool empty() const { return tail_->empty() && full_->empty(); }

    [[nodiscard]] const BatchPlace& at(std::size_t index) const;

    /// Number of the first batch whose last offset is at or after `offset`; size() if there is
    /// none. O(log n).
    [[nodiscard]] std::size_t first_reaching(types::Offset offset) const;

    /// Requires: both ascend.
    void append(const BatchPlace& place);

    /// Keeps the first `count` entries.
    void truncate(std::size_t count);

    friend bool operator==(const BatchIndex&, const BatchIndex&) = default;

  private:
    using Leaf = std::vector<BatchPlace>;

    Cow<std::vector<Cow<Leaf>>> full_;  // leaves of exactly kLeafEntries
    Cow<Leaf> tail_;                    // the last, fewer than kLeafEntries
};

}  // namespace klab::storage
