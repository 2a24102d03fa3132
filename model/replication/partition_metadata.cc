// SPDX-License-Identifier: Apache-2.0
//
// See partition_metadata.h.
#include "model/replication/partition_metadata.h"

#include <charconv>
#include <string>
#include <string_view>

#include "model/storage/byte_io.h"
#include "model/storage/checkpoint_store.h"
#include "model/types/fresh_uuid.h"

namespace klab::replication {

using storage::AppendError;

namespace {

constexpr std::string_view kPartitionMetadata = "partition.metadata";

/// Takes the next line off `text`.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/// What stands behind the only colon with blanks of a line.
std::optional<std::string_view> value_of(std::string_view line) {
    constexpr std::string_view kBlanks = " \t";
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const std::size_t value = line.find_first_not_of(kBlanks, colon + 1);
    if (value == std::string_view::npos || value == colon + 1) {
        return std::nullopt;
    }
    return line.substr(value);
}

}  // namespace

Bytes encode_partition_metadata(types::Uuid topic_id) {
    const std::string text = "version: 0\ntopic_id: " + topic_id.text();
    return Bytes(text.begin(), text.end());
}

std::optional<types::Uuid> parse_partition_metadata(ByteView bytes) {
    std::string_view text = storage::text_of(bytes);
    const auto version = value_of(take_line(text));
    const auto topic = value_of(take_line(text));
    if (!version || !topic) {
        return std::nullopt;
    }
    std::int32_t number = -1;
    const char* end = version->data() + version->size();
    const auto [stop, error] = std::from_chars(version->data(), end, number);
    if (error != std::errc{} || stop != end || number < 0) {
        return std::nullopt;
    }
    const auto id = types::parse_uuid(*topic);
    return id && !id->is_zero() ? id : std::nullopt;
}

Result<std::optional<types::Uuid>, AppendError> read_topic_id(sim::Context& ctx,
                                                              const storage::Log& log) {
    const auto bytes =
        storage::read_file(ctx, storage::join_path(log.directory(), kPartitionMetadata));
    if (!bytes) {
        return Error{bytes.error()};
    }
    if (!*bytes) {
        return std::optional<types::Uuid>();
    }
    const auto id = parse_partition_metadata(ByteView(**bytes));
    if (!id) {
        return Error{AppendError::kStorage};
    }
    return id;
}

std::optional<AppendError> write_topic_id(sim::Context& ctx,
                                          const storage::Log& log,
                                          types::Uuid topic_id) {
    const Bytes content = encode_partition_metadata(topic_id);
    return storage::replace_file(ctx, log.directory(), kPartitionMetadata, ByteView(content));
}

}  // namespace klab::replication
