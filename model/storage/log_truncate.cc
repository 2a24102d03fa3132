// SPDX-License-Identifier: Apache-2.0
//
// Log: cutting the end, and starting anew at another offset.
// Kafka: UnifiedLog.truncateTo, truncateFullyAndStartAt, LocalLog.truncateTo. KIP-101.
#include <algorithm>

#include "model/storage/log.h"
#include "model/storage/producer_rebuild.h"

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
    if (segment_at(0).base_offset() > offset) {
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
    if (epochs_.write().truncate_from_end(offset) && write_epochs(disk)) {
        return Error{AppendError::kStorage};
    }
    if (const auto error = rebuild_producers_to(disk, offset)) {
        return Error{*error};
    }
    set_high_watermark(std::min(high_watermark_, offset));
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
    pending_flush_.reset();
    producers_.clear();
    producers_.set_map_end_offset(offset);
    if (const auto error = snapshots_.clear(disk, identity_->directory)) {
        return Error{*error};
    }
    snapshots_.on_log_start(offset);
    if (epochs_.write().clear() && write_epochs(disk)) {
        return Error{AppendError::kStorage};
    }
    check_state();
    return fact;
}

std::optional<AppendError> Log::cut_segments(DiskPort disk, types::Offset offset) {
    while (active_.base_offset() > offset) {
        KLAB_ASSERT(!closed_->empty(), "no segment holds offset {}", offset);
        if (const auto error = remove_segment(disk, active_.base_offset())) {
            return error;
        }
        active_ = closed_->back();
        closed_.write().pop_back();
    }
    // A batch that straddles the offset goes as a whole.
    return active_.truncate_to(disk, place(active_.base_offset()), offset, identity_->config);
}

std::optional<AppendError> Log::restart_at(DiskPort disk, types::Offset offset) {
    for (std::size_t i = 0; i <= closed_->size(); ++i) {
        if (const auto error = remove_segment(disk, segment_at(i).base_offset())) {
            return error;
        }
    }
    auto fresh = LogSegment::create(disk, place(offset), identity_->config);
    if (!fresh) {
        return fresh.error();
    }
    closed_ = Cow<std::vector<LogSegment>>();
    active_ = std::move(fresh).value();
    return std::nullopt;
}

std::optional<AppendError> Log::rebuild_producers_to(DiskPort disk, types::Offset end) {
    const std::vector<LogSegment> all = segments();
    const ProducerRebuild rebuild{identity_->directory,
                                  all,
                                  log_start_,
                                  end,
                                  false,
                                  identity_->config.producer_id_expiration_ms};
    return rebuild_producers(disk, rebuild, producers_, snapshots_);
}

}  // namespace klab::storage
