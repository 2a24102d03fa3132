// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/dump_item.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/storage/byte_io.h"
#include "scenarios/run/json_tree.h"
#include "viz/printable.h"

namespace klab::cli {

namespace {

constexpr std::size_t kShownBytesMax = 120;
constexpr std::size_t kPieceBytes = 16U << 10U;

bool is_printable_ascii(ByteView bytes) {
    return std::ranges::all_of(bytes,
                               [](std::uint8_t byte) { return byte >= 0x20 && byte < 0x7F; });
}

std::string hex_of(ByteView bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    out.reserve(bytes.size() * 2);
    for (const std::uint8_t byte : bytes) {
        out += kDigits[byte >> 4U];
        out += kDigits[byte & 0xFU];
    }
    return out;
}

}  // namespace

JsonLine::JsonLine(std::string_view file, std::string_view kind)
    : text_(fmt::format("{{\"file\":{},\"kind\":\"{}\"",
                        scenario::quote_json(viz::to_printable(std::string(file))),
                        kind)) {}

JsonLine& JsonLine::add(std::string_view name, std::int64_t value) {
    text_ += fmt::format(",\"{}\":{}", name, value);
    return *this;
}

JsonLine& JsonLine::add(std::string_view name, std::optional<std::int64_t> value) {
    return value ? add(name, *value) : add_json(name, "null");
}

JsonLine& JsonLine::add(std::string_view name, bool value) {
    return add_json(name, value ? "true" : "false");
}

JsonLine& JsonLine::add_text(std::string_view name, std::string_view value) {
    return add_json(name, scenario::quote_json(viz::to_printable(value)));
}

JsonLine& JsonLine::add_bytes(std::string_view name, std::optional<ByteView> value) {
    return add_json(name, bytes_json(value));
}

JsonLine& JsonLine::add_json(std::string_view name, std::string_view json) {
    text_ += fmt::format(",\"{}\":{}", name, json);
    return *this;
}

bool FileDump::line(const std::string& text, const JsonLine& json) const {
    return sink({"  " + text + "\n", json.text(), false});
}

bool FileDump::damage(const std::string& what) const {
    JsonLine json(name, "damage");
    json.add_text("what", what);
    return sink({fmt::format("  DAMAGE: {}\n", viz::to_printable(what)), json.text(), true});
}

void bytes_json(std::optional<ByteView> bytes,
                const std::function<void(std::string_view piece)>& put) {
    if (!bytes) {
        put("null");
        return;
    }
    const bool is_text = is_printable_ascii(*bytes);
    put(is_text ? "\"" : "{\"hex\":\"");
    for (ByteView rest = *bytes; !rest.empty();) {
        const ByteView piece = rest.first(std::min(rest.size(), kPieceBytes));
        rest = rest.subspan(piece.size());
        const std::string shown =
            is_text ? scenario::quote_json(storage::text_of(piece)) : hex_of(piece);
        put(is_text ? std::string_view(shown).substr(1, shown.size() - 2) : shown);
    }
    put(is_text ? "\"" : "\"}");
}

std::string bytes_json(std::optional<ByteView> bytes) {
    std::string json;
    bytes_json(bytes, [&](std::string_view piece) { json += piece; });
    return json;
}

std::string bytes_text(std::optional<ByteView> bytes) {
    if (!bytes) {
        return "-";
    }
    const ByteView shown = bytes->first(std::min(bytes->size(), kShownBytesMax));
    const std::string text = is_printable_ascii(shown)
                                 ? fmt::format("\"{}\"", storage::text_of(shown))
                                 : "0x" + hex_of(shown);
    return shown.size() == bytes->size() ? text
                                         : fmt::format("{}... ({} bytes)", text, bytes->size());
}

std::string counted(std::int64_t number, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", number, number == 1 ? one : many);
}

}  // namespace klab::cli
