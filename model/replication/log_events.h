// SPDX-License-Identifier: Apache-2.0
//
// The events of a log, from the facts that storage returns.
//
// Owns: nothing. Called by: produce_handling.cc, fetch_response_handling.cc, log_loading.cc,
// log_background.cc, delete_records_handling.cc.
#pragma once

#include "model/replication/partition.h"

namespace klab::replication {

/// log.appended for one batch.
sim::EventId emit_log_appended(sim::Context& ctx,
                               const Partition& partition,
                               const storage::AppendedBatch& batch,
                               bool as_leader);

/// log.rolled, if an append rolled: `old_base` and `old_size` are those of the active segment
/// before.
void maybe_emit_log_rolled(sim::Context& ctx,
                           const Partition& partition,
                           types::Offset old_base,
                           std::uint32_t old_size);

/// Why a log start rose. Kafka: LogStartOffsetIncrementReason.
enum class LogStartReason : std::uint8_t {
    kLeaderOffsetIncremented,  ///< a follower follows its leader
    kSegmentDeletion,          ///< retention took segments away
    kClientRecordDeletion,     ///< DeleteRecords
};

/// log.start_raised, if the log start is not `before` any more; else `because`.
sim::EventId emit_log_start_raised(sim::Context& ctx,
                                   const Partition& partition,
                                   types::Offset before,
                                   LogStartReason reason,
                                   sim::EventId because);

/// A partition's name as events carry it.
[[nodiscard]] std::int64_t trace_name_of(sim::Context& ctx, const types::TopicPartition& name);

}  // namespace klab::replication
