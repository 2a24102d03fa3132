// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/source_text.h"

#include <algorithm>
#include <utility>

namespace klab::scenario {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

struct Utf8Lead {
    std::size_t length = 0;           // bytes of the character; 0 = no character begins so
    unsigned char second_min = 0x80;  // smallest and largest second byte (RFC 3629, section 4)
    unsigned char second_max = 0xBF;
};

Utf8Lead lead_of(unsigned char c) {
    if (c < 0x80) {
        return {1, 0x80, 0xBF};
    }
    if (c >= 0xC2 && c <= 0xDF) {
        return {2, 0x80, 0xBF};
    }
    if (c >= 0xE0 && c <= 0xEF) {
        const unsigned char low = c == 0xE0 ? 0xA0 : 0x80;
        const unsigned char high = c == 0xED ? 0x9F : 0xBF;
        return {3, low, high};
    }
    if (c >= 0xF0 && c <= 0xF4) {
        const unsigned char low = c == 0xF0 ? 0x90 : 0x80;
        const unsigned char high = c == 0xF4 ? 0x8F : 0xBF;
        return {4, low, high};
    }
    return {};
}

}  // namespace

SourceText::SourceText(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
    line_begins_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (text_[i] == '\n') {
            line_begins_.push_back(static_cast<std::uint32_t>(i + 1));
        }
    }
}

Position SourceText::position_of(std::uint32_t offset) const {
    const auto size = static_cast<std::uint32_t>(text_.size());
    const std::uint32_t at = std::min(offset, size);
    const auto next = std::upper_bound(line_begins_.begin(), line_begins_.end(), at);
    if (next == line_begins_.begin()) {
        return {};
    }
    const auto line = static_cast<std::uint32_t>(next - line_begins_.begin());
    const std::uint32_t begin = *(next - 1);
    const std::string_view before = std::string_view(text_).substr(begin, at - begin);
    return {line, static_cast<std::uint32_t>(count_characters(before)) + 1};
}

std::uint32_t SourceText::line_begin(std::uint32_t number) const {
    if (number == 0 || number > line_begins_.size()) {
        return static_cast<std::uint32_t>(text_.size());
    }
    return line_begins_[number - 1];
}

std::string_view SourceText::line(std::uint32_t number) const {
    const std::uint32_t begin = line_begin(number);
    const std::string_view rest = std::string_view(text_).substr(begin);
    std::string_view found = rest.substr(0, rest.find('\n'));
    if (!found.empty() && found.back() == '\r') {
        found.remove_suffix(1);
    }
    return found;
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const Utf8Lead lead = lead_of(static_cast<unsigned char>(text[i]));
        if (lead.length == 0 || i + lead.length > text.size()) {
            return i;
        }
        for (std::size_t k = 1; k < lead.length; ++k) {
            const auto byte = static_cast<unsigned char>(text[i + k]);
            const unsigned char low = k == 1 ? lead.second_min : 0x80;
            const unsigned char high = k == 1 ? lead.second_max : 0xBF;
            if (byte < low || byte > high) {
                return i;
            }
        }
        i += lead.length;
    }
    return std::nullopt;
}

std::size_t count_characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

}  // namespace klab::scenario
