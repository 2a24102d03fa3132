// SPDX-License-Identifier: Apache-2.0
//
// Scene -> dot. See dot_writer.h.
//
// Graphviz draws a node, then the edges that leave it, then the next node. So lines of one layer
// all leave one invisible node of that layer, which stands behind the layer's surfaces and text.
#include "viz/dot_writer.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "sim/base/assert.h"
#include "sim/base/overloaded.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

/// `points` / 72 with six decimals, rounded: Graphviz wants sizes in inches.
std::string to_inches(std::int64_t points) {
    const std::int64_t millionths = (points * 1'000'000 + 36) / 72;
    return fmt::format("{}.{:06}", millionths / 1'000'000, millionths % 1'000'000);
}

/// Tenths of a point as text: 125 -> "12.5", 120 -> "12".
std::string to_tenths_text(std::int64_t tenths) {
    const std::int64_t magnitude = tenths < 0 ? -tenths : tenths;
    const std::string_view sign = tenths < 0 ? "-" : "";
    if (magnitude % 10 == 0) {
        return fmt::format("{}{}", sign, magnitude / 10);
    }
    return fmt::format("{}{}.{}", sign, magnitude / 10, magnitude % 10);
}

std::string_view stroke_word(Stroke stroke) {
    switch (stroke) {
        case Stroke::kNone:
        case Stroke::kSolid:
            return "solid";
        case Stroke::kDashed:
            return "dashed";
        case Stroke::kDotted:
            return "dotted";
    }
    KLAB_ASSERT(false, "stroke {}", static_cast<int>(stroke));
    return {};
}

/// Largest r with r * r <= n.
std::int64_t integer_sqrt(std::int64_t n) {
    std::int64_t root = 0;
    for (std::int64_t bit = std::int64_t{1} << 31; bit > 0; bit >>= 1) {
        const std::int64_t tried = root + bit;
        if (tried * tried <= n) {
            root = tried;
        }
    }
    return root;
}

class DotText {
  public:
    explicit DotText(const Scene& scene)
        : scene_(scene), shapes_(in_drawing_order(scene)), ids_(unique_ids(shapes_)) {}

