// SPDX-License-Identifier: Apache-2.0
//
// The picture `segments` for the terminal, and the texts both forms share. See segments_picture.h.
#include <algorithm>

#include <fmt/format.h>

#include "viz/segments_picture.h"

namespace klab::viz {

namespace {

std::string plural(std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string step_text(const std::optional<std::int32_t>& step) {
    return step ? fmt::format("compared as number {}", *step) : "";
}

/// `text` with spaces after it to `width` columns.
std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
}

void add_segments(const SegmentsPicture& picture, std::vector<std::string>& lines) {
    lines.push_back(fmt::format("segments of {}, by base offset", picture.log));
    for (const SegmentBar& segment : picture.segments) {
        const std::string offsets = segment.next > segment.base
                                        ? fmt::format("{}..{}", segment.base, segment.next - 1)
                                        : "empty";
        lines.push_back(fmt::format("  {} {}  {}  {}{}  {}",
                                    segment.is_chosen ? kSignRight : " ",
                                    segment_name(segment.base),
                                    padded(offsets, 20),
                                    plural(segment.bytes, "byte", "bytes"),
                                    segment.is_active ? ", active" : "",
                                    step_text(segment.step)));
    }
}

void add_rows(const SegmentsPicture& picture, std::vector<std::string>& lines) {
    lines.push_back(fmt::format("offset index of the chosen segment: {}",
                                plural(picture.index_entries, "entry", "entries")));
    std::optional<std::uint32_t> before;
    for (const IndexRow& row : picture.rows) {
        if (row.index > (before ? *before + 1 : 0)) {
            lines.emplace_back("      ...");
        }
        before = row.index;
        lines.push_back(fmt::format("  {} {:>5}  {}  {}",
                                    row.is_floor ? kSignRight : " ",
                                    row.index,
                                    padded(fmt::format("({}, {})", row.offset, row.position), 22),
                                    step_text(row.step)));
    }
    if (before.value_or(0) + 1 < picture.index_entries) {
        lines.emplace_back("      ...");
    }
    const bool has_floor = std::any_of(
        picture.rows.begin(), picture.rows.end(), [](const IndexRow& row) { return row.is_floor; });
    if (!has_floor) {
        lines.push_back(
            fmt::format("  {} no entry at or below {}: from byte 0", kSignRight, picture.offset));
    }
}

void add_batches(const SegmentsPicture& picture, std::vector<std::string>& lines) {
    lines.push_back(fmt::format("batches in the file, read from byte {} on", picture.scan_from));
    std::uint64_t end = 0;
    for (const BatchBox& batch : picture.batches) {
        if (batch.position > end) {
            lines.emplace_back("      ...");
        }
        end = batch.position + batch.size;
        const bool is_found = batch.mark == BatchMark::kFound;
        std::string_view word;
        if (is_found) {
            word = "found";
        } else if (batch.mark == BatchMark::kRead) {
            word = "read";
        }
        lines.push_back(fmt::format("  {} {:>10}  {}  {}  {}",
                                    is_found ? kSignRight : " ",
                                    batch.position,
                                    padded(fmt::format("{}..{}", batch.base, batch.last), 22),
                                    padded(plural(batch.size, "byte", "bytes"), 12),
                                    word));
    }
}

}  // namespace

std::string segment_name(std::int64_t base) { return fmt::format("{:020d}.log", base); }

std::string lookup_summary(const SegmentsPicture& picture) {
    return fmt::format("offset {}: compared {}, read {}, {}",
                       picture.offset,
                       plural(picture.entries_compared, "entry", "entries"),
                       plural(picture.batches_read, "batch", "batches"),
                       plural(picture.bytes_read, "byte", "bytes"));
}

std::vector<std::string> segments_text(const SegmentsPicture& picture, const TextOptions&) {
    std::vector<std::string> lines;
    add_segments(picture, lines);
    lines.emplace_back();
    add_rows(picture, lines);
    lines.emplace_back();
    add_batches(picture, lines);
    lines.emplace_back();
    lines.push_back(lookup_summary(picture));
    for (std::string& line : lines) {
        line.erase(line.find_last_not_of(' ') + 1);
    }
    return lines;
}

}  // namespace klab::viz
