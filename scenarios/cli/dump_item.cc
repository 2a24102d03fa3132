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

bool is_printable_ascii(ByteView bytes) {
    return std::ranges::all_of(bytes,
                               [](std::uint8_t byte) { return byte >= 0x20 && byte < 0x7F; });
}

std::string hex_of(ByteView bytes) {
    std::string out;
    out.reserve(bytes.size() * 2);
    for (const std::uint8_t byte : bytes) {
        fmt::format_to(std::back_inserter(out), "{:02x}", byte);
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

std::string bytes_json(std::optional<ByteView> bytes) {
    if (!bytes) {
        return "null";
    }
    return is_printable_ascii(*bytes) ? scenario::quote_json(storage::text_of(*bytes))
                                      : fmt::format("{{\"hex\":\"{}\"}}", hex_of(*bytes));
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

}  // namespace klab::cli
