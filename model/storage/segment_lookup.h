// SPDX-License-Identifier: Apache-2.0
//
// Finding things in a segment: from an offset to the batch that holds it, and from a timestamp to
// an offset. The sparse index says from where on to look, then batch headers are read one by one.
//
//     find offset 368801 in segment 368796:
//     1. greatest index entry not above it         (368799 ->  497), or byte 0 when there is none
//     2. from there, the first batch that ends     ends 368799, 368800, 368801: this one
//        at or above it
//
// Called by: log.cc, log_segment.cc, log_reader.cc, pictures.
// Kafka: LogSegment.translateOffset, FileRecords.searchForOffsetWithSize, searchForTimestamp,
// FileLogInputStream.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/storage/log_segment.h"

namespace klab::storage {

/// A batch in a segment's file, as its header tells.
struct BatchSpot {
    std::uint32_t position = 0;  ///< of its first byte
    std::uint32_t size = 0;      ///< bytes
    types::Offset base_offset;
    types::Offset last_offset;
    std::int64_t max_timestamp = kNoTimestamp;  ///< ms

    [[nodiscard]] std::uint32_t end() const { return position + size; }

    friend bool operator==(const BatchSpot&, const BatchSpot&) = default;
};

/// Walks the batch headers of a segment's file; payloads are not looked at.
class SegmentBatches {
  public:
    /// From byte `position` on; a damaged index may point anywhere.
    SegmentBatches(DiskView disk, const LogSegment& segment, std::int64_t position)
        : disk_(disk), segment_(&segment), position_(position) {}

    /// The next batch; nothing at the end or at a torn tail. Errors: kCorruptRecord (a size field
    /// that cannot be, a position before the file), kStorage.
    [[nodiscard]] Result<std::optional<BatchSpot>, AppendError> next();

  private:
    DiskView disk_;
    const LogSegment* segment_;
    std::int64_t position_;
};

/// All that a lookup looked at, for those who draw it.
struct LookupSteps {
    std::vector<IndexComparison> compared;  ///< index entries, in the order of the search
    OffsetIndexEntry floor;                 ///< where the scan began
    std::vector<BatchSpot> read;            ///< batch headers, the last one is the answer if any

    friend bool operator==(const LookupSteps&, const LookupSteps&) = default;
};

/// The first batch that ends at or above `offset`; nothing when the segment ends below it. Errors:
/// kCorruptRecord, kStorage.
[[nodiscard]] Result<std::optional<BatchSpot>, AppendError> find_batch(
    DiskView disk, const LogSegment& segment, types::Offset offset, LookupSteps* steps = nullptr);

/// The largest batch timestamp of the segment, from the end of its time index on. Errors:
/// kCorruptRecord, kStorage.
[[nodiscard]] Result<TimeIndexEntry, AppendError> find_newest(DiskView disk,
                                                              const LogSegment& segment);

/// The offset behind the last batch; the base offset when there is none. Errors: kCorruptRecord,
/// kStorage.
[[nodiscard]] Result<types::Offset, AppendError> find_next_offset(DiskView disk,
                                                                  const LogSegment& segment);

/// A record with its time.
struct TimedOffset {
    std::int64_t timestamp = 0;  ///< ms
    types::Offset offset;
    std::optional<types::LeaderEpoch> leader_epoch;

    friend bool operator==(const TimedOffset&, const TimedOffset&) = default;
};

/// The first record at or above `from` that is not older than `timestamp`. Errors: kCorruptRecord,
/// kStorage.
[[nodiscard]] Result<std::optional<TimedOffset>, AppendError> find_by_timestamp(
    DiskView disk, const LogSegment& segment, std::int64_t timestamp, types::Offset from);

}  // namespace klab::storage
