// SPDX-License-Identifier: Apache-2.0
//
// The directory of a controller's metadata log: formatted at its first start, and refused when its
// meta.properties says that it belongs to another node or cluster.
//
// Called by: controller_lifecycle.cc.
// Kafka: MetaPropertiesEnsemble.verify, kafka-storage.sh format; KIP-858.
// Simplified: formatting happens at the first start instead of by a separate tool.
#pragma once

#include <string>

#include "model/types/kafka_ids.h"
#include "sim/kernel/context.h"

namespace klab::controller {

/// Formats the directory if it does not exist, else checks that it is this node's. False when it
/// belongs to another or cannot be read or written: then the process must not start.
[[nodiscard]] bool prepare_metadata_directory(sim::Context& ctx,
                                              const std::string& directory,
                                              types::BrokerId node,
                                              const types::Uuid& cluster_id);

}  // namespace klab::controller
