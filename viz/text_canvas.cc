// SPDX-License-Identifier: Apache-2.0
//
// The sheet of cells. See text_canvas.h.
#include "viz/text_canvas.h"

#include <algorithm>
#include <array>

#include "sim/base/assert.h"
#include "viz/printable.h"

namespace klab::viz {

namespace {

struct StandIn {
    char32_t sign;
    char ascii;
};

constexpr std::array<StandIn, 33> kStandIns{{
    {0x25B8, '>'}, {0x25C2, '<'}, {0x25B4, '^'},  {0x25BE, 'v'}, {0x25CF, 'o'}, {0x25CB, '*'},
    {0x25A0, '#'}, {0x2717, 'X'}, {0x2500, '-'},  {0x254C, '-'}, {0x2502, '|'}, {0x250A, ':'},
    {0x2503, '|'}, {0x2550, '='}, {0x250C, '+'},  {0x2510, '+'}, {0x2514, '+'}, {0x2518, '+'},
    {0x2026, '.'}, {0x00B7, '-'}, {0x2192, '>'},  {0x2190, '<'}, {0x00D7, 'x'}, {0x2265, '>'},
    {0x2264, '<'}, {0x2013, '-'}, {0x2019, '\''}, {0x2591, ':'}, {0x2588, '#'}, {0x251C, '+'},
    {0x2524, '+'}, {0x253C, '+'}, {0x25B6, '>'},
}};

}  // namespace

std::string to_ascii(std::string_view text) {
    std::string out;
    for (const Glyph& glyph : to_glyphs(text)) {
        if (glyph.code < 0x80) {
            out += glyph.bytes;
            continue;
        }
        const auto* found =
            std::find_if(kStandIns.begin(), kStandIns.end(), [&glyph](const StandIn& entry) {
                return entry.sign == glyph.code;
            });
        const char ascii = found == kStandIns.end() ? '?' : found->ascii;
        out.append(static_cast<std::size_t>(glyph.columns), ascii);
    }
    return out;
}

void TextCanvas::put(std::int32_t row, std::int32_t column, std::string_view text) {
    std::int32_t at = column;
    for (const Glyph& glyph : to_glyphs(text)) {
        if (glyph.columns == 0) {
            if (at - 1 >= 0 && at > column) {
                cell(row, at - 1) += glyph.bytes;
            }
            continue;
        }
        if (at >= 0) {
            cell(row, at) = glyph.bytes;
            if (glyph.columns == 2) {
                cell(row, at + 1).clear();
            }
        }
        at += glyph.columns;
    }
}

void TextCanvas::fill(std::int32_t row,
                      std::int32_t column,
                      std::int32_t count,
                      std::string_view sign) {
    for (std::int32_t i = 0; i < count; ++i) {
        put(row, column + i, sign);
    }
}

void TextCanvas::frame(std::int32_t row,
                       std::int32_t column,
                       std::int32_t height,
                       std::int32_t width) {
    KLAB_ASSERT(height >= 2 && width >= 2, "frame {}x{}", height, width);
    const std::int32_t last_row = row + height - 1;
    const std::int32_t last_column = column + width - 1;
    fill(row, column, width, kSignRule);
    fill(last_row, column, width, kSignRule);
    for (std::int32_t r = row + 1; r < last_row; ++r) {
        put(r, column, kSignPost);
        put(r, last_column, kSignPost);
    }
    put(row, column, "\u250c");
    put(row, last_column, "\u2510");
    put(last_row, column, "\u2514");
    put(last_row, last_column, "\u2518");
}

std::string_view TextCanvas::at(std::int32_t row, std::int32_t column) const {
    if (row < 0 || column < 0 || row >= rows()) {
        return " ";
    }
    const std::vector<std::string>& line = cells_[static_cast<std::size_t>(row)];
    return column < static_cast<std::int32_t>(line.size()) ? line[static_cast<std::size_t>(column)]
                                                           : std::string_view(" ");
}

std::vector<std::string> TextCanvas::lines() const {
    std::vector<std::string> out;
    out.reserve(cells_.size());
    for (const std::vector<std::string>& row : cells_) {
        std::string line;
        for (const std::string& sign : row) {
            line += sign;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out.push_back(std::move(line));
    }
    return out;
}

std::string& TextCanvas::cell(std::int32_t row, std::int32_t column) {
    KLAB_ASSERT(row >= 0, "row {}", row);
    KLAB_ASSERT(column >= 0, "column {}", column);
    const auto r = static_cast<std::size_t>(row);
    const auto c = static_cast<std::size_t>(column);
    if (cells_.size() <= r) {
        cells_.resize(r + 1);
    }
    if (cells_[r].size() <= c) {
        cells_[r].resize(c + 1, " ");
    }
    return cells_[r][c];
}

}  // namespace klab::viz
