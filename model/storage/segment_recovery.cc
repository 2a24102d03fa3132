// SPDX-License-Identifier: Apache-2.0
//
// See segment_recovery.h.
#include "model/storage/segment_recovery.h"

#include "model/storage/batch_scan.h"
#include "model/storage/file_names.h"

namespace klab::storage {

Result<std::uint64_t, AppendError> SegmentRecovery::recover(LogSegment& segment,
                                                            EpochCache& epochs,
                                                            ProducerStates& producers) {
    if (const auto error = reset(segment)) {
        return Error{*error};
    }
    BatchScan batches(disk_, segment.file(), 0, segment.size());
    std::uint32_t valid = 0;
    while (true) {
        const auto batch = batches.next();
        if (!batch) {
            return Error{batch.error()};
        }
        if (!*batch || !(*batch)->has_valid_crc()) {
            break;
        }
        if (const auto error = take(segment, **batch, valid, epochs, producers)) {
            return Error{*error};
        }
        valid = batches.position();
    }
    const std::uint64_t cut = segment.size() - valid;
    if (cut > 0 && !disk_.truncate(segment.file(), valid)) {
        return Error{AppendError::kStorage};
    }
    segment.size_ = valid;
    if (const auto error = segment.index_.trim(disk_)) {
        return Error{*error};
    }
    if (const auto error =
            segment.time_index_.maybe_append(disk_, segment.newest_, LastSlot::kUsable)) {
        return Error{*error};
    }
    if (const auto error = segment.time_index_.trim(disk_)) {
        return Error{*error};
    }
    return cut;
}

std::optional<AppendError> SegmentRecovery::reset(LogSegment& segment) {
    segment.index_.clear();
    segment.time_index_.clear();
    if (const auto error = segment.make_active(disk_, place_, config_)) {
        return error;
    }
    segment.newest_ = segment.time_index_.last_entry();
    segment.first_timestamp_.reset();
    segment.needs_recovery_ = false;
    last_indexed_ = 0;
    return segment.txn_index_.reset(disk_);
}

std::optional<AppendError> SegmentRecovery::take(LogSegment& segment,
                                                 const RecordBatchView& batch,
                                                 std::uint32_t position,
                                                 EpochCache& epochs,
                                                 ProducerStates& producers) {
    if (!segment.can_hold(batch.last_offset())) {
        return AppendError::kOffsetOverflow;
    }
    if (position == 0 && batch.max_timestamp() >= 0) {
        segment.first_timestamp_ = batch.max_timestamp();
    }
    segment.note(batch);
    if (std::int64_t{position} - last_indexed_ > config_.index_interval_bytes) {
        const OffsetIndexEntry entry{batch.last_offset(), static_cast<std::int32_t>(position)};
        if (const auto error = segment.index_.append(disk_, entry)) {
            return error;
        }
        if (const auto error = segment.time_index_.maybe_append(disk_, segment.newest_)) {
            return error;
        }
        last_indexed_ = position;
    }
    const auto epoch = batch.leader_epoch();
    if (epoch && epoch > epochs.latest_epoch()) {
        epochs.assign(*epoch, batch.base_offset());
    }
    const auto completed = producers.replay(batch);
    if (!completed) {
        return std::nullopt;
    }
    if (completed->is_aborted) {
        const AbortedTransaction aborted{completed->producer_id,
                                         completed->first_offset,
                                         completed->marker_offset,
                                         producers.last_stable_offset(*completed)};
        if (const auto error = segment.add_aborted(disk_, place_, aborted)) {
            return error;
        }
    }
    producers.complete(*completed);
    return std::nullopt;
}

}  // namespace klab::storage
