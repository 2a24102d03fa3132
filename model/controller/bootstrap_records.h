// SPDX-License-Identifier: Apache-2.0
//
// The first records of a metadata log, and what a controller writes when it becomes active: an
// empty log gets the feature levels of the cluster's version, a transaction left open is aborted.
//
// Called by: controller_lifecycle.cc.
// Kafka: ActivationRecordsGenerator, BootstrapMetadata; KIP-868.
// Simplified: no SCRAM credentials in the bootstrap.
#pragma once

#include <optional>
#include <vector>

#include "model/metadata/records.h"

namespace klab::controller {

/// From this level of metadata.version on (3.6-IV1) the log has transactions.
inline constexpr std::int16_t kLevelTransactions = 13;

/// What activation finds in the log.
struct ActivationInput {
    std::int16_t bootstrap_level = 0;            ///< metadata.version for an empty log
    std::optional<std::int16_t> metadata_level;  ///< as replayed; none: the log is empty
    bool transaction_open = false;
    /// Set when an empty log gets eligible leader replicas (KIP-966): they rest on one value of
    /// min.insync.replicas for the whole cluster, which becomes a dynamic setting.
    std::optional<std::int64_t> elr_min_isr = {};
};

/// The records to write, none when nothing is to be done. Nothing at all (fatal) when a transaction
/// is open that the metadata.version does not know.
[[nodiscard]] std::optional<std::vector<metadata::MetadataRecord>> activation_records(
    const ActivationInput& input);

}  // namespace klab::controller
