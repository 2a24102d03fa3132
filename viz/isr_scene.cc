// SPDX-License-Identifier: Apache-2.0
//
// The picture `isr` for dot and SVG. See isr_picture.h. Everything stands on one time axis, to
// scale.
#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "viz/isr_picture.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kMargin = 16;
constexpr std::int32_t kNames = 64;  // room for names left of the axis
constexpr std::int32_t kAxis = 820;  // points from the first to the last instant
constexpr std::int32_t kWidth = kNames + kAxis;
constexpr std::int32_t kCurveHeight = 120;
constexpr std::int32_t kStripHeight = 22;
constexpr std::int32_t kStripGap = 8;

Style style_of(IsrState state) {
    switch (state) {
        case IsrState::kLeader:
            return replica_style(ReplicaState::kLeader);
        case IsrState::kInSync:
            return replica_style(ReplicaState::kInSync);
        case IsrState::kCatchingUp:
            return node_style(NodeState::kStarting);
        case IsrState::kLagging:
            return replica_style(ReplicaState::kOutOfSync);
        case IsrState::kDown:
            break;
    }
    return node_style(NodeState::kDown);
}

class IsrScene {
  public:
    explicit IsrScene(const IsrPicture& picture)
        : picture_(picture), scene_(picture.head.title + " isr") {}

    Scene draw() {
        std::int32_t y = add_head(scene_, picture_.head, kWidth);
        y = label_faults(y + 10);
        top_ = y;
        y = add_curves(y + 6);
        y = add_strips(y + 16);
        y = add_sizes(y + 10);
        add_fault_lines(y);
        y = add_axis(y + 4);
        add_legend(scene_, {kMargin, y + 8}, kWidth, legend());
        return std::move(scene_).finish();
    }

  private:
    [[nodiscard]] std::int32_t x(Time at) const {
        const std::int64_t from = picture_.head.from.ns;
        const std::int64_t length = std::max<std::int64_t>(picture_.head.to.ns - from, 1'000);
        const std::int64_t passed = std::clamp<std::int64_t>(at.ns - from, 0, length);
        return kMargin + kNames +
               static_cast<std::int32_t>(passed / 1'000 * kAxis / (length / 1'000));
    }

    /// Names of faults, one line for each, so that they never lie over one another.
    std::int32_t label_faults(std::int32_t y) {
        std::int32_t number = 1;
        for (const SequenceFault& fault : picture_.faults) {
            Text text{
                {kMargin, y},
                fit_text(fmt::format("{}  {}  {}", number, to_short_clock(fault.at), fault.text),
                         kWidth,
                         10),
                Anchor::kLeft,
                10,
                kAlarm};
            scene_.add(std::move(text), Layer::kLabel);
            y += 14;
            ++number;
        }
        return y + (picture_.faults.empty() ? 0 : 14);
    }

    void add_fault_lines(std::int32_t bottom) {
        std::int32_t number = 1;
        for (const SequenceFault& fault : picture_.faults) {
            const Pen pen{kAlarm, Stroke::kDotted, 1};
            scene_.add_line({x(fault.at), top_ - 2}, {x(fault.at), bottom}, pen, Layer::kFront);
            Text text{{x(fault.at), top_ - 8},
                      fmt::format("{}", number),
                      Anchor::kCenter,
                      9,
                      kAlarm,
                      true};
            text.backed = true;
            scene_.add(std::move(text), Layer::kLabel);
            ++number;
        }
    }

    [[nodiscard]] std::int64_t highest_offset() const {
        std::int64_t highest = 1;
        for (const IsrOffsets& offsets : picture_.offsets) {
            highest = std::max(highest, offsets.log_end_offset.value_or(0));
        }
        return highest;
    }

    std::int32_t add_curves(std::int32_t y) {
        const std::int64_t highest = highest_offset();
        const auto level = [&](std::int64_t offset) {
            const std::int64_t share = std::clamp<std::int64_t>(offset, 0, highest) * kCurveHeight;
            return y + kCurveHeight - static_cast<std::int32_t>(share / highest);
        };
        const Rect area{kMargin + kNames, y, kAxis, kCurveHeight};
        scene_.add(Box{area, {kRule}, {Pattern::kNone, kWhite}}, Layer::kBack);
        for (const std::int64_t mark : std::set<std::int64_t>{0, highest}) {
            scene_.add(Text{{kMargin + kNames - 6, level(mark)},
                            fmt::format("{}", mark),
                            Anchor::kRight,
                            10,
                            kMutedInk},
                       Layer::kLabel);
        }
        add_curve(&IsrOffsets::log_end_offset, {kBlue, Stroke::kSolid, 2}, level);
        add_curve(&IsrOffsets::high_watermark, {kGreen, Stroke::kDashed, 2}, level);
        return y + kCurveHeight;
    }

