// SPDX-License-Identifier: Apache-2.0
//
// The low watermark of a partition: the smallest log start of all its live replicas, in the ISR or
// not. Below it nobody has a record any more. A leader knows the log starts of others from their
// fetches and asks for the low watermark only while somebody waits for it.
//
// Called by: delete_records_handling.cc, delayed_delete_records.cc, partition_routes.cc.
// Kafka: Partition.lowWatermarkIfLeader. KIP-107. Simplified: no future replicas.
#pragma once

#include <optional>

#include "model/replication/partition.h"

namespace klab::replication {

/// Nothing: a live follower has not fetched in this leader's term, so its log start is unknown.
/// Requires: leader. Dead replicas (not registered, or fenced) do not count.
[[nodiscard]] std::optional<types::Offset> low_watermark(const Partition& partition,
                                                         const metadata::MetadataImage& image);

}  // namespace klab::replication
