// SPDX-License-Identifier: Apache-2.0
//
// The picture `segments` for dot and SVG. See segments_picture.h.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "viz/segments_picture.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kMargin = 16;
constexpr std::int32_t kWidth = 860;
constexpr std::int32_t kBarHeight = 44;
constexpr std::int32_t kRowHeight = 22;
constexpr std::int32_t kBatchHeight = 40;
constexpr std::int32_t kGap = 6;

Style plain_style() { return {{kRule}, {Pattern::kSolid, kWhite}, kInk}; }

Style chosen_style() {
    return {{kBlue, Stroke::kSolid, 3}, {Pattern::kSolid, lighten(kBlue, 80)}, kInk, true};
}

Style read_style() { return {{kRule}, {Pattern::kSolid, kGrey}, kInk}; }

/// Three bands from top to bottom, and arrows from the chosen segment to its index and from the
/// floor entry to the batch where the scan begins.
class SegmentsScene {
  public:
    explicit SegmentsScene(const SegmentsPicture& picture)
        : picture_(picture), scene_(picture.head.title + " segments") {}

    Scene draw() {
        std::int32_t y = add_head(scene_, picture_.head, kWidth);
        y = add_segments(y + 8);
        y = add_rows(y + 26);
        y = add_batches(y + 26);
        scene_.add(Text{{kMargin, y + 12}, lookup_summary(picture_), Anchor::kLeft, 12, kInk, true},
                   Layer::kFront);
        add_legend(scene_, {kMargin, y + 30}, kWidth, legend());
        return std::move(scene_).finish();
    }

  private:
    void title(std::int32_t y, std::string text) {
        Text line{{kMargin, y}, std::move(text), Anchor::kLeft, 11, kMutedInk};
        line.backed = true;  // arrows pass behind it
        scene_.add(std::move(line), Layer::kLabel);
    }

    std::int32_t add_segments(std::int32_t y) {
        title(y, fmt::format("segments of {}, by base offset", picture_.log));
        y += 14;
        const auto count = static_cast<std::int32_t>(picture_.segments.size());
        const std::int32_t width =
            std::clamp((kWidth - (count - 1) * kGap) / std::max(count, 1), 110, 260);
        std::int32_t x = kMargin;
        for (const SegmentBar& segment : picture_.segments) {
            if (x + width > kMargin + kWidth) {
                x = kMargin;
                y += kBarHeight + kGap + 14;
            }
            const Rect rect{x, y, width, kBarHeight};
            Style style = segment.is_chosen ? chosen_style() : plain_style();
            if (segment.is_active) {
                style.pen.stroke = Stroke::kDashed;
            }
            const std::string offsets = segment.next > segment.base
                                            ? fmt::format("{}..{}", segment.base, segment.next - 1)
                                            : fmt::format("{}: empty", segment.base);
            scene_.add_cell(rect,
                            offsets,
                            style,
                            11,
                            fmt::format("segment-{}", segment.base),
                            fmt::format("{}, {} bytes{}",
                                        segment_name(segment.base),
                                        segment.bytes,
                                        segment.is_active ? ", active" : ""));
            add_step({rect.right() - 10, rect.y + 10}, segment.step);
            if (segment.is_chosen) {
                chosen_ = {rect.x + rect.width / 2, rect.bottom()};
            }
            x += width + kGap;
        }
        return y + kBarHeight;
    }

    void add_step(Point at, const std::optional<std::int32_t>& step) {
        if (step) {
            scene_.add(Disc{at, 8, {kBlue}, {Pattern::kSolid, kBlue}}, Layer::kFront);
            scene_.add(Text{at, fmt::format("{}", *step), Anchor::kCenter, 10, kWhite, true},
                       Layer::kLabel);
        }
    }