    /// Steps, broken where nobody leads.
    template <typename Level>
    void add_curve(std::optional<std::int64_t> IsrOffsets::*member, Pen pen, const Level& level) {
        std::vector<Point> points;
        const auto flush = [&](Time until) {
            if (!points.empty()) {
                points.push_back({x(until), points.back().y});
                scene_.add(Polyline{points, pen}, Layer::kMiddle);
            }
            points.clear();
        };
        for (const IsrOffsets& offsets : picture_.offsets) {
            const std::optional<std::int64_t>& value = offsets.*member;
            if (!value) {
                flush(offsets.at);
                continue;
            }
            const Point next{x(offsets.at), level(*value)};
            if (!points.empty()) {
                points.push_back({next.x, points.back().y});
            }
            points.push_back(next);
        }
        flush(picture_.head.to);
    }

    std::int32_t add_strips(std::int32_t y) {
        for (const IsrStrip& strip : picture_.strips) {
            name(y + kStripHeight / 2, strip.broker);
            for (const IsrSpan& span : strip.spans) {
                const Rect rect{
                    x(span.from), y, std::max(x(span.to) - x(span.from), 1), kStripHeight};
                const std::string word(isr_state_word(span.state));
                const bool has_room = text_width(word, 10) + 6 <= rect.width;
                scene_.add_cell(rect,
                                has_room ? word : "",
                                style_of(span.state),
                                10,
                                {},
                                fmt::format("{} {} from {} to {}",
                                            strip.broker,
                                            word,
                                            to_short_clock(span.from),
                                            to_short_clock(span.to)));
            }
            y += kStripHeight + kStripGap;
        }
        return y;
    }

    std::int32_t add_sizes(std::int32_t y) {
        name(y + kStripHeight / 2, "|ISR|");
        for (std::size_t i = 0; i < picture_.sizes.size(); ++i) {
            const IsrSize& size = picture_.sizes[i];
            const Time until =
                i + 1 < picture_.sizes.size() ? picture_.sizes[i + 1].at : picture_.head.to;
            const bool is_short = size.min_isr && size.members < *size.min_isr;
            const Style style = is_short
                                    ? Style{{kAlarm}, {Pattern::kSolid, kPaleAlarm}, kAlarm, true}
                                    : Style{{kRule}, {Pattern::kSolid, kWhite}, kInk};
            const Rect rect{x(size.at), y, std::max(x(until) - x(size.at), 1), kStripHeight};
            std::string text = fmt::format("{}", size.members);
            if (is_short && rect.width > 60) {
                text += fmt::format(" < min {}", *size.min_isr);
            }
            scene_.add_cell(
                rect,
                text_width(text, 10) <= rect.width ? text : "",
                style,
                10,
                {},
                fmt::format("{} in the ISR from {}", size.members, to_short_clock(size.at)));
        }
        return y + kStripHeight;
    }

    std::int32_t add_axis(std::int32_t y) {
        constexpr std::int32_t kMarks = 5;
        const std::int64_t from = picture_.head.from.ns;
        const std::int64_t length = picture_.head.to.ns - from;
        for (std::int32_t i = 0; i < kMarks; ++i) {
            const Time at{from + length * i / (kMarks - 1)};
            const Anchor anchor = i == 0            ? Anchor::kLeft
                                  : i == kMarks - 1 ? Anchor::kRight
                                                    : Anchor::kCenter;
            scene_.add_line({x(at), y}, {x(at), y + 4}, {kMutedInk});
            scene_.add(Text{{x(at), y + 12}, to_short_clock(at), anchor, 10, kMutedInk},
                       Layer::kLabel);
        }
        return y + 20;
    }

    void name(std::int32_t y, const std::string& text) {
        scene_.add(Text{{kMargin, y}, fit_text(text, kNames - 8, 11), Anchor::kLeft, 11, kInk},
                   Layer::kLabel);
    }

    static std::vector<LegendEntry> legend() {
        std::vector<LegendEntry> entries;
        entries.push_back({{{kBlue, Stroke::kSolid, 2}, {}, kInk},
                           "log end offset of the leader",
                           LegendSign::kLine});
        entries.push_back(
            {{{kGreen, Stroke::kDashed, 2}, {}, kInk}, "its high watermark", LegendSign::kLine});
        for (const IsrState state : {IsrState::kLeader,
                                     IsrState::kInSync,
                                     IsrState::kCatchingUp,
                                     IsrState::kLagging,
                                     IsrState::kDown}) {
            entries.push_back({style_of(state), std::string(isr_state_word(state))});
        }
        return entries;
    }

    const IsrPicture& picture_;
    SceneBuilder scene_;
    std::int32_t top_ = 0;
};

}  // namespace

Scene isr_scene(const IsrPicture& picture) { return IsrScene(picture).draw(); }

}  // namespace klab::viz
