// SPDX-License-Identifier: Apache-2.0
//
// Log: questions, reading and the marks. Appending is log_append.cc, cutting log_truncate.cc,
// opening log_loader.cc.
#include "model/storage/log.h"

#include <algorithm>

#include "model/storage/checkpoint_file.h"
#include "model/storage/checkpoint_store.h"
#include "model/storage/file_names.h"
#include "model/storage/log_loader.h"

namespace klab::storage {

Result<OpenedLog, AppendError> Log::open(DiskPort disk, const LogOptions& options) {
    return LogLoader(disk, options).load();
}

std::vector<LogSegment> Log::segments() const {
    std::vector<LogSegment> all = *closed_;
    all.push_back(active_);
    return all;
}

std::uint64_t Log::size() const {
    std::uint64_t total = active_.size;
    for (const LogSegment& segment : *closed_) {
        total += segment.size;
    }
    return total;
}

EpochEndOffset Log::end_offset_for_epoch(std::optional<types::LeaderEpoch> epoch) const {
    return epochs_->end_offset_for(epoch, log_end_);
}

OffsetAndEpoch Log::earliest_offset() const {
    const auto first = epochs_->earliest_entry();
    const bool covers = first && first->start_offset <= log_start_;
    return {log_start_, covers ? std::optional(first->epoch) : std::nullopt};
}

OffsetAndEpoch Log::latest_offset() const { return {log_end_, epochs_->latest_epoch()}; }

const LogSegment& Log::segment_for(types::Offset offset) const {
    if (offset >= active_.base_offset || closed_->empty()) {
        return active_;
    }
    const auto after = std::upper_bound(
        closed_->begin(), closed_->end(), offset, [](types::Offset wanted, const LogSegment& s) {
            return wanted < s.base_offset;
        });
    return after == closed_->begin() ? *after : *(after - 1);
}

OffsetPlace Log::place_of(types::Offset offset) const {
    KLAB_ASSERT(offset >= log_start_, "offset {} is below log start {}", offset, log_start_);
    KLAB_ASSERT(offset <= log_end_, "offset {} is above log end {}", offset, log_end_);
    const LogSegment& segment = segment_for(offset);
    const std::size_t batch = segment.batches.first_reaching(offset);
    return {offset, segment.base_offset, segment.position_of(batch)};
}

Result<LogReadInfo, types::ErrorCode> Log::read(DiskPort disk, const LogRead& request) const {
    if (request.start < log_start_ || request.start > log_end_) {
        return Error{types::ErrorCode::kOffsetOutOfRange};
    }
    LogReadInfo info;
    info.place = place_of(request.start);
    const types::Offset bound = std::min(request.upper_bound, log_end_);
    if (request.start >= bound) {
        return info;
    }
    const LogSegment* segment = &segment_for(request.start);
    std::size_t batch = segment->batches.first_reaching(request.start);
    while (batch == segment->batches.size() && segment != &active_) {
        // A gap at the end of a segment: go on in the next one.
        const std::size_t next = static_cast<std::size_t>(segment - closed_->data()) + 1;
        segment = next == closed_->size() ? &active_ : &(*closed_)[next];
        batch = 0;
    }
    // The batch that holds the bound itself is not visible yet.
    const std::size_t end = segment->batches.first_reaching(bound);
    if (batch >= end) {
        return info;
    }
    const std::uint32_t position = segment->position_of(batch);
    const std::uint32_t first_size = segment->position_of(batch + 1) - position;
    const auto asked = static_cast<std::uint32_t>(std::max(request.max_bytes, 0));
    const std::uint32_t most = request.min_one_message ? std::max(asked, first_size) : asked;
    info.first_entry_incomplete = most < first_size;
    const std::uint32_t length = std::min(segment->position_of(end) - position, most);
    auto bytes = disk.read(segment->file, position, length);
    if (!bytes) {
        return Error{types::ErrorCode::kKafkaStorageError};
    }
    info.place = {request.start, segment->base_offset, position};
    if (bytes->size() >= sizeof(std::int64_t)) {
        info.place.offset = types::Offset(load_be<std::int64_t>(bytes->data()));
    }
    info.records = SharedBytes(std::move(bytes).value());
    return info;
}

types::Offset Log::set_high_watermark(types::Offset offset) {
    high_watermark_ = std::clamp(offset, log_start_, log_end_);
    return high_watermark_;
}

Result<bool, types::ErrorCode> Log::raise_log_start(DiskPort disk, types::Offset offset) {
    if (offset > high_watermark_) {
        return Error{types::ErrorCode::kOffsetOutOfRange};
    }
    if (offset <= log_start_) {
        return false;
    }
    log_start_ = offset;
    if (epochs_.write().truncate_from_start(offset) && write_epochs(disk)) {
        return Error{types::ErrorCode::kKafkaStorageError};
    }
    return true;
}

std::optional<AppendError> Log::destroy(DiskPort disk) {
    return disk.remove(identity_->directory) ? std::nullopt : std::optional(AppendError::kStorage);
}

std::optional<AppendError> Log::write_epochs(DiskPort disk) const {
    return replace_file(disk,
                        identity_->directory,
                        kLeaderEpochCheckpoint,
                        encode_epoch_checkpoint(epochs_->entries()));
}

void Log::check_state() const {
    KLAB_ASSERT(log_start_ <= high_watermark_, "log start {} > HW", log_start_);
    KLAB_ASSERT(high_watermark_ <= log_end_, "HW {} > log end", high_watermark_);
    KLAB_ASSERT(recovery_point_ <= log_end_, "recovery point {} > log end", recovery_point_);
    KLAB_ASSERT(active_.base_offset <= log_end_, "active {} > log end", active_.base_offset);
}

}  // namespace klab::storage
