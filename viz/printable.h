// SPDX-License-Identifier: Apache-2.0
//
// Text from a scenario is not ours: titles, topic names and record values may hold quotes, markup,
// escape sequences, broken UTF-8 or direction marks. Every writer passes it through this file once.
// Owns: nothing. Called by: the scene and text writers, every picture.
// Simplified: display width knows wide East Asian blocks and combining marks, not emoji sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/time.h"

namespace klab::viz {

/// One code point of valid UTF-8 with the number of terminal columns it takes (0, 1 or 2).
struct Glyph {
    std::string bytes;
    char32_t code = 0;
    std::int32_t columns = 1;

    friend bool operator==(const Glyph&, const Glyph&) = default;
};

/// Splits text into glyphs that are safe to show: broken UTF-8, control characters, direction
/// marks, zero-width characters and non-characters become U+FFFD, line breaks and tabs become a
/// space.
[[nodiscard]] std::vector<Glyph> to_glyphs(std::string_view text);

/// The same as one string: always valid UTF-8 on one line.
[[nodiscard]] std::string to_printable(std::string_view text);

/// Columns of a terminal that `text` takes once printable.
[[nodiscard]] std::int32_t display_columns(std::string_view text);

/// `text` cut to at most `columns` terminal columns, with an ellipsis in the last one if it was
/// cut. Requires: columns >= 0.
[[nodiscard]] std::string elide(std::string_view text, std::int32_t columns);

/// `text` broken at spaces into lines of at most `columns`; a longer word is broken where it must.
/// At least one line. Requires: columns > 0.
[[nodiscard]] std::vector<std::string> wrap_words(std::string_view text, std::int32_t columns);

/// A quoted dot string: `a"b` becomes `"a\"b"`. Backslashes stay themselves and entities stay text.
[[nodiscard]] std::string to_dot_string(std::string_view text);

/// Text for the content or a double-quoted attribute of an XML element.
[[nodiscard]] std::string to_xml_text(std::string_view text);

/// A word usable as id in SVG and dot: letters, digits, '-' and '_'; other bytes become '_'.
[[nodiscard]] std::string to_identifier(std::string_view text);

/// A length of time for people: "12.34 s", "9 s", "9640 ms", "2.35 ms", "740 us", "12 ns", "0 ms".
[[nodiscard]] std::string to_short_text(Duration duration);

/// An instant for people: to the millisecond if it is a whole one, else to the microsecond:
/// "00:09.830", "00:09.830412".
[[nodiscard]] std::string to_short_clock(Time time);

}  // namespace klab::viz
