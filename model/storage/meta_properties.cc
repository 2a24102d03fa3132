// SPDX-License-Identifier: Apache-2.0
//
// See meta_properties.h.
#include "model/storage/meta_properties.h"

#include <charconv>
#include <map>

#include <fmt/format.h>

#include "model/storage/byte_io.h"
#include "model/storage/checkpoint_store.h"
#include "model/types/fresh_uuid.h"

namespace klab::storage {

namespace {

using Properties = std::map<std::string, std::string, std::less<>>;

Properties parse_properties(std::string_view text) {
    Properties values;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        const std::size_t equals = line.find('=');
        if (!line.starts_with('#') && equals != std::string_view::npos) {
            values.insert_or_assign(std::string(line.substr(0, equals)),
                                    std::string(line.substr(equals + 1)));
        }
    }
    return values;
}

}  // namespace

bool is_reserved_directory(const types::Uuid& id) {
    constexpr std::uint64_t kReserved = 100;
    return id.high == 0 && id.low < kReserved;
}

std::string to_meta_properties_text(const MetaProperties& properties) {
    const std::string directory =
        properties.directory_id ? fmt::format("directory.id={}\n", properties.directory_id->text())
                                : std::string();
    return fmt::format("cluster.id={}\n{}node.id={}\nversion=1\n",
                       properties.cluster_id,
                       directory,
                       properties.node_id);
}

std::optional<MetaProperties> parse_meta_properties(std::string_view text) {
    const Properties values = parse_properties(text);
    const auto version = values.find("version");
    const auto cluster = values.find("cluster.id");
    const auto node = values.find("node.id");
    if (version == values.end() || version->second != "1" || cluster == values.end() ||
        node == values.end()) {
        return std::nullopt;
    }
    MetaProperties properties{cluster->second, 0, std::nullopt};
    const std::string& number = node->second;
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), properties.node_id);
    if (error != std::errc{} || end != number.data() + number.size()) {
        return std::nullopt;
    }
    if (const auto directory = values.find("directory.id"); directory != values.end()) {
        properties.directory_id = types::parse_uuid(directory->second);
        if (!properties.directory_id) {
            return std::nullopt;
        }
    }
    return properties;
}

Result<std::optional<MetaProperties>, AppendError> read_meta_properties(
    DiskPort disk, const std::string& directory) {
    const auto content = read_file(disk, join_path(directory, kMetaProperties));
    if (!content) {
        return Error{content.error()};
    }
    if (!*content) {
        return std::optional<MetaProperties>();
    }
    auto properties = parse_meta_properties(text_of(**content));
    if (!properties) {
        return Error{AppendError::kStorage};
    }
    return properties;
}

std::optional<AppendError> write_meta_properties(DiskPort disk,
                                                 const std::string& directory,
                                                 const MetaProperties& properties) {
    const std::string text = to_meta_properties_text(properties);
    return replace_file(disk, directory, kMetaProperties, view_of(text));
}

}  // namespace klab::storage
