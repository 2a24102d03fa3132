// SPDX-License-Identifier: Apache-2.0
//
// meta.properties: the file that says whose a log directory is. It is written when a directory is
// formatted, and a process refuses a directory that belongs to another node or cluster.
//
//     cluster.id=4L6g3nShT-eMCtK--X86sw
//     directory.id=vT1-z1NlQ_mgCxyJHK6Ibg      names the directory in the metadata (KIP-858)
//     node.id=1
//     version=1
//
// Called by: model/controller/metadata_directory.cc, model/replication/log_dir_opening.cc.
// Kafka: MetaProperties, PropertiesUtils. Simplified: version 1 only (KRaft).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/storage/append_error.h"
#include "model/storage/disk_port.h"
#include "model/types/kafka_ids.h"
#include "sim/base/result.h"

namespace klab::storage {

inline constexpr std::string_view kMetaProperties = "meta.properties";

struct MetaProperties {
    std::string cluster_id;
    std::int32_t node_id = 0;
    std::optional<types::Uuid> directory_id;  ///< none: written before KIP-858

    friend bool operator==(const MetaProperties&, const MetaProperties&) = default;
};

/// Ids below 100 mean something else than a directory (DirectoryId.reserved).
[[nodiscard]] bool is_reserved_directory(const types::Uuid& id);

/// Version 1 of the file, one "key=value" a line.
[[nodiscard]] std::string to_meta_properties_text(const MetaProperties& properties);

/// Nothing when a key but directory.id is missing, the version is not 1, or an id cannot be read.
[[nodiscard]] std::optional<MetaProperties> parse_meta_properties(std::string_view text);

/// What the file of a directory says; nothing when there is no such file.
/// Errors: kStorage (the disk refused, or the file says nothing that makes sense).
[[nodiscard]] Result<std::optional<MetaProperties>, AppendError> read_meta_properties(
    DiskPort disk, const std::string& directory);

/// Replaces the file durably. Requires: the directory exists. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> write_meta_properties(DiskPort disk,
                                                               const std::string& directory,
                                                               const MetaProperties& properties);

}  // namespace klab::storage
