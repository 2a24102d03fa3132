// SPDX-License-Identifier: Apache-2.0
//
// A sheet of terminal cells that pictures draw on: text, rules, frames, arrows.
// Rows and columns count from 0; the sheet grows as needed.
// Owns: nothing. Called by: the text form of every picture.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace klab::viz {

enum class Charset : std::uint8_t { kUnicode, kAscii };

/// How a text picture is written.
struct TextOptions {
    std::int32_t width =
        100;  ///< Columns of the terminal; pictures fit into it if at all possible.
    Charset charset = Charset::kUnicode;

    friend bool operator==(const TextOptions&, const TextOptions&) = default;
};

/// Signs that pictures use; each is one column wide and has an ASCII stand-in (to_ascii).
inline constexpr std::string_view kSignRight = "\u25b8";
inline constexpr std::string_view kSignLeft = "\u25c2";
inline constexpr std::string_view kSignUp = "\u25b4";
inline constexpr std::string_view kSignDown = "\u25be";
inline constexpr std::string_view kSignDot = "\u25cf";
inline constexpr std::string_view kSignRing = "\u25cb";
inline constexpr std::string_view kSignSquare = "\u25a0";
inline constexpr std::string_view kSignCross = "\u2717";
inline constexpr std::string_view kSignRule = "\u2500";
inline constexpr std::string_view kSignDashes = "\u254c";
inline constexpr std::string_view kSignPost = "\u2502";
inline constexpr std::string_view kSignDots = "\u250a";
inline constexpr std::string_view kSignWall = "\u2503";
inline constexpr std::string_view kSignDouble = "\u2550";

/// `text` with every known sign replaced by an ASCII sign of the same width, other characters
/// outside ASCII by '?'.
[[nodiscard]] std::string to_ascii(std::string_view text);

class TextCanvas {
  public:
    /// Writes `text` from `column` on, over whatever is there. Columns left of 0 are cut.
    void put(std::int32_t row, std::int32_t column, std::string_view text);

    /// Repeats a one-column sign over `count` columns (none if count is not positive).
    void fill(std::int32_t row, std::int32_t column, std::int32_t count, std::string_view sign);

    /// A frame with single rules; the inside is left alone. Requires: at least 2 by 2.
    void frame(std::int32_t row, std::int32_t column, std::int32_t height, std::int32_t width);

    [[nodiscard]] std::int32_t rows() const { return static_cast<std::int32_t>(cells_.size()); }

    /// The sign at a place; a space outside the sheet.
    [[nodiscard]] std::string_view at(std::int32_t row, std::int32_t column) const;

    /// The lines without trailing spaces.
    [[nodiscard]] std::vector<std::string> lines() const;

  private:
    /// A row of cells; the second cell of a wide glyph is empty.
    std::vector<std::vector<std::string>> cells_;

    std::string& cell(std::int32_t row, std::int32_t column);
};

}  // namespace klab::viz
