// SPDX-License-Identifier: Apache-2.0
//
// The events of a log, from the facts that storage returns.
//
// Owns: nothing. Called by: produce_handling.cc, fetch_response_handling.cc, log_loading.cc.
#pragma once

#include "model/replication/partition.h"

namespace klab::replication {

/// log.appended for one batch.
sim::EventId emit_log_appended(sim::Context& ctx,
                               const Partition& partition,
                               const storage::AppendedBatch& batch,
                               bool as_leader);

/// A partition's name as events carry it.
[[nodiscard]] std::int64_t trace_name_of(sim::Context& ctx, const types::TopicPartition& name);

}  // namespace klab::replication
