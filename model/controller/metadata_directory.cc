// SPDX-License-Identifier: Apache-2.0
//
// See metadata_directory.h.
#include "model/controller/metadata_directory.h"

#include <charconv>
#include <map>

#include <fmt/format.h>

#include "model/controller/fresh_uuid.h"
#include "model/raft/durable_file.h"

namespace klab::controller {

namespace {

constexpr std::string_view kFileName = "meta.properties";

std::map<std::string, std::string, std::less<>> parse_properties(std::string_view text) {
    std::map<std::string, std::string, std::less<>> values;
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

std::string to_meta_properties_text(const MetaProperties& properties) {
    return fmt::format("cluster.id={}\ndirectory.id={}\nnode.id={}\nversion=1\n",
                       properties.cluster_id,
                       properties.directory_id,
                       properties.node_id);
}

std::optional<MetaProperties> parse_meta_properties(std::string_view text) {
    const auto values = parse_properties(text);
    const auto version = values.find("version");
    const auto cluster = values.find("cluster.id");
    const auto node = values.find("node.id");
    const auto directory = values.find("directory.id");
    if (version == values.end() || version->second != "1" || cluster == values.end() ||
        node == values.end() || directory == values.end()) {
        return std::nullopt;
    }
    MetaProperties properties{cluster->second, 0, directory->second};
    const std::string& number = node->second;
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), properties.node_id);
    if (error != std::errc{} || end != number.data() + number.size()) {
        return std::nullopt;
    }
    return properties;
}

bool prepare_metadata_directory(sim::Context& ctx,
                                const std::string& directory,
                                types::BrokerId node,
                                const types::Uuid& cluster_id) {
    const std::string path = directory + "/" + std::string(kFileName);
    if (ctx.disk().exists(path)) {
        const sim::DiskResult<std::string> text = raft::read_file(ctx.disk(), path);
        const std::optional<MetaProperties> found =
            text ? parse_meta_properties(*text) : std::nullopt;
        return found && found->node_id == node.value() && found->cluster_id == cluster_id.text();
    }
    if (!raft::make_durable_directories(ctx.disk(), directory)) {
        return false;
    }
    const MetaProperties properties{
        cluster_id.text(), node.value(), fresh_uuid(ctx, FreshIdKind::kDirectory).text()};
    return raft::replace_file(ctx.disk(), directory, kFileName, to_meta_properties_text(properties))
        .ok();
}

}  // namespace klab::controller
