// SPDX-License-Identifier: Apache-2.0
//
// See file_names.h.
#include "model/storage/file_names.h"

#include <charconv>

#include <fmt/format.h>

#include "sim/base/assert.h"

namespace klab::storage {

namespace {

constexpr std::size_t kOffsetDigits = 20;

/// A non-negative number made of digits only; nothing when it is anything else or does not fit.
template <typename T>
std::optional<T> parse_digits(std::string_view digits) {
    T value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (digits.empty() || digits.front() == '-' || error != std::errc() || stop != end) {
        return std::nullopt;
    }
    return value;
}

}  // namespace

std::string segment_file_name(types::Offset base_offset) {
    KLAB_ASSERT(base_offset.value() >= 0, "base offset {}", base_offset);
    return fmt::format("{:020d}{}", base_offset.value(), kLogSuffix);
}

std::optional<types::Offset> parse_segment_file_name(std::string_view name) {
    if (name.size() != kOffsetDigits + kLogSuffix.size() || !name.ends_with(kLogSuffix)) {
        return std::nullopt;
    }
    const auto base = parse_digits<std::int64_t>(name.substr(0, kOffsetDigits));
    return base ? std::optional(types::Offset(*base)) : std::nullopt;
}

std::string partition_directory_name(const types::TopicPartition& partition) {
    return fmt::format("{}-{}", partition.topic, partition.partition);
}

std::optional<types::TopicPartition> parse_partition_directory_name(std::string_view name) {
    const std::size_t dash = name.rfind('-');
    if (dash == std::string_view::npos || dash == 0) {
        return std::nullopt;
    }
    const auto partition = parse_digits<std::int32_t>(name.substr(dash + 1));
    if (!partition) {
        return std::nullopt;
    }
    return types::TopicPartition{std::string(name.substr(0, dash)), *partition};
}

}  // namespace klab::storage
