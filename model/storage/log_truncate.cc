// SPDX-License-Identifier: Apache-2.0
//
// Log: cutting the end, and starting anew at another offset.
// Kafka: UnifiedLog.truncateTo, truncateFullyAndStartAt, LocalLog.truncateTo. KIP-101.
#include <algorithm>

#include "model/storage/log.h"

namespace klab::storage {

Result<std::optional<TruncationFact>, AppendError> Log::truncate_to(DiskPort disk,
                                                                    types::Offset offset) {
    KLAB_ASSERT(offset.value() >= 0, "truncation to {}", offset);
    if (offset >= log_end_) {
        // An epoch that a former leader opened at its log end and never wrote in (KIP-101).
        if (epochs_.write().truncate_from_end(log_end_) && write_epochs(disk)) {
            return Error{AppendError::kStorage};
        }
        return std::optional<TruncationFact>();
    }
    const types::Offset first_base =
        closed_->empty() ? active_.base_offset : closed_->front().base_offset;
    if (first_base > offset) {
        auto fact = truncate_fully_and_start_at(disk, offset);
        return fact ? Result<std::optional<TruncationFact>, AppendError>(std::optional(*fact))
                    : Error{fact.error()};
    }
    const TruncationFact fact{log_end_, offset, high_watermark_};
    if (const auto error = cut_segments(disk, offset)) {
        return Error{*error};
    }
    log_end_ = offset;
    recovery_point_ = std::min(recovery_point_, offset);
    log_start_ = std::min(log_start_, offset);
    high_watermark_ = std::min(high_watermark_, offset);
    if (epochs_.write().truncate_from_end(offset) && write_epochs(disk)) {
        return Error{AppendError::kStorage};
    }
    if (const auto error = rebuild_producers(disk)) {
        return Error{*error};
    }
    check_state();
    return std::optional(fact);
}

Result<TruncationFact, AppendError> Log::truncate_fully_and_start_at(DiskPort disk,
                                                                     types::Offset offset) {
    KLAB_ASSERT(offset.value() >= 0, "restart at {}", offset);
    const TruncationFact fact{log_end_, offset, high_watermark_};
    if (const auto error = restart_at(disk, offset)) {
        return Error{*error};
    }
    log_start_ = offset;
    log_end_ = offset;
    high_watermark_ = offset;
    recovery_point_ = std::min(recovery_point_, offset);
    producers_.clear();
    if (epochs_.write().clear() && write_epochs(disk)) {
        return Error{AppendError::kStorage};
    }
    check_state();
    return fact;
}

std::optional<AppendError> Log::cut_segments(DiskPort disk, types::Offset offset) {
    while (active_.base_offset > offset) {
        KLAB_ASSERT(!closed_->empty(), "no segment holds offset {}", offset);
        if (const auto error = remove_segment(disk, identity_->directory, active_.base_offset)) {
            return error;
        }
        active_ = closed_->back();
        closed_.write().pop_back();
    }
    // A batch that straddles the offset goes as a whole.
    return truncate_segment(disk, active_, active_.batches.first_reaching(offset));
}

std::optional<AppendError> Log::restart_at(DiskPort disk, types::Offset offset) {
    for (const LogSegment& segment : segments()) {
        if (const auto error = remove_segment(disk, identity_->directory, segment.base_offset)) {
            return error;
        }
    }
    auto fresh = create_segment(disk, identity_->directory, offset);
    if (!fresh) {
        return fresh.error();
    }
    closed_ = Cow<std::vector<LogSegment>>();
    active_ = std::move(fresh).value();
    return std::nullopt;
}

std::optional<AppendError> Log::rebuild_producers(DiskPort disk) {
    if (producers_.empty()) {
        return std::nullopt;
    }
    producers_.clear();
    for (const LogSegment& segment : segments()) {
        const auto bytes = disk.read(segment.file, 0, segment.size);
        if (!bytes) {
            return AppendError::kStorage;
        }
        BatchIterator batches(*bytes);
        while (const auto batch = batches.next()) {
            producers_.replay(*batch);
        }
    }
    return std::nullopt;
}

}  // namespace klab::storage
