// SPDX-License-Identifier: Apache-2.0
//
// Shapes, their order, and how wide text is. See scene.h.
#include "viz/scene.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/base/overloaded.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

/// Width of a glyph in thousandths of the font size. Classes are those of a wide sans-serif
/// (DejaVu Sans); Helvetica and Arial are narrower, so text never needs more.
std::int32_t glyph_width(const Glyph& glyph) {
    constexpr std::string_view kNarrow = "iljI|!.,:;'` ()[]";
    constexpr std::string_view kHalf = "frt-\"/\\{}";
    constexpr std::string_view kBroad = "mwMW@%";
    if (glyph.columns != 1) {
        return glyph.columns * 520;
    }
    if (glyph.code >= 0x80) {
        return 850;
    }
    const char c = static_cast<char>(glyph.code);
    if (kNarrow.find(c) != std::string_view::npos) {
        return 370;
    }
    if (kHalf.find(c) != std::string_view::npos) {
        return 460;
    }
    if (kBroad.find(c) != std::string_view::npos) {
        return 990;
    }
    return c >= 'A' && c <= 'Z' ? 740 : 640;
}

std::int32_t to_points(std::int32_t thousandths, std::int32_t size, bool bold) {
    const std::int32_t widened = bold ? thousandths + thousandths / 9 : thousandths;
    return (widened * size + 999) / 1000;
}

/// Columns of text that surely fit into `width` points, by the widths of its own glyphs.
std::int32_t fitting_columns(const std::string& text,
                             std::int32_t width,
                             std::int32_t size,
                             bool bold) {
    std::int32_t used = 0;
    std::int32_t columns = 0;
    for (const Glyph& glyph : to_glyphs(text)) {
        used += glyph_width(glyph);
        if (to_points(used, size, bold) > width) {
            break;
        }
        columns += glyph.columns;
    }
    return columns;
}

std::vector<Point> corners_of(const Form& form) {
    return std::visit(
        overloaded{[](const Box& box) -> std::vector<Point> {
                       return {{box.rect.x, box.rect.y}, {box.rect.right(), box.rect.bottom()}};
                   },
                   [](const Polyline& line) -> std::vector<Point> { return line.points; },
                   [](const Text& text) -> std::vector<Point> {
                       const Rect rect = text_rect(text);
                       return {{rect.x, rect.y}, {rect.right(), rect.bottom()}};
                   },
                   [](const Cross& cross) -> std::vector<Point> {
                       return {{cross.at.x + cross.radius, cross.at.y + cross.radius}};
                   },
                   [](const Disc& disc) -> std::vector<Point> {
                       return {{disc.at.x + disc.radius, disc.at.y + disc.radius}};
                   }},
        form);
}

}  // namespace

bool overlaps(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

std::vector<Shape> in_drawing_order(const Scene& scene) {
    std::vector<Shape> shapes = scene.shapes;
    const auto rank = [](const Shape& shape) {
        const bool is_line = std::holds_alternative<Polyline>(shape.form) ||
                             std::holds_alternative<Cross>(shape.form);
        return std::pair(shape.layer, is_line);
    };
    std::stable_sort(shapes.begin(), shapes.end(), [&rank](const Shape& a, const Shape& b) {
        return rank(a) < rank(b);
    });
    return shapes;
}

std::vector<std::string> unique_ids(const std::vector<Shape>& shapes) {
    std::map<std::string, std::int32_t> uses;
    std::vector<std::string> ids;
    ids.reserve(shapes.size());
    for (const Shape& shape : shapes) {
        if (shape.id.empty()) {
            ids.emplace_back();
            continue;
        }
        std::string id = to_identifier(shape.id);
        std::int32_t& used = uses[id];
        ++used;
        while (used > 1 && uses.count(fmt::format("{}-{}", id, used)) != 0) {
            ++used;
        }
        if (used > 1) {
            id = fmt::format("{}-{}", id, used);
            uses[id] = 1;
        }
        ids.push_back(std::move(id));
    }
    return ids;
}

std::int32_t text_width(const std::string& text, std::int32_t size, bool bold) {
    std::int32_t thousandths = 0;
    for (const Glyph& glyph : to_glyphs(text)) {
        thousandths += glyph_width(glyph);
    }
    return to_points(thousandths, size, bold);
}

std::string fit_text(const std::string& text, std::int32_t width, std::int32_t size, bool bold) {
    if (text_width(text, size, bold) <= width) {
        return to_printable(text);
    }
    const std::int32_t room = std::max(0, width - to_points(850, size, bold));
    const std::int32_t columns = fitting_columns(text, room, size, bold);
    return elide(text, columns + 1);
}

std::vector<std::string> wrap_text(const std::string& text,
                                   std::int32_t width,
                                   std::int32_t size,
                                   bool bold) {
    std::vector<std::string> lines;
    std::string line;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t space = rest.find(' ');
        const std::string word(rest.substr(0, space));
        rest = space == std::string_view::npos ? std::string_view() : rest.substr(space + 1);
        const std::string longer = line.empty() ? word : line + " " + word;
        if (text_width(longer, size, bold) <= width || line.empty()) {
            line = longer;
        } else {
            lines.push_back(fit_text(line, width, size, bold));
            line = word;
        }
    }
    lines.push_back(fit_text(line, width, size, bold));
    return lines;
}

Rect text_rect(const Text& text) {
    const std::int32_t width = text_width(text.text, text.size, text.bold);
    const std::int32_t height = text.size + 2;
    std::int32_t x = text.at.x;
    switch (text.anchor) {
        case Anchor::kLeft:
            break;
        case Anchor::kCenter:
            x -= width / 2;
            break;
        case Anchor::kRight:
            x -= width;
            break;
    }
    return {x, text.at.y - height / 2, width, height};
}

std::string event_id_text(std::uint64_t event) { return fmt::format("e{}", event); }

SceneBuilder::SceneBuilder(std::string title) { scene_.title = std::move(title); }

void SceneBuilder::add(Form form, Layer layer, std::string id, std::string tooltip) {
    for (const Point point : corners_of(form)) {
        cover(point);
    }
    scene_.shapes.push_back({std::move(form), layer, std::move(id), std::move(tooltip)});
}

void SceneBuilder::add_cell(const Rect& rect,
                            const std::string& text,
                            const Style& style,
                            std::int32_t size,
                            std::string id,
                            std::string tooltip) {
    add(Box{rect, style.pen, style.paint}, Layer::kMiddle, std::move(id), std::move(tooltip));
    if (!text.empty()) {
        add(Text{rect.center(),
                 fit_text(text, rect.width - 4, size, style.bold),
                 Anchor::kCenter,
                 size,
                 style.ink,
                 style.bold,
                 false},
            Layer::kFront);
    }
}

void SceneBuilder::add_line(Point from, Point to, const Pen& pen, Layer layer) {
    add(Polyline{{from, to}, pen, false}, layer);
}

Scene SceneBuilder::finish(std::int32_t margin) && {
    scene_.width = std::max(1, right_ + margin);
    scene_.height = std::max(1, bottom_ + margin);
    return std::move(scene_);
}

void SceneBuilder::cover(Point point) {
    right_ = std::max(right_, point.x);
    bottom_ = std::max(bottom_, point.y);
}

}  // namespace klab::viz
