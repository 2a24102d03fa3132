// SPDX-License-Identifier: Apache-2.0
//
// Scene -> SVG. See svg_writer.h.
#include "viz/svg_writer.h"

#include <cstdint>
#include <set>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "sim/base/assert.h"
#include "sim/base/overloaded.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

constexpr std::string_view kFonts = "Helvetica,Arial,sans-serif";

std::string hex_digits(Color color) { return to_hex(color).substr(1); }

std::string dashes(const Pen& pen) {
    switch (pen.stroke) {
        case Stroke::kNone:
        case Stroke::kSolid:
            return {};
        case Stroke::kDashed:
            return " stroke-dasharray=\"5 3\"";
        case Stroke::kDotted:
            return " stroke-dasharray=\"1 3\"";
    }
    KLAB_ASSERT(false, "stroke {}", static_cast<int>(pen.stroke));
    return {};
}

std::string stroke_attributes(const Pen& pen) {
    if (pen.stroke == Stroke::kNone) {
        return " stroke=\"none\"";
    }
    return fmt::format(
        " stroke=\"{}\" stroke-width=\"{}\"{}", to_hex(pen.color), pen.width, dashes(pen));
}

std::string fill_attribute(const Paint& paint) {
    switch (paint.pattern) {
        case Pattern::kNone:
            return " fill=\"none\"";
        case Pattern::kSolid:
            return fmt::format(" fill=\"{}\"", to_hex(paint.color));
        case Pattern::kHatched:
            return fmt::format(" fill=\"url(#hatch-{})\"", hex_digits(paint.color));
    }
    KLAB_ASSERT(false, "pattern {}", static_cast<int>(paint.pattern));
    return {};
}

std::string_view anchor_word(Anchor anchor) {
    switch (anchor) {
        case Anchor::kLeft:
            return "start";
        case Anchor::kCenter:
            return "middle";
        case Anchor::kRight:
            return "end";
    }
    KLAB_ASSERT(false, "anchor {}", static_cast<int>(anchor));
    return {};
}

std::string write_path(const Polyline& line) {
    KLAB_ASSERT(line.points.size() >= 2, "a line of {} points", line.points.size());
    std::string points;
    for (const Point point : line.points) {
        points += fmt::format("{}{},{}", points.empty() ? "" : " ", point.x, point.y);
    }
    const std::string arrow = line.arrow_at_end ? fmt::format(" marker-end=\"url(#arrow-{})\"",
                                                              hex_digits(line.pen.color))
                                                : std::string();
    return fmt::format(
        "<polyline points=\"{}\" fill=\"none\"{}{}/>", points, stroke_attributes(line.pen), arrow);
}

std::string write_text_element(const Text& text) {
    std::string out;
    if (text.backed) {
        const Rect rect = text_rect(text);
        out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>",
                           rect.x - 1,
                           rect.y,
                           rect.width + 2,
                           rect.height);
    }
    // The baseline lies about 0.35 of the size under the middle of the line.
    const std::int32_t baseline_tenths = text.at.y * 10 + text.size * 7 / 2;
    out += fmt::format(
        "<text x=\"{}\" y=\"{}.{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}>{}</text>",
        text.at.x,
        baseline_tenths / 10,
        baseline_tenths % 10,
        text.size,
        to_hex(text.ink),
        anchor_word(text.anchor),
        text.bold ? " font-weight=\"bold\"" : "",
        to_xml_text(text.text));
    return out;
}

std::string write_form(const Form& form) {
    return std::visit(
        overloaded{[](const Box& box) {
                       return fmt::format(
                           "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}/>",
                           box.rect.x,
                           box.rect.y,
                           box.rect.width,
                           box.rect.height,
                           fill_attribute(box.paint),
                           stroke_attributes(box.pen));
                   },
                   [](const Polyline& line) { return write_path(line); },
                   [](const Text& text) { return write_text_element(text); },
                   [](const Cross& cross) {
                       return fmt::format("<path d=\"M{} {}L{} {}M{} {}L{} {}\" fill=\"none\"{}/>",
                                          cross.at.x - cross.radius,
                                          cross.at.y - cross.radius,
                                          cross.at.x + cross.radius,
                                          cross.at.y + cross.radius,
                                          cross.at.x - cross.radius,
                                          cross.at.y + cross.radius,
                                          cross.at.x + cross.radius,
                                          cross.at.y - cross.radius,
                                          stroke_attributes(cross.pen));
                   },
                   [](const Disc& disc) {
                       return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}{}/>",
                                          disc.at.x,
                                          disc.at.y,
                                          disc.radius,
                                          fill_attribute(disc.paint),
                                          stroke_attributes(disc.pen));
                   }},
        form);
}

struct Definitions {
    std::set<std::string> arrows;   ///< Six digits of each colour that needs an arrow head.
    std::set<std::string> hatches;  ///< Six digits of each colour that is hatched.
};

void note_paint(Definitions& definitions, const Paint& paint) {
    if (paint.pattern == Pattern::kHatched) {
        definitions.hatches.insert(hex_digits(paint.color));
    }
}

Definitions definitions_of(const std::vector<Shape>& shapes) {
    Definitions definitions;
    for (const Shape& shape : shapes) {
        if (const auto* line = std::get_if<Polyline>(&shape.form)) {
            if (line->arrow_at_end) {
                definitions.arrows.insert(hex_digits(line->pen.color));
            }
        } else if (const auto* box = std::get_if<Box>(&shape.form)) {
            note_paint(definitions, box->paint);
        } else if (const auto* disc = std::get_if<Disc>(&shape.form)) {
            note_paint(definitions, disc->paint);
        }
    }
    return definitions;
}

std::string write_definitions(const Definitions& definitions) {
    std::string out = "<defs>\n";
    for (const std::string& color : definitions.arrows) {
        out += fmt::format(
            "<marker id=\"arrow-{0}\" viewBox=\"0 0 8 6\" refX=\"8\" refY=\"3\" "
            "markerWidth=\"8\" markerHeight=\"6\" markerUnits=\"userSpaceOnUse\" "
            "orient=\"auto\"><path d=\"M0 0L8 3L0 6z\" fill=\"#{0}\"/></marker>\n",
            color);
    }
    for (const std::string& color : definitions.hatches) {
        out += fmt::format(
            "<pattern id=\"hatch-{0}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
            "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#{0}\"/>"
            "<rect width=\"2\" height=\"6\" fill=\"#ffffff\"/></pattern>\n",
            color);
    }
    return out + "</defs>\n";
}

}  // namespace

std::string write_svg(const Scene& scene) {
    KLAB_ASSERT(scene.width > 0 && scene.height > 0, "page {}x{}", scene.width, scene.height);
    const std::vector<Shape> shapes = in_drawing_order(scene);
    const std::vector<std::string> ids = unique_ids(shapes);
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"{2}\">\n",
        scene.width,
        scene.height,
        kFonts);
    out += fmt::format("<title>{}</title>\n", to_xml_text(scene.title));
    out += write_definitions(definitions_of(shapes));
    out += fmt::format(
        "<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", scene.width, scene.height);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const bool grouped = !ids[i].empty() || !shapes[i].tooltip.empty();
        if (grouped) {
            out += ids[i].empty() ? std::string("<g>") : fmt::format("<g id=\"{}\">", ids[i]);
        }
        if (!shapes[i].tooltip.empty()) {
            out += fmt::format("<title>{}</title>", to_xml_text(shapes[i].tooltip));
        }
        out += write_form(shapes[i].form);
        out += grouped ? "</g>\n" : "\n";
    }
    return out + "</svg>\n";
}

}  // namespace klab::viz
