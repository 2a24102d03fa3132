// SPDX-License-Identifier: Apache-2.0
//
// Making foreign text safe and measuring it. See printable.h.
#include "viz/printable.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "sim/base/assert.h"

namespace klab::viz {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct CodeRange {
    char32_t first;
    char32_t last;
};

/// Characters that change how neighbours look or that no XML document may hold.
constexpr std::array<CodeRange, 10> kUnsafe{{{0x00, 0x1F},
                                             {0x7F, 0x9F},
                                             {0xAD, 0xAD},
                                             {0x61C, 0x61C},
                                             {0x200B, 0x200F},
                                             {0x2028, 0x202E},
                                             {0x2060, 0x206F},
                                             {0xFEFF, 0xFEFF},
                                             {0xFFF9, 0xFFFB},
                                             {0xE0000, 0xE0FFF}}};

constexpr std::array<CodeRange, 8> kWide{{{0x1100, 0x115F},
                                          {0x2E80, 0x303E},
                                          {0x3041, 0xA4CF},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF01, 0xFF60},
                                          {0x1F300, 0x1FAFF}}};

constexpr std::array<CodeRange, 6> kCombining{{{0x300, 0x36F},
                                               {0x483, 0x489},
                                               {0x591, 0x5BD},
                                               {0x1AB0, 0x1AFF},
                                               {0x20D0, 0x20FF},
                                               {0xFE00, 0xFE0F}}};

template <std::size_t N>
bool is_in(const std::array<CodeRange, N>& ranges, char32_t code) {
    return std::any_of(ranges.begin(), ranges.end(), [code](const CodeRange& range) {
        return range.first <= code && code <= range.last;
    });
}

bool is_unsafe(char32_t code) { return is_in(kUnsafe, code) || (code & 0xFFFEU) == 0xFFFEU; }

void append_utf8(std::string& out, char32_t code) {
    const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | (code >> 6));
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | (code >> 12));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | (code >> 18));
        put(0x80 | ((code >> 12) & 0x3F));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

struct Decoded {
    std::optional<char32_t> code;
    std::size_t length = 1;
};

/// Decodes the code point at `at`; no code means broken UTF-8, of which one byte is skipped.
Decoded decode(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80) {
        return {lead, 1};
    }
    const std::size_t length = lead >= 0xF0 ? 4U : lead >= 0xE0 ? 3U : 2U;
    if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) {
        return {};
    }
    char32_t code = lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0U) != 0x80U) {
            return {};
        }
        code = (code << 6) | (byte(at + i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
    if (code < kSmallest[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
        return {};
    }
    return {code, length};
}

std::int32_t columns_of(char32_t code) {
    if (is_in(kCombining, code)) {
        return 0;
    }
    return is_in(kWide, code) ? 2 : 1;
}

std::string join(const std::vector<Glyph>& glyphs, std::size_t first, std::size_t last) {
    std::string out;
    for (std::size_t i = first; i < last; ++i) {
        out += glyphs[i].bytes;
    }
    return out;
}

/// "2.35" for 2350 thousandths; at most two decimals, trailing zeros dropped.
std::string with_two_decimals(std::int64_t thousandths) {
    const std::int64_t whole = thousandths / 1'000;
    const std::int64_t hundredths = thousandths % 1'000 / 10;
    if (hundredths == 0) {
        return fmt::format("{}", whole);
    }
    if (hundredths % 10 == 0) {
        return fmt::format("{}.{}", whole, hundredths / 10);
    }
    return fmt::format("{}.{:02}", whole, hundredths);
}

}  // namespace

std::vector<Glyph> to_glyphs(std::string_view text) {
    std::vector<Glyph> out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Decoded decoded = decode(text, at);
        at += decoded.length;
        char32_t code = decoded.code.value_or(kReplacement);
        if (code == '\n' || code == '\r' || code == '\t') {
            code = ' ';
        }
        if (is_unsafe(code)) {
            code = kReplacement;
        }
        Glyph glyph;
        glyph.code = code;
        glyph.columns = columns_of(code);
        append_utf8(glyph.bytes, code);
        out.push_back(std::move(glyph));
    }
    return out;
}

