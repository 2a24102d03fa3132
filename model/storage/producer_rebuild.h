// SPDX-License-Identifier: Apache-2.0
//
// What a log knows of its producers at a given offset, from its snapshot files and its batches:
// after a start, before a segment is checked, and after a truncation.
//
//     snapshot 1000      segment 1000            segment 2000
//     |----------------->|batch|batch|batch|.....|batch|batch|  -> up to offset 2002
//      loaded             read: only batches behind the snapshot
//
// Called by: log_loader.cc, log_truncate.cc.
// Kafka: UnifiedLog.rebuildProducerState, ProducerStateManager.truncateAndReload.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/storage/log_segment.h"
#include "model/storage/producer_snapshots.h"
#include "model/storage/producer_state.h"

namespace klab::storage {

struct ProducerRebuild {
    std::string_view directory;
    std::span<const LogSegment> segments;  ///< ascending
    types::Offset log_start;
    types::Offset end;  ///< the states to be made are those of this offset
    /// The log was closed cleanly: where there is no snapshot at all, there were no producers.
    bool is_clean = false;
    std::int64_t expiration_ms = 0;  ///< producer.id.expiration.ms
};

/// Brings `producers` to `rebuild.end`, and takes a snapshot there. Errors: kStorage,
/// kCorruptRecord.
[[nodiscard]] std::optional<AppendError> rebuild_producers(DiskPort disk,
                                                           const ProducerRebuild& rebuild,
                                                           ProducerStates& producers,
                                                           ProducerSnapshots& snapshots);

/// Makes `producers` what the newest snapshot at or below `end` says, and removes snapshots outside
/// (log_start, end]. Errors: kStorage.
[[nodiscard]] std::optional<AppendError> reload_producers(DiskPort disk,
                                                          const ProducerRebuild& rebuild,
                                                          ProducerStates& producers,
                                                          ProducerSnapshots& snapshots);

}  // namespace klab::storage