    std::int32_t add_rows(std::int32_t y) {
        title(y,
              fmt::format("offset index: {} entries (offset, position)", picture_.index_entries));
        y += 12;
        constexpr std::int32_t kRowWidth = 240;
        const std::int32_t x = kMargin + 40;
        if (!picture_.rows.empty()) {
            scene_.add(Polyline{{{chosen_.x, chosen_.y + 1}, {x + kRowWidth / 2, y}},
                                {kBlue, Stroke::kSolid, 2},
                                true},
                       Layer::kBack);
        }
        floor_ = {x, y};
        std::optional<std::uint32_t> before;
        for (const IndexRow& row : picture_.rows) {
            if (row.index > (before ? *before + 1 : 0)) {
                y = add_fold(x, y);
            }
            before = row.index;
            const Rect rect{x, y, kRowWidth, kRowHeight};
            scene_.add_cell(rect,
                            fmt::format("{}: ({}, {})", row.index, row.offset, row.position),
                            row.is_floor ? chosen_style() : plain_style(),
                            11,
                            fmt::format("entry-{}", row.index));
            add_step({rect.right() + 16, rect.center().y}, row.step);
            if (row.is_floor) {
                floor_ = {rect.x, rect.center().y};
            }
            y += kRowHeight;
        }
        if (before.value_or(0) + 1 < picture_.index_entries) {
            y = add_fold(x, y);
        }
        return y;
    }

    std::int32_t add_fold(std::int32_t x, std::int32_t y) {
        scene_.add(Text{{x + 10, y + 7}, "...", Anchor::kLeft, 11, kMutedInk}, Layer::kFront);
        return y + 16;
    }

    std::int32_t add_batches(std::int32_t y) {
        title(y, fmt::format("batches in the file, read from byte {} on", picture_.scan_from));
        y += 16;
        constexpr std::int32_t kBatchWidth = 118;
        std::int32_t x = kMargin;
        std::uint64_t end = 0;
        bool is_pointed_at = false;
        for (const BatchBox& batch : picture_.batches) {
            if (batch.position > end) {
                scene_.add(Text{{x + 4, y + 20}, "...", Anchor::kLeft, 11, kMutedInk},
                           Layer::kFront);
                x += 26;
            }
            end = batch.position + batch.size;
            if (x + kBatchWidth > kMargin + kWidth) {
                x = kMargin;
                y += kBatchHeight + 34;
            }
            const Rect rect{x, y, kBatchWidth, kBatchHeight};
            scene_.add_cell(rect,
                            batch.base == batch.last
                                ? fmt::format("{}", batch.base)
                                : fmt::format("{}..{}", batch.base, batch.last),
                            style_of(batch.mark),
                            11,
                            fmt::format("batch-{}", batch.base),
                            fmt::format("{} bytes from byte {}", batch.size, batch.position));
            scene_.add(Text{{x, rect.bottom() + 9},
                            fmt::format("{}", batch.position),
                            Anchor::kLeft,
                            9,
                            kMutedInk},
                       Layer::kFront);
            if (!is_pointed_at && batch.mark != BatchMark::kNotRead) {
                is_pointed_at = true;
                constexpr std::int32_t kAside = 20;
                scene_.add(Polyline{{floor_,
                                     {floor_.x - kAside, floor_.y},
                                     {floor_.x - kAside, y - 10},
                                     {x + kBatchWidth / 2, y}},
                                    {kBlue, Stroke::kSolid, 2},
                                    true},
                           Layer::kBack);
            }
            x += kBatchWidth;
        }
        return y + kBatchHeight + 22;
    }

    static Style style_of(BatchMark mark) {
        switch (mark) {
            case BatchMark::kNotRead:
                return plain_style();
            case BatchMark::kRead:
                return read_style();
            case BatchMark::kFound:
                return chosen_style();
        }
        return plain_style();
    }

    static std::vector<LegendEntry> legend() {
        Style step{{kBlue}, {Pattern::kSolid, kBlue}, kWhite};
        return {{chosen_style(), "chosen, found", LegendSign::kSurface},
                {read_style(), "header read", LegendSign::kSurface},
                {step, "order of comparisons", LegendSign::kSurface}};
    }

    const SegmentsPicture& picture_;
    SceneBuilder scene_;
    Point chosen_;
    Point floor_;
};

}  // namespace

Scene segments_scene(const SegmentsPicture& picture) { return SegmentsScene(picture).draw(); }

}  // namespace klab::viz
