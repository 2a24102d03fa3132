// SPDX-License-Identifier: Apache-2.0
//
// OffsetMapBuilder: reads the dirty part of a log, segment by segment in offset order, into an
// offset map. What goes in:
//
//     control batches, batches of aborted transactions      no
//     records below the first dirty offset, without a key   no
//     every other record                                    yes: key -> its offset
//
// The map is full when a record that should go in meets a map at its load factor, even when its key
// is in already. Reading stops there, in the middle of a batch if need be, and this cleaning ends
// at the record before.
//
// Called by: the cleaning pass.
// Kafka: Cleaner.buildOffsetMap, buildOffsetMapForSegment.
#pragma once

#include <cstdint>
#include <span>

#include "model/storage/cleaner/cleaned_transactions.h"
#include "model/storage/cleaner/cleaning_error.h"
#include "model/storage/cleaner/offset_map.h"
#include "model/storage/record.h"

namespace klab::storage::cleaner {

/// What a chunk gave.
struct MapRead {
    std::uint64_t bytes_read = 0;  ///< of whole batches; 0 = not even one in the chunk
    bool is_full = false;          ///< the map takes no more: stop reading

    friend bool operator==(const MapRead&, const MapRead&) = default;
};

class OffsetMapBuilder {
  public:
    OffsetMapBuilder() = default;

    /// `aborted`: the aborted transactions between the first dirty offset and the end of cleaning.
    OffsetMapBuilder(OffsetMapSize size,
                     types::Offset first_dirty,
                     std::span<const AbortedTransaction> aborted);

    /// Reads the whole batches at the start of `chunk`; a torn last one is left.
    /// Errors: kCorruptRecord, kInvalidRecord, kMapOverflow.
    [[nodiscard]] Result<MapRead, CleaningError> add(ByteView chunk);

    /// A segment was read to its end and the next one, or the end of the cleaning, begins at
    /// `next_base`: gaps between the two do not hold the cleaning back.
    void end_segment(types::Offset next_base) { map_.note_latest(next_base - 1); }

    [[nodiscard]] const OffsetMap& map() const { return map_; }

    /// Records looked at, whether they went in or not; of control batches one a batch.
    [[nodiscard]] std::uint64_t records_read() const { return records_read_; }

    /// Where this cleaning ends and the next begins to be dirty: one above the latest offset.
    [[nodiscard]] types::Offset end_offset() const;

    friend bool operator==(const OffsetMapBuilder&, const OffsetMapBuilder&) = default;

  private:
    [[nodiscard]] Result<bool, CleaningError> add_batch(const RecordBatchView& batch);
    [[nodiscard]] Result<bool, CleaningError> add_records(const RecordBatchView& batch);

    OffsetMap map_;
    types::Offset first_dirty_;
    CleanedTransactions transactions_;
    std::uint64_t records_read_ = 0;
};

}  // namespace klab::storage::cleaner
