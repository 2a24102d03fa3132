// SPDX-License-Identifier: Apache-2.0
//
// Log: closing the active segment and starting a new one, and making things durable.
//
//     roll at 1203:  segment 0 closed (last time index entry, files trimmed)
//                    segment 1203 made, empty
//                    producers written to 1203.snapshot, not yet durable
//     a moment later, in the background: snapshot and segment 0 synced, recovery point = 1203
//
// Kafka: UnifiedLog.roll, LocalLog.roll, LocalLog.flush, UnifiedLog.flush, LogManager.shutdown.
#include <algorithm>

#include "model/storage/log.h"

namespace klab::storage {

std::optional<AppendError> Log::roll(DiskPort disk) { return roll_at(disk, log_end_); }

std::optional<AppendError> Log::roll_at(DiskPort disk, types::Offset base_offset) {
    const types::Offset old_base = active_.base_offset();
    KLAB_ASSERT(base_offset > old_base || (base_offset == old_base && active_.size() == 0),
                "roll from {} back to {}",
                old_base,
                base_offset);
    if (base_offset == old_base) {
        // The index of an empty segment is full, or somebody asked: it is made anew.
        if (const auto error = remove_segment(disk, old_base)) {
            return error;
        }
    } else {
        if (const auto error = active_.become_inactive(disk, place(old_base))) {
            return error;
        }
    }
    auto fresh = LogSegment::create(disk, place(base_offset), identity_->config);
    if (!fresh) {
        return fresh.error();
    }
    if (base_offset > old_base) {
        closed_.write().push_back(std::move(active_));
    }
    active_ = std::move(fresh).value();
    producers_.set_map_end_offset(base_offset);
    const auto snapshot =
        snapshots_.take(disk, identity_->directory, producers_, SnapshotSync::kNo);
    if (!snapshot) {
        return snapshot.error();
    }
    pending_flush_ = base_offset;
    return std::nullopt;
}

std::optional<AppendError> Log::run_pending_flush(DiskPort disk) {
    if (!pending_flush_) {
        return std::nullopt;
    }
    const types::Offset below = *pending_flush_;
    pending_flush_.reset();
    if (const auto error = snapshots_.flush(disk, identity_->directory, below)) {
        return error;
    }
    return flush_below(disk, below, below);
}

std::optional<AppendError> Log::flush(DiskPort disk) {
    return flush_below(disk, log_end_, log_end_);
}

std::optional<AppendError> Log::flush_all(DiskPort disk) {
    return flush_below(disk, log_end_.next(), log_end_);
}

/// Syncs the segments that reach from the recovery point up to `offset`, exclusive.
std::optional<AppendError> Log::flush_below(DiskPort disk,
                                            types::Offset offset,
                                            types::Offset new_recovery_point) {
    if (offset <= recovery_point_) {
        return std::nullopt;
    }
    bool has_new_name = false;
    for (std::size_t i = index_of(recovery_point_); i <= closed_->size(); ++i) {
        const types::Offset base = segment_at(i).base_offset();
        if (base >= offset) {
            break;
        }
        has_new_name |= base >= recovery_point_;
        LogSegment& segment = i < closed_->size() ? closed_.write()[i] : active_;
        if (const auto error = segment.flush(disk, place(base))) {
            return error;
        }
    }
    if (has_new_name && !disk.sync_directory(identity_->directory)) {
        return AppendError::kStorage;
    }
    recovery_point_ = std::max(recovery_point_, std::min(new_recovery_point, log_end_));
    return std::nullopt;
}

std::optional<AppendError> Log::flush_if_due(DiskPort disk) {
    const auto& limit = identity_->config.flush_messages;
    return limit && log_end_ - recovery_point_ >= *limit ? flush(disk) : std::nullopt;
}

std::optional<AppendError> Log::close(DiskPort disk) {
    if (const auto error = flush_all(disk)) {
        return error;
    }
    producers_.set_map_end_offset(log_end_);
    const auto snapshot = snapshots_.take(disk, identity_->directory, producers_);
    if (!snapshot) {
        return snapshot.error();
    }
    return active_.become_inactive(disk, place(active_.base_offset()));
}

}  // namespace klab::storage
