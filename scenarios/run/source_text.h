// SPDX-License-Identifier: Apache-2.0
//
// The texts that one loading of a scenario reads: the file itself, every --set argument and the
// --choices file. A Span names a piece of one of them by byte offsets, so that every value of a
// scenario can say where it was written, even after a variant has moved it.
//
// Owns: line starts of a text, the mapping from byte offset to line and column.
// Called by: everything in scenarios/run that reports a position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace klab::scenario {

/// Bytes [begin, end) of the text with the number `source` in a Sources list.
struct Span {
    std::uint32_t source = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    friend bool operator==(Span, Span) = default;
    friend auto operator<=>(Span, Span) = default;
};

/// A place as people count: both from 1, columns in characters (code points), not bytes.
struct Position {
    std::uint32_t line = 1;
    std::uint32_t column = 1;

    friend bool operator==(Position, Position) = default;
    friend auto operator<=>(Position, Position) = default;
};

/// A value together with the place where it is written.
template <typename T>
struct At {
    T value{};
    Span where{};

    friend bool operator==(const At&, const At&) = default;
};

/// One text with a name (a path, or "--set" for an argument).
class SourceText {
  public:
    SourceText() = default;

    SourceText(std::string name, std::string text);

    [[nodiscard]] const std::string& name() const { return name_; }

    [[nodiscard]] const std::string& text() const { return text_; }

    /// Line and column of the byte at `offset`; an offset past the end is the end.
    [[nodiscard]] Position position_of(std::uint32_t offset) const;

    /// The line with that number, without its line end; empty when there is none.
    [[nodiscard]] std::string_view line(std::uint32_t number) const;

    /// Byte offset at which that line begins; the size of the text when there is none.
    [[nodiscard]] std::uint32_t line_begin(std::uint32_t number) const;

    friend bool operator==(const SourceText&, const SourceText&) = default;

  private:
    std::string name_;
    std::string text_;
    std::vector<std::uint32_t> line_begins_;
};

/// All texts of one loading; Span::source is an index. Never empty once a file was read.
using Sources = std::vector<SourceText>;

/// Offset of the first byte that is not part of well-formed UTF-8 (overlong forms, surrogates and
/// values above U+10FFFF count as wrong), or nothing.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// Number of code points; bytes that continue a character are not counted.
[[nodiscard]] std::size_t count_characters(std::string_view text);

}  // namespace klab::scenario
