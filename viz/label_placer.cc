// SPDX-License-Identifier: Apache-2.0
//
// Free places for labels. See label_placer.h.
#include "viz/label_placer.h"

#include <algorithm>

namespace klab::viz {

namespace {

constexpr std::int32_t kBand = 64;

std::size_t band_of(std::int32_t y) { return static_cast<std::size_t>(std::max(0, y) / kBand); }

std::int64_t shared_area(const Rect& a, const Rect& b) {
    const std::int32_t width = std::min(a.right(), b.right()) - std::max(a.x, b.x);
    const std::int32_t height = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
    return width > 0 && height > 0 ? std::int64_t{width} * height : 0;
}

}  // namespace

void LabelPlacer::take(const Rect& rect) {
    const std::size_t last = band_of(rect.bottom());
    if (bands_.size() <= last) {
        bands_.resize(last + 1);
    }
    for (std::size_t band = band_of(rect.y); band <= last; ++band) {
        bands_[band].push_back(rect);
    }
}

bool LabelPlacer::is_free(const Rect& rect) const { return covered(rect) == 0; }

std::optional<Text> LabelPlacer::place(const std::vector<Text>& choices) {
    const Text* best = nullptr;
    std::int64_t least = 0;
    for (const Text& choice : choices) {
        const Rect rect = text_rect(choice);
        const std::int64_t area = covered(rect);
        if (area * 8 > std::int64_t{rect.width} * rect.height) {
            continue;
        }
        if (best == nullptr || area < least) {
            best = &choice;
            least = area;
        }
        if (area == 0) {
            break;
        }
    }
    if (best == nullptr) {
        return std::nullopt;
    }
    take(text_rect(*best));
    return *best;
}

std::int64_t LabelPlacer::covered(const Rect& rect) const {
    std::int64_t area = 0;
    const std::size_t last = std::min(band_of(rect.bottom()) + 1, bands_.size());
    for (std::size_t band = band_of(rect.y); band < last; ++band) {
        for (const Rect& taken : bands_[band]) {
            area += shared_area(rect, taken);
        }
    }
    return area;
}

}  // namespace klab::viz