    std::string write() {
        write_head();
        std::optional<Layer> anchored;
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            const Shape& shape = shapes_[i];
            const bool is_line = std::holds_alternative<Polyline>(shape.form) ||
                                 std::holds_alternative<Cross>(shape.form);
            if (is_line && anchored != shape.layer) {
                anchored = shape.layer;
                anchor_ = fmt::format("\".lines{}\"", static_cast<int>(shape.layer));
                out_ += fmt::format(
                    "  {} [shape=point, style=invis, width=0.01, height=0.01, pos=\"0,0\"];\n",
                    anchor_);
            }
            write_shape(i);
        }
        out_ += "}\n";
        return std::move(out_);
    }

  private:
    void write_head() {
        out_ += fmt::format("digraph {} {{\n", to_dot_string(scene_.title));
        out_ += "  graph [layout=nop2, pad=0, bgcolor=\"#ffffff\", fontname=\"Helvetica\"];\n";
        out_ += "  node [shape=box, margin=0, label=\"\", fontname=\"Helvetica\"];\n";
        out_ += "  edge [arrowhead=none, arrowsize=0.8];\n";
        const Rect page{0, 0, scene_.width, scene_.height};
        out_ += fmt::format(
            "  \".page\" [{}, fixedsize=true, style=filled, color=\"#ffffff\", "
            "fillcolor=\"#ffffff\"];\n",
            place(page));
    }

    /// Names of nodes without an id hold a dot, which no id does, so they never meet.
    void write_shape(std::size_t i) {
        const std::string extra = extras(i);
        const std::string name = ids_[i].empty() ? fmt::format(".{}", i) : ids_[i];
        std::visit(overloaded{[&](const Box& box) { write_box(box, name, extra); },
                              [&](const Polyline& line) { write_line(line, extra); },
                              [&](const Text& text) { write_text(text, name, extra); },
                              [&](const Cross& cross) { write_cross(cross, extra); },
                              [&](const Disc& disc) { write_disc(disc, name, extra); }},
                   shapes_[i].form);
    }

    /// Attributes for clicking and hovering, with a leading comma.
    [[nodiscard]] std::string extras(std::size_t i) const {
        std::string extra;
        if (!ids_[i].empty()) {
            extra += fmt::format(", id=\"{}\"", ids_[i]);
        }
        if (!shapes_[i].tooltip.empty()) {
            extra += ", tooltip=" + to_dot_string(shapes_[i].tooltip);
        }
        return extra;
    }

    [[nodiscard]] std::string at(std::int64_t x_tenths, std::int64_t y_tenths) const {
        return to_tenths_text(x_tenths) + "," +
               to_tenths_text(std::int64_t{scene_.height} * 10 - y_tenths);
    }

    [[nodiscard]] std::string place(const Rect& rect) const {
        const std::int64_t x = std::int64_t{rect.x} * 10 + std::int64_t{rect.width} * 5;
        const std::int64_t y = std::int64_t{rect.y} * 10 + std::int64_t{rect.height} * 5;
        return fmt::format("pos=\"{}\", width={}, height={}",
                           at(x, y),
                           to_inches(rect.width),
                           to_inches(rect.height));
    }

    [[nodiscard]] static std::string surface(const Pen& pen, const Paint& paint) {
        std::string style;
        std::string fill;
        switch (paint.pattern) {
            case Pattern::kNone:
                break;
            case Pattern::kSolid:
                style = "filled,";
                fill = fmt::format(", fillcolor=\"{}\"", to_hex(paint.color));
                break;
            case Pattern::kHatched: {
                const std::string dark = to_hex(paint.color);
                const std::string light = to_hex(lighten(paint.color, 55));
                style = "striped,";
                fill = fmt::format(", fillcolor=\"{0}:{1}:{0}:{1}:{0}:{1}:{0}\"", dark, light);
                break;
            }
        }
        const std::string color =
            pen.stroke == Stroke::kNone ? std::string("#00000000") : to_hex(pen.color);
        return fmt::format("style=\"{}{}\", color=\"{}\", penwidth={}{}",
                           style,
                           stroke_word(pen.stroke),
                           color,
                           pen.width,
                           fill);
    }

    void write_box(const Box& box, const std::string& name, const std::string& extra) {
        out_ += fmt::format("  \"{}\" [{}, fixedsize=true, {}{}];\n",
                            name,
                            place(box.rect),
                            surface(box.pen, box.paint),
                            extra);
    }

    void write_disc(const Disc& disc, const std::string& name, const std::string& extra) {
        const Rect rect{
            disc.at.x - disc.radius, disc.at.y - disc.radius, 2 * disc.radius, 2 * disc.radius};
        Paint paint = disc.paint;
        if (paint.pattern == Pattern::kHatched) {
            paint.pattern = Pattern::kSolid;
        }
        out_ += fmt::format("  \"{}\" [shape=circle, {}, fixedsize=true, {}{}];\n",
                            name,
                            place(rect),
                            surface(disc.pen, paint),
                            extra);
    }

    void write_text(const Text& text, const std::string& name, const std::string& extra) {
        const Rect rect = text_rect(text);
        std::string label = to_dot_string(text.text);
        std::int32_t width = rect.width;
        std::int64_t x = std::int64_t{rect.x} * 10 + std::int64_t{rect.width} * 5;
        label.pop_back();
        switch (text.anchor) {
            case Anchor::kLeft:
                label += "\\l\"";
                break;
            case Anchor::kCenter:
                label += "\"";
                width = 0;
                x = std::int64_t{text.at.x} * 10;
                break;
            case Anchor::kRight:
                label += "\\r\"";
                break;
        }
        out_ += fmt::format(
            "  \"{}\" [{}, pos=\"{}\", width={}, height=0, label={}, fontsize={}, "
            "fontcolor=\"{}\"{}{}];\n",
            name,
            text.backed ? "style=filled, color=\"#ffffff\", fillcolor=\"#ffffff\", penwidth=0"
                        : "shape=none",
            at(x, std::int64_t{text.at.y} * 10),
            to_inches(width),
            label,
            text.size,
            to_hex(text.ink),
            text.bold ? ", fontname=\"Helvetica-Bold\"" : "",
            extra);
    }

    void write_line(const Polyline& line, const std::string& extra) {
        KLAB_ASSERT(line.points.size() >= 2, "a line of {} points", line.points.size());
        out_ += fmt::format(
            "  {0} -> {0} [pos=\"{1}\", color=\"{2}\", style={3}, penwidth={4}{5}{6}];\n",
            anchor_,
            spline(line),
            to_hex(line.pen.color),
            stroke_word(line.pen.stroke),
            line.pen.width,
            line.arrow_at_end ? ", arrowhead=normal" : "",
            extra);
    }

    /// A polyline as the Bezier list of Graphviz: each corner three times, ends once or twice.
    [[nodiscard]] std::string spline(const Polyline& line) const {
        std::vector<std::pair<std::int64_t, std::int64_t>> points;
        for (const Point point : line.points) {
            points.emplace_back(std::int64_t{point.x} * 10, std::int64_t{point.y} * 10);
        }
        std::string text;
        if (line.arrow_at_end) {
            const auto tip = points.back();
            const auto before = points[points.size() - 2];
            text = "e," + at(tip.first, tip.second) + " ";
            constexpr std::int64_t kHead = 80;
            const std::int64_t dx = tip.first - before.first;
            const std::int64_t dy = tip.second - before.second;
            const std::int64_t length = integer_sqrt(dx * dx + dy * dy);
            if (length > 0) {
                const std::int64_t back = length > kHead ? kHead : length / 2;
                points.back() = {tip.first - dx * back / length, tip.second - dy * back / length};
            }
        }
        text += at(points.front().first, points.front().second);
        for (std::size_t i = 1; i < points.size(); ++i) {
            const std::string from = at(points[i - 1].first, points[i - 1].second);
            const std::string to = at(points[i].first, points[i].second);
            text += fmt::format(" {} {} {}", from, to, to);
        }
        return text;
    }

    void write_cross(const Cross& cross, const std::string& extra) {
        const Point c = cross.at;
        const std::int32_t r = cross.radius;
        write_line(Polyline{{{c.x - r, c.y - r}, {c.x + r, c.y + r}}, cross.pen, false}, extra);
        write_line(Polyline{{{c.x - r, c.y + r}, {c.x + r, c.y - r}}, cross.pen, false}, "");
    }

    const Scene& scene_;
    std::vector<Shape> shapes_;
    std::vector<std::string> ids_;
    std::string anchor_;
    std::string out_;
};

}  // namespace

std::string write_dot(const Scene& scene) {
    KLAB_ASSERT(scene.width > 0 && scene.height > 0, "page {}x{}", scene.width, scene.height);
    return DotText(scene).write();
}

}  // namespace klab::viz
