// SPDX-License-Identifier: Apache-2.0
//
// Head and legend of pictures. See picture_head.h.
#include "viz/picture_head.h"

#include <algorithm>

#include <fmt/format.h>

#include "viz/printable.h"

namespace klab::viz {

namespace {

constexpr std::int32_t kMargin = 16;

std::string join_hidden(const std::vector<std::string>& hidden) {
    if (hidden.empty()) {
        return "nothing hidden";
    }
    std::string text = "hidden: ";
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        text += (i == 0 ? "" : ", ") + hidden[i];
    }
    return text;
}

void add_sample(SceneBuilder& scene, const Rect& rect, const LegendEntry& entry) {
    const Point middle = rect.center();
    switch (entry.sign) {
        case LegendSign::kSurface:
            scene.add(Box{rect, entry.style.pen, entry.style.paint}, Layer::kBack);
            return;
        case LegendSign::kLine:
            scene.add_line({rect.x, middle.y}, {rect.right(), middle.y}, entry.style.pen);
            return;
        case LegendSign::kWall:
            scene.add_line({middle.x, rect.y}, {middle.x, rect.bottom()}, entry.style.pen);
            return;
        case LegendSign::kCross:
            scene.add(Cross{middle, 5, entry.style.pen}, Layer::kMiddle);
            return;
    }
}

}  // namespace

std::vector<std::string> head_lines(const PictureHead& head) {
    const std::string time =
        head.from == head.to
            ? fmt::format("at {}", to_short_clock(head.from))
            : fmt::format("{} to {}", to_short_clock(head.from), to_short_clock(head.to));
    std::string first = head.title;
    if (!head.subject.empty()) {
        first += first.empty() ? head.subject : " \u00b7 " + head.subject;
    }
    return {to_printable(first),
            to_printable(fmt::format(
                "{} \u00b7 seed {} \u00b7 Kafka {} rules", time, head.seed, head.kafka_version)),
            to_printable(join_hidden(head.hidden))};
}

std::int32_t add_head(SceneBuilder& scene, const PictureHead& head, std::int32_t width) {
    const std::vector<std::string> lines = head_lines(head);
    std::int32_t y = kMargin + 8;
    for (const std::string& line : wrap_text(lines[0], width, 15, true)) {
        scene.add(Text{{kMargin, y}, line, Anchor::kLeft, 15, kInk, true}, Layer::kLabel);
        y += 19;
    }
    for (std::size_t i = 1; i < lines.size(); ++i) {
        for (const std::string& line : wrap_text(lines[i], width, 10)) {
            scene.add(Text{{kMargin, y}, line, Anchor::kLeft, 10, kMutedInk}, Layer::kLabel);
            y += 14;
        }
    }
    return y + 6;
}

std::string write_text(const PictureHead& head,
                       const std::vector<std::string>& body,
                       const TextOptions& options) {
    std::vector<std::string> lines;
    for (const std::string& line : head_lines(head)) {
        for (std::string& part : wrap_words(line, std::max(20, options.width))) {
            lines.push_back(std::move(part));
        }
    }
    lines.emplace_back();
    lines.insert(lines.end(), body.begin(), body.end());
    std::string out;
    for (const std::string& line : lines) {
        out += options.charset == Charset::kAscii ? to_ascii(line) : line;
        out += '\n';
    }
    return out;
}

std::int32_t add_legend(SceneBuilder& scene,
                        Point at,
                        std::int32_t width,
                        const std::vector<LegendEntry>& entries) {
    constexpr std::int32_t kCell = 22;
    constexpr std::int32_t kRow = 18;
    constexpr std::int32_t kSize = 9;
    std::int32_t x = at.x;
    std::int32_t y = at.y;
    for (const LegendEntry& entry : entries) {
        const std::int32_t needed = kCell + 5 + text_width(entry.word, kSize) + 14;
        if (x > at.x && x + needed > at.x + width) {
            x = at.x;
            y += kRow;
        }
        add_sample(scene, {x, y, kCell, 12}, entry);
        scene.add(Text{{x + kCell + 5, y + 6}, entry.word, Anchor::kLeft, kSize, kMutedInk},
                  Layer::kFront);
        x += needed;
    }
    return entries.empty() ? at.y : y + kRow;
}

}  // namespace klab::viz
