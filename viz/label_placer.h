// SPDX-License-Identifier: Apache-2.0
//
// Finds a free place for labels, so that no label of a picture covers another.
// Owns: the rectangles taken so far. Called by: the sequence picture.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "viz/scene.h"

namespace klab::viz {

class LabelPlacer {
  public:
    /// Marks an area as taken.
    void take(const Rect& rect);

    [[nodiscard]] bool is_free(const Rect& rect) const;

    /// The first of `choices` that is free, else the one that covers the least, if that is at most
    /// an eighth of it; the chosen one is taken. Nothing if there is no room.
    [[nodiscard]] std::optional<Text> place(const std::vector<Text>& choices);

  private:
    [[nodiscard]] std::int64_t covered(const Rect& rect) const;

    /// Taken areas by band of kBand points, so that a long picture stays fast.
    std::vector<std::vector<Rect>> bands_;
};

}  // namespace klab::viz
