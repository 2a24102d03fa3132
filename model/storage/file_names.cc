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
constexpr std::size_t kEpochDigits = 10;

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
    return offset_file_name(base_offset, kLogSuffix);
}

std::optional<types::Offset> parse_segment_file_name(std::string_view name) {
    return parse_offset_file_name(name, kLogSuffix);
}

std::string offset_file_name(types::Offset offset, std::string_view suffix) {
    KLAB_ASSERT(offset.value() >= 0, "offset {}", offset);
    return fmt::format("{:020d}{}", offset.value(), suffix);
}

std::optional<types::Offset> parse_offset_file_name(std::string_view name,
                                                    std::string_view suffix) {
    const bool fits = name.size() == kOffsetDigits + suffix.size() && name.ends_with(suffix);
    return fits ? parse_leading_offset(name) : std::nullopt;
}

std::optional<types::Offset> parse_leading_offset(std::string_view name) {
    if (name.size() < kOffsetDigits) {
        return std::nullopt;
    }
    const auto offset = parse_digits<std::int64_t>(name.substr(0, kOffsetDigits));
    return offset ? std::optional(types::Offset(*offset)) : std::nullopt;
}

std::string metadata_snapshot_file_name(const MetadataSnapshotId& id) {
    KLAB_ASSERT(id.epoch.value() >= 0, "epoch {}", id.epoch);
    const std::string end = fmt::format("-{:010d}{}", id.epoch.value(), kMetadataSnapshotSuffix);
    return offset_file_name(id.end_offset, end);
}

std::optional<MetadataSnapshotId> parse_metadata_snapshot_file_name(std::string_view name) {
    constexpr std::size_t kSize = kOffsetDigits + 1 + kEpochDigits;
    const auto end_offset = parse_leading_offset(name);
    if (!end_offset || name.size() != kSize + kMetadataSnapshotSuffix.size() ||
        name[kOffsetDigits] != '-' || !name.ends_with(kMetadataSnapshotSuffix)) {
        return std::nullopt;
    }
    const auto epoch = parse_digits<std::int32_t>(name.substr(kOffsetDigits + 1, kEpochDigits));
    return epoch ? std::optional(MetadataSnapshotId{*end_offset, types::LeaderEpoch(*epoch)})
                 : std::nullopt;
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
