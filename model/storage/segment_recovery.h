// SPDX-License-Identifier: Apache-2.0
//
// Checking a segment batch by batch after a crash. Its indexes are made anew, and everything from
// the first bad byte on is cut.
//
//     batch ok | batch ok | bad checksum | batch | torn
//     <------ kept ------><--------- cut -------------->
//
// What is not checked: that offsets ascend (an index entry that goes backwards empties the segment:
// kInvalidOffset), what is inside the records, offsets and epochs (they lie outside the checksum).
//
// Called by: log_loader.cc.
// Kafka: LogSegment.recover, LogLoader.recoverSegment.
#pragma once

#include <cstdint>

#include "model/storage/epoch_cache.h"
#include "model/storage/log_segment.h"
#include "model/storage/producer_state.h"

namespace klab::storage {

class SegmentRecovery {
  public:
    SegmentRecovery(DiskPort disk, const SegmentPlace& place, const LogConfig& config)
        : disk_(disk), place_(place), config_(config) {}

    /// Checks `segment`, notes in `epochs` the leader epochs it has not seen, and brings
    /// `producers` from the segment's base to its end. Returns the bytes that were cut.
    /// Errors: kInvalidOffset (the segment is to be emptied), kOffsetOverflow (it is to be split),
    /// kIndexFull, kStorage.
    [[nodiscard]] Result<std::uint64_t, AppendError> recover(LogSegment& segment,
                                                             EpochCache& epochs,
                                                             ProducerStates& producers);

  private:
    [[nodiscard]] std::optional<AppendError> reset(LogSegment& segment);
    [[nodiscard]] std::optional<AppendError> take(LogSegment& segment,
                                                  const RecordBatchView& batch,
                                                  std::uint32_t position,
                                                  EpochCache& epochs,
                                                  ProducerStates& producers);

    DiskPort disk_;
    SegmentPlace place_;
    const LogConfig& config_;
    std::uint32_t last_indexed_ = 0;  // position of the last index entry's batch
};

}  // namespace klab::storage
