// SPDX-License-Identifier: Apache-2.0
//
// A picture as a value: shapes with pinned coordinates. A picture module computes where everything
// stands; the dot and SVG writers only spell it out, so both show the same and nothing jumps
// between two pictures of one run. Coordinates are whole points (1/72 inch), x to the right, y
// downwards, origin top left. There is no floating point, so the text is the same on every machine.
// Owns: nothing. Called by: all pictures, dot_writer, svg_writer.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "viz/palette.h"

namespace klab::viz {

struct Point {
    std::int32_t x = 0;
    std::int32_t y = 0;

    friend bool operator==(Point, Point) = default;
};

/// `x`, `y` is the upper left corner.
struct Rect {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t width = 0;
    std::int32_t height = 0;

    [[nodiscard]] std::int32_t right() const { return x + width; }

    [[nodiscard]] std::int32_t bottom() const { return y + height; }

    [[nodiscard]] Point center() const { return {x + width / 2, y + height / 2}; }

    friend bool operator==(Rect, Rect) = default;
};

/// True if the two share an area larger than a border.
[[nodiscard]] bool overlaps(const Rect& a, const Rect& b);

struct Box {
    Rect rect;
    Pen pen;
    Paint paint;

    friend bool operator==(const Box&, const Box&) = default;
};

/// A straight line, a polyline or a step curve; at least two points.
struct Polyline {
    std::vector<Point> points;
    Pen pen;
    bool arrow_at_end = false;

    friend bool operator==(const Polyline&, const Polyline&) = default;
};

enum class Anchor : std::uint8_t { kLeft, kCenter, kRight };

/// One line of text. `at` is the anchor horizontally and the middle of the line vertically.
struct Text {
    Point at;
    std::string text;
    Anchor anchor = Anchor::kLeft;
    std::int32_t size = 11;  ///< Points.
    Color ink = kInk;
    bool bold = false;
    bool backed = false;  ///< White behind it, so that lines under it do not cut it.

    friend bool operator==(const Text&, const Text&) = default;
};

/// The sign for "lost" and "cut": two short strokes.
struct Cross {
    Point at;
    std::int32_t radius = 5;
    Pen pen{kAlarm, Stroke::kSolid, 2};

    friend bool operator==(const Cross&, const Cross&) = default;
};

struct Disc {
    Point at;
    std::int32_t radius = 4;
    Pen pen;
    Paint paint;

    friend bool operator==(const Disc&, const Disc&) = default;
};

using Form = std::variant<Box, Polyline, Text, Cross, Disc>;

/// Later layers cover earlier ones. Inside a layer: surfaces and text in order, then lines.
enum class Layer : std::uint8_t { kBack, kMiddle, kFront, kLabel };

inline constexpr std::int32_t kLayers = 4;

struct Shape {
    Form form;
    Layer layer = Layer::kMiddle;
    std::string id;       ///< Usually "e" + event number; may repeat, the writers make it unique.
    std::string tooltip;  ///< Empty for none.

    friend bool operator==(const Shape&, const Shape&) = default;
};

/// Requires for writing: width and height at least 1; every polyline has two points.
struct Scene {
    std::string title;
    std::int32_t width = 1;
    std::int32_t height = 1;
    std::vector<Shape> shapes;

    friend bool operator==(const Scene&, const Scene&) = default;
};

/// Shapes in drawing order: by layer, otherwise as added.
[[nodiscard]] std::vector<Shape> in_drawing_order(const Scene& scene);

/// One id for each shape of `shapes`: the wanted one made an identifier, with "-2", "-3" for
/// repetitions; empty stays empty.
[[nodiscard]] std::vector<std::string> unique_ids(const std::vector<Shape>& shapes);

/// Width in points that `text` needs at most in any common sans-serif font of that size.
[[nodiscard]] std::int32_t text_width(const std::string& text,
                                      std::int32_t size,
                                      bool bold = false);

/// `text` cut with an ellipsis so that text_width is at most `width`.
[[nodiscard]] std::string fit_text(const std::string& text,
                                   std::int32_t width,
                                   std::int32_t size,
                                   bool bold = false);

/// `text` broken at spaces into lines of at most `width` points.
[[nodiscard]] std::vector<std::string> wrap_text(const std::string& text,
                                                 std::int32_t width,
                                                 std::int32_t size,
                                                 bool bold = false);

/// Where a text of that size stands on the page.
[[nodiscard]] Rect text_rect(const Text& text);

/// "e1234", the id of a shape that shows that event.
[[nodiscard]] std::string event_id_text(std::uint64_t event);

/// Adds shapes to a scene and keeps the page large enough for them.
class SceneBuilder {
  public:
    explicit SceneBuilder(std::string title);

    /// Adds a shape; the id and tooltip may be empty.
    void add(Form form, Layer layer, std::string id = {}, std::string tooltip = {});

    /// A box with one centred line of text, cut to fit.
    void add_cell(const Rect& rect,
                  const std::string& text,
                  const Style& style,
                  std::int32_t size = 11,
                  std::string id = {},
                  std::string tooltip = {});

    void add_line(Point from, Point to, const Pen& pen, Layer layer = Layer::kMiddle);

    [[nodiscard]] std::int32_t bottom() const { return bottom_; }

    /// The finished scene with `margin` points to the right and below.
    [[nodiscard]] Scene finish(std::int32_t margin = 16) &&;

  private:
    void cover(Point point);

    Scene scene_;
    std::int32_t right_ = 0;
    std::int32_t bottom_ = 0;
};

}  // namespace klab::viz