std::string to_printable(std::string_view text) {
    const std::vector<Glyph> glyphs = to_glyphs(text);
    return join(glyphs, 0, glyphs.size());
}

std::int32_t display_columns(std::string_view text) {
    std::int32_t columns = 0;
    for (const Glyph& glyph : to_glyphs(text)) {
        columns += glyph.columns;
    }
    return columns;
}

std::string elide(std::string_view text, std::int32_t columns) {
    KLAB_ASSERT(columns >= 0, "columns {}", columns);
    const std::vector<Glyph> glyphs = to_glyphs(text);
    std::int32_t used = 0;
    std::size_t kept_with_ellipsis = 0;
    for (std::size_t i = 0; i < glyphs.size(); ++i) {
        used += glyphs[i].columns;
        if (used <= columns - 1) {
            kept_with_ellipsis = i + 1;
        }
    }
    if (used <= columns) {
        return join(glyphs, 0, glyphs.size());
    }
    return columns == 0 ? std::string() : join(glyphs, 0, kept_with_ellipsis) + "\u2026";
}

std::vector<std::string> wrap_words(std::string_view text, std::int32_t columns) {
    KLAB_ASSERT(columns > 0, "columns {}", columns);
    const std::vector<Glyph> glyphs = to_glyphs(text);
    std::vector<std::string> lines;
    std::size_t line_start = 0;
    std::size_t last_space = 0;
    std::int32_t used = 0;
    for (std::size_t i = 0; i < glyphs.size(); ++i) {
        if (glyphs[i].code == ' ') {
            last_space = i;
        }
        used += glyphs[i].columns;
        if (used <= columns) {
            continue;
        }
        const bool at_space = last_space > line_start;
        const std::size_t cut = at_space ? last_space : std::max(i, line_start + 1);
        lines.push_back(join(glyphs, line_start, cut));
        line_start = at_space ? cut + 1 : cut;
        used = 0;
        for (std::size_t k = line_start; k <= i; ++k) {
            used += glyphs[k].columns;
        }
    }
    if (line_start < glyphs.size() || lines.empty()) {
        lines.push_back(join(glyphs, std::min(line_start, glyphs.size()), glyphs.size()));
    }
    return lines;
}

std::string to_dot_string(std::string_view text) {
    std::string out = "\"";
    for (const Glyph& glyph : to_glyphs(text)) {
        switch (glyph.code) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            default:
                out += glyph.bytes;
        }
    }
    return out + "\"";
}

std::string to_xml_text(std::string_view text) {
    std::string out;
    for (const Glyph& glyph : to_glyphs(text)) {
        switch (glyph.code) {
            case '"':
                out += "&quot;";
                break;
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            default:
                out += glyph.bytes;
        }
    }
    return out;
}

std::string to_identifier(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '_';
        out.push_back(plain ? c : '_');
    }
    const bool starts_with_letter =
        !out.empty() && out.front() != '-' && !(out.front() >= '0' && out.front() <= '9');
    return starts_with_letter ? out : "x" + out;
}

std::string to_short_text(Duration duration) {
    const std::int64_t ns = duration.ns < 0 ? -duration.ns : duration.ns;
    const std::string_view sign = duration.ns < 0 ? "-" : "";
    if (ns == 0) {
        return "0 ms";
    }
    if (ns < 1'000) {
        return fmt::format("{}{} ns", sign, ns);
    }
    if (ns < 1'000'000) {
        return fmt::format("{}{} us", sign, ns / 1'000);
    }
    if (ns < 100'000'000) {
        return fmt::format("{}{} ms", sign, with_two_decimals(ns / 1'000));
    }
    if (ns < 10'000'000'000 && ns % 1'000'000'000 != 0) {
        return fmt::format("{}{} ms", sign, ns / 1'000'000);
    }
    return fmt::format("{}{} s", sign, with_two_decimals(ns / 1'000'000));
}

std::string to_short_clock(Time time) {
    if (time.ns < 0) {
        return "-" + to_short_clock(Time{-time.ns});
    }
    std::string text = to_clock_text(time);
    const std::size_t point = text.find('.');
    if (text.compare(point + 4, 3, "000") == 0) {
        text.resize(point + 4);
    }
    return text;
}

}  // namespace klab::viz
