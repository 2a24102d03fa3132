// SPDX-License-Identifier: Apache-2.0
//
// See offset_map_builder.h.
#include "model/storage/cleaner/offset_map_builder.h"

#include <algorithm>

namespace klab::storage::cleaner {

OffsetMapBuilder::OffsetMapBuilder(OffsetMapSize size,
                                   types::Offset first_dirty,
                                   std::span<const AbortedTransaction> aborted)
    : map_(size), first_dirty_(first_dirty) {
    transactions_.add_aborted(aborted);
}

Result<MapRead, CleaningError> OffsetMapBuilder::add(ByteView chunk) {
    MapRead read;
    BatchIterator batches(chunk);
    while (const auto batch = batches.next()) {
        const auto is_full = add_batch(*batch);
        if (!is_full) {
            return Error{is_full.error()};
        }
        if (*is_full) {
            read.is_full = true;
            return read;
        }
        if (batch->last_offset() >= first_dirty_) {
            map_.note_latest(batch->last_offset());
        }
        read.bytes_read = batches.position();
    }
    if (batches.error()) {
        return Error{cleaning_error_of(*batches.error())};
    }
    return read;
}

Result<bool, CleaningError> OffsetMapBuilder::add_batch(const RecordBatchView& batch) {
    const auto is_aborted = transactions_.on_batch(batch);
    if (!is_aborted) {
        return Error{cleaning_error_of(is_aborted.error())};
    }
    if (batch.is_control()) {
        ++records_read_;
        return false;
    }
    if (*is_aborted) {
        records_read_ += static_cast<std::uint64_t>(std::max(batch.records_count(), 0));
        return false;
    }
    return add_records(batch);
}

Result<bool, CleaningError> OffsetMapBuilder::add_records(const RecordBatchView& batch) {
    RecordIterator records(batch);
    while (const auto record = records.next()) {
        if (record->key && record->offset >= first_dirty_) {
            if (map_.is_full()) {
                return true;
            }
            if (map_.has_no_slot()) {
                return Error{CleaningError::kMapOverflow};
            }
            map_.put(*record->key, record->offset);
        }
        ++records_read_;
    }
    if (records.error()) {
        return Error{cleaning_error_of(*records.error())};
    }
    return false;
}

types::Offset OffsetMapBuilder::end_offset() const {
    const auto latest = map_.latest_offset();
    return latest ? latest->next() : types::Offset(0);
}

}  // namespace klab::storage::cleaner
