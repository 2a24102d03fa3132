// SPDX-License-Identifier: Apache-2.0
//
// meta.properties: the file that says whose a log directory is. It is written when a directory is
// formatted, and a process refuses a directory that belongs to another node or cluster.
//
// Called by: controller_lifecycle.cc.
// Kafka: MetaProperties, MetaPropertiesEnsemble.verify, kafka-storage.sh format; KIP-858.
// Simplified: formatting happens at the first start instead of by a separate tool.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/types/kafka_ids.h"
#include "sim/kernel/context.h"

namespace klab::controller {

struct MetaProperties {
    std::string cluster_id;
    std::int32_t node_id = 0;
    std::string directory_id;

    friend bool operator==(const MetaProperties&, const MetaProperties&) = default;
};

/// Version 1 of the file, one "key=value" a line.
[[nodiscard]] std::string to_meta_properties_text(const MetaProperties& properties);

/// Nothing when a key is missing, the version is not 1, or the node id is no number.
[[nodiscard]] std::optional<MetaProperties> parse_meta_properties(std::string_view text);

/// Formats the directory if it does not exist, else checks that it is this node's. False when it
/// belongs to another or cannot be read or written: then the process must not start.
[[nodiscard]] bool prepare_metadata_directory(sim::Context& ctx,
                                              const std::string& directory,
                                              types::BrokerId node,
                                              const types::Uuid& cluster_id);

}  // namespace klab::controller
