// SPDX-License-Identifier: Apache-2.0
//
// Log: deleting old segments. Whole segments only, oldest first, and a walk stops at the first
// segment that does not qualify. Three reasons, in this order:
//
//     log start   the next segment begins at or below the log start (DeleteRecords; a follower
//                 follows its leader). Also where cleanup.policy does not say "delete".
//     size        retention.bytes is exceeded by at least the whole segment
//     time        the segment's largest timestamp is older than retention.ms
//
// A segment also has to lie below the high watermark. When all would go, a new empty one is rolled
// first: a log always has an active segment.
//
// Kafka: UnifiedLog.deleteOldSegments, deletableSegments, deleteSegments.
#include <algorithm>

#include "model/storage/log.h"

namespace klab::storage {

/// Decides how many of the oldest segments go.
struct Log::Retention {
    const Log& log;

    /// Where the segment ends: the base of the next one, or the log end.
    [[nodiscard]] types::Offset end_of(std::size_t index) const {
        return index < log.closed_->size() ? log.segment_at(index + 1).base_offset() : log.log_end_;
    }

    /// Counts segments from the oldest while `qualifies(segment, next base)` holds; the second is
    /// nothing for the active one.
    template <typename Qualifies>
    [[nodiscard]] std::size_t count_while(Qualifies&& qualifies) const {
        const std::size_t all = log.closed_->size() + 1;
        std::size_t count = 0;
        while (count < all) {
            const LogSegment& segment = log.segment_at(count);
            const bool is_active = count + 1 == all;
            const auto next = is_active ? std::nullopt : std::optional(end_of(count));
            const bool is_last_and_empty = is_active && segment.size() == 0;
            if (is_last_and_empty || log.high_watermark_ < end_of(count) ||
                !qualifies(segment, next)) {
                break;
            }
            ++count;
        }
        return count;
    }

    [[nodiscard]] std::size_t below_log_start() const {
        return count_while([&](const LogSegment&, std::optional<types::Offset> next) {
            return next && *next <= log.log_start_;
        });
    }

    [[nodiscard]] std::size_t above_size() const {
        const auto& limit = log.identity_->config.retention_bytes;
        const auto total = static_cast<std::int64_t>(log.size());
        if (!limit || total < *limit) {
            return 0;
        }
        std::int64_t over = total - *limit;
        return count_while([&](const LogSegment& segment, std::optional<types::Offset>) {
            if (over < std::int64_t{segment.size()}) {
                return false;
            }
            over -= std::int64_t{segment.size()};
            return true;
        });
    }

    [[nodiscard]] std::size_t too_old(std::int64_t now_ms) const {
        const auto& limit = log.identity_->config.retention_ms;
        if (!limit) {
            return 0;
        }
        return count_while([&](const LogSegment& segment, std::optional<types::Offset>) {
            return now_ms - segment.largest_timestamp() > *limit;
        });
    }
};

bool Log::has_deletable_segments(DiskView disk) const {
    const Retention retention{*this};
    if (retention.below_log_start() > 0) {
        return true;
    }
    return identity_->config.deletes_old &&
           (retention.above_size() > 0 || retention.too_old(disk.now_ms()) > 0);
}

Result<std::vector<DeletedSegment>, AppendError> Log::delete_old_segments(DiskPort disk) {
    std::vector<DeletedSegment> deleted;
    const Retention retention{*this};
    const auto fail = [](AppendError error) { return Error{error}; };
    if (const auto error =
            delete_oldest(disk, retention.below_log_start(), DeletionReason::kLogStart, deleted)) {
        return fail(*error);
    }
    if (!identity_->config.deletes_old) {
        return deleted;
    }
    if (const auto error =
            delete_oldest(disk, retention.above_size(), DeletionReason::kSize, deleted)) {
        return fail(*error);
    }
    if (const auto error =
            delete_oldest(disk, retention.too_old(disk.now_ms()), DeletionReason::kTime, deleted)) {
        return fail(*error);
    }
    return deleted;
}

std::optional<AppendError> Log::delete_oldest(DiskPort disk,
                                              std::size_t count,
                                              DeletionReason reason,
                                              std::vector<DeletedSegment>& out) {
    if (count == 0) {
        return std::nullopt;
    }
    if (count > closed_->size()) {
        if (const auto error = roll_at(disk, log_end_)) {
            return error;
        }
    }
    // The log start moves first, so that nobody is sent to a file that is going.
    const types::Offset first_left = segment_at(count).base_offset();
    if (const auto raised = raise_log_start(disk, first_left); !raised) {
        return AppendError::kStorage;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const LogSegment& segment = (*closed_)[i];
        out.push_back({segment.base_offset(), segment.size(), reason});
        if (const auto error = remove_segment(disk, segment.base_offset())) {
            return error;
        }
    }
    std::vector<LogSegment>& closed = closed_.write();
    closed.erase(closed.begin(), closed.begin() + static_cast<std::ptrdiff_t>(count));
    return std::nullopt;
}

/// Takes the files of a segment away, with the snapshot at its base.
std::optional<AppendError> Log::remove_segment(DiskPort disk, types::Offset base) {
    const std::int64_t delay_ms = identity_->config.file_delete_delay_ms;
    if (const auto error = LogSegment::remove(disk, place(base), delay_ms, deletions_)) {
        return error;
    }
    return snapshots_.remove_later(disk, identity_->directory, base, delay_ms, deletions_);
}

}  // namespace klab::storage
