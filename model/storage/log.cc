// SPDX-License-Identifier: Apache-2.0
//
// Log: questions and the marks. log.h says which file does what else.
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
    std::uint64_t total = active_.size();
    for (const LogSegment& segment : *closed_) {
        total += segment.size();
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

std::size_t Log::index_of(types::Offset offset) const {
    if (offset >= active_.base_offset() || closed_->empty()) {
        return closed_->size();
    }
    const auto after = std::upper_bound(
        closed_->begin(), closed_->end(), offset, [](types::Offset wanted, const LogSegment& s) {
            return wanted < s.base_offset();
        });
    return after == closed_->begin() ? 0 : static_cast<std::size_t>(after - closed_->begin()) - 1;
}

std::optional<types::Offset> Log::first_unstable_offset() const {
    const auto first = producers_.first_unstable_offset();
    return first ? std::optional(std::max(*first, log_start_)) : std::nullopt;
}

types::Offset Log::last_stable_offset() const {
    return std::min(first_unstable_offset().value_or(high_watermark_), high_watermark_);
}

types::Offset Log::set_high_watermark(types::Offset offset) {
    high_watermark_ = std::clamp(offset, log_start_, log_end_);
    producers_.on_high_watermark(high_watermark_);
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
    recovery_point_ = std::max(recovery_point_, offset);
    if (!identity_->config.producers_outlive_records) {
        producers_.forget_below(offset);
    }
    producers_.on_log_start(offset);
    snapshots_.on_log_start(offset);
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
    KLAB_ASSERT(active_.base_offset() <= log_end_, "active {} > log end", active_.base_offset());
}

}  // namespace klab::storage
