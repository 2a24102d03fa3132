// SPDX-License-Identifier: Apache-2.0
//
// Recording: the events of a run, kept for pictures, exports and questions. A chain of shared
// chunks, so that a fork of a long recording costs no copy of its past. Whether a recording is kept
// changes nothing in the run.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/cow.h"
#include "sim/trace/event.h"

namespace klab::sim {

class Recording {
  public:
    static constexpr std::size_t kChunkEvents = 1024;

    void add(const Event& event);

    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Requires: index < size(). Events stand in the order of emission.
    [[nodiscard]] const Event& at(std::uint64_t index) const;

    /// The event with this id, or nullptr when it was not recorded. O(log n).
    [[nodiscard]] const Event* find(EventId id) const;

    template <typename F>
    void for_each(F&& f) const {
        for (const auto& chunk : *chunks_) {
            for (const Event& event : *chunk) {
                f(event);
            }
        }
    }

    friend bool operator==(const Recording&, const Recording&) = default;

  private:
    using Chunk = Cow<std::vector<Event>>;
    Cow<std::vector<Chunk>> chunks_;
    std::uint64_t size_ = 0;
};

}  // namespace klab::sim
