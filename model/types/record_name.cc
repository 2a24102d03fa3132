// SPDX-License-Identifier: Apache-2.0
//
// Record names: making and parsing.
#include "model/types/record_name.h"

#include <charconv>

#include <fmt/format.h>

namespace klab::types {

std::string make_record_value(std::string_view client,
                              std::int64_t number,
                              std::int64_t value_bytes) {
    std::string value(client);
    value += ':';
    value += fmt::format_int(number).c_str();
    if (static_cast<std::int64_t>(value.size()) + 1 < value_bytes) {
        value += ' ';
        value.resize(static_cast<std::size_t>(value_bytes), '.');
    }
    return value;
}

std::optional<RecordName> parse_record_value(std::string_view value) {
    const std::string_view head = value.substr(0, value.find(' '));
    const std::size_t colon = head.rfind(':');
    if (colon == std::string_view::npos || colon == 0) {
        return std::nullopt;
    }
    RecordName name;
    const std::string_view digits = head.substr(colon + 1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), name.number);
    if (error != std::errc() || end != digits.data() + digits.size() || name.number < 0) {
        return std::nullopt;
    }
    name.client = std::string(head.substr(0, colon));
    return name;
}

}  // namespace klab::types
