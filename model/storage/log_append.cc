// SPDX-License-Identifier: Apache-2.0
//
// Log: appending as leader and as follower, rolling and flushing. The order of the steps is
// Kafka's: epoch entry and roll come before the producer checks, so a refused batch may leave them
// behind. Kafka: UnifiedLog.append, LogSegment.shouldRoll, LocalLog.roll, LocalLog.flush.
#include <algorithm>
#include <limits>
#include <span>

#include "model/storage/log.h"

namespace klab::storage {

/// Bytes that are ready to be written, and what a roll must know of them.
struct Log::Incoming {
    ByteView bytes;
    types::Offset first_offset;
    types::Offset last_offset;
    std::int64_t max_timestamp = kNoTimestamp;
};

namespace {

Error<ValidationFailure> refuse(AppendError error) { return Error{ValidationFailure{error, {}}}; }

AppendedBatch fact_of(const RecordBatchView& batch) {
    return {batch.base_offset(),
            batch.last_offset(),
            batch.leader_epoch(),
            batch.stored_crc(),
            batch.producer_id(),
            batch.base_sequence(),
            static_cast<std::uint32_t>(batch.size())};
}

/// The one batch of a leader's append, its frame, size and checksum checked.
Result<RecordBatchView, AppendError> take_single_batch(const LeaderAppend& append,
                                                       const LogConfig& config) {
    BatchIterator batches(append.records);
    const auto batch = batches.next();
    if (!batch) {
        return Error{batches.error() ? AppendError::kCorruptRecord : AppendError::kInvalidRecord};
    }
    if (append.origin == AppendOrigin::kClient && batch->base_offset() != types::Offset(0)) {
        return Error{AppendError::kInvalidRecord};
    }
    if (batch->size() > static_cast<std::size_t>(config.max_message_bytes)) {
        return Error{AppendError::kRecordTooLarge};
    }
    if (!batch->has_valid_crc()) {
        return Error{AppendError::kCorruptRecord};
    }
    if (batches.next() || batches.error()) {
        return Error{batches.error() ? AppendError::kCorruptRecord : AppendError::kInvalidRecord};
    }
    return *batch;
}

/// Whole batches of a fetch, checked; a torn last one is left out.
struct FetchedBatches {
    std::vector<RecordBatchView> batches;
    std::size_t bytes = 0;
};

Result<FetchedBatches, AppendError> take_fetched_batches(const FollowerAppend& append) {
    FetchedBatches taken;
    BatchIterator it(append.records);
    while (const auto batch = it.next()) {
        // KAFKA-18723: what a newer leader wrote is not ours to take under the old epoch.
        if (append.fetched_under && batch->leader_epoch() > append.fetched_under) {
            return taken;
        }
        if (!batch->has_valid_crc()) {
            return Error{AppendError::kCorruptRecord};
        }
        const std::int64_t base = batch->base_offset().value();
        const std::int64_t delta = batch->last_offset_delta();
        if (base < 0 || delta < 0 || base >= std::numeric_limits<std::int64_t>::max() - delta) {
            return Error{AppendError::kOffsetsOutOfOrder};
        }
        if (!taken.batches.empty() && batch->last_offset() <= taken.batches.back().last_offset()) {
            return Error{AppendError::kOffsetsOutOfOrder};
        }
        taken.batches.push_back(*batch);
        taken.bytes = it.position();
    }
    if (it.error()) {
        return Error{AppendError::kCorruptRecord};
    }
    return taken;
}

}  // namespace

Result<LeaderAppendInfo, ValidationFailure> Log::append_as_leader(DiskPort disk,
                                                                  const types::Rules& rules,
                                                                  const LeaderAppend& append) {
    const auto given = take_single_batch(append, identity_->config);
    if (!given) {
        return refuse(given.error());
    }
    LeaderAppendInfo info;
    auto stamped = stamp(disk, *given, append, info);
    if (!stamped) {
        return Error{stamped.error()};
    }
    const RecordBatchView batch(*stamped);
    const Incoming incoming{
        *stamped, batch.base_offset(), batch.last_offset(), batch.max_timestamp()};
    info.batch = fact_of(batch);
    if (const auto error = make_room(disk, incoming, {&batch, 1})) {
        return refuse(*error);
    }
    const bool checks_sequence =
        append.origin == AppendOrigin::kClient && !rules.mutated(types::Mutant::kSequenceUnchecked);
    if (checks_sequence) {
        if (const auto duplicate = producers_.find_duplicate(batch)) {
            return info_of_duplicate(*duplicate, info);
        }
    }
    std::optional<ProducerAppend> producer;
    if (const auto id = batch.producer_id()) {
        const bool is_client = append.origin == AppendOrigin::kClient;
        producer = producers_.prepare(
            *id, is_client && !checks_sequence ? AppendOrigin::kCoordinator : append.origin);
        if (const auto error = producer->add(batch)) {
            return refuse(*error);
        }
    }
    if (const auto error = append_bytes(disk, incoming, {&batch, 1})) {
        return refuse(*error);
    }
    if (producer) {
        producers_.apply(*producer);
    }
    if (const auto error = flush_if_due(disk)) {
        return refuse(*error);
    }
    return info;
}

Result<Bytes, ValidationFailure> Log::stamp(DiskPort disk,
                                            const RecordBatchView& batch,
                                            const LeaderAppend& append,
                                            LeaderAppendInfo& info) const {
    Bytes bytes(batch.bytes().begin(), batch.bytes().end());
    if (append.origin == AppendOrigin::kRaftLeader) {
        if (batch.base_offset() < log_end_) {
            return refuse(AppendError::kUnexpectedAppendOffset);
        }
    } else {
        const auto valid = validate_batch(batch, identity_->config, append.origin, disk.now_ms());
        if (!valid) {
            return Error{valid.error()};
        }
        set_last_offset(bytes, log_end_ + batch.last_offset_delta());
        set_max_timestamp(bytes, valid->timestamp_type, valid->max_timestamp);
        if (valid->timestamp_type == TimestampType::kLogAppendTime) {
            info.log_append_time = valid->max_timestamp;
        }
    }
    set_leader_epoch(bytes, append.leader_epoch);
    return bytes;
}

LeaderAppendInfo Log::info_of_duplicate(const RememberedBatch& first, LeaderAppendInfo info) const {
    info.is_duplicate = true;
    info.batch.base_offset = first.first_offset();
    info.batch.last_offset = first.last_offset;
    info.batch.leader_epoch = epochs_->epoch_for_offset(first.first_offset());
    if (info.log_append_time) {
        info.log_append_time = first.timestamp;
    }
    return info;
}

Result<FollowerAppendInfo, FollowerAppendFailure> Log::append_as_follower(
    DiskPort disk, const FollowerAppend& append) {
    const auto fail = [](AppendError error) { return Error{FollowerAppendFailure{error, {}, {}}}; };
    const auto taken = take_fetched_batches(append);
    if (!taken) {
        return fail(taken.error());
    }
    FollowerAppendInfo info;
    if (taken->batches.empty()) {
        return info;
    }
    Incoming incoming;
    incoming.bytes = append.records.first(taken->bytes);
    incoming.first_offset = taken->batches.front().base_offset();
    incoming.last_offset = taken->batches.back().last_offset();
    if (incoming.first_offset < log_end_) {
        return Error{FollowerAppendFailure{
            AppendError::kUnexpectedAppendOffset, incoming.first_offset, incoming.last_offset}};
    }
    info.batches.reserve(taken->batches.size());
    for (const RecordBatchView& batch : taken->batches) {
        incoming.max_timestamp = std::max(incoming.max_timestamp, batch.max_timestamp());
        info.batches.push_back(fact_of(batch));
    }
    if (const auto error = make_room(disk, incoming, taken->batches)) {
        return fail(*error);
    }
    if (const auto error = append_bytes(disk, incoming, taken->batches)) {
        return fail(*error);
    }
    for (const RecordBatchView& batch : taken->batches) {
        producers_.replay(batch);
    }
    if (const auto error = flush_if_due(disk)) {
        return fail(*error);
    }
    return info;
}

std::optional<AppendError> Log::make_room(DiskPort disk,
                                          const Incoming& incoming,
                                          std::span<const RecordBatchView> batches) {
    bool has_new_epoch = false;
    for (const RecordBatchView& batch : batches) {
        const auto epoch = batch.leader_epoch();
        if (epoch && epoch != epochs_->latest_epoch()) {
            has_new_epoch |= epochs_.write().assign(*epoch, batch.base_offset());
        }
    }
    if (has_new_epoch) {
        if (const auto error = write_epochs(disk)) {
            return error;
        }
    }
    if (incoming.bytes.size() > static_cast<std::size_t>(identity_->config.segment_bytes)) {
        return AppendError::kRecordBatchTooLarge;
    }
    return roll_if_needed(disk, incoming);
}

std::optional<AppendError> Log::append_bytes(DiskPort disk,
                                             const Incoming& incoming,
                                             std::span<const RecordBatchView> batches) {
    if (!disk.append(active_.file, incoming.bytes)) {
        return AppendError::kStorage;
    }
    for (const RecordBatchView& batch : batches) {
        active_.note(batch);
    }
    log_end_ = incoming.last_offset.next();
    check_state();
    return std::nullopt;
}

std::optional<AppendError> Log::assign_epoch_start(DiskPort disk, types::LeaderEpoch epoch) {
    return epochs_.write().assign(epoch, log_end_) ? write_epochs(disk) : std::nullopt;
}

std::optional<AppendError> Log::roll_if_needed(DiskPort disk, const Incoming& incoming) {
    const LogConfig& config = identity_->config;
    const auto size = static_cast<std::int64_t>(active_.size);
    const auto more = static_cast<std::int64_t>(incoming.bytes.size());
    const std::int64_t delta = incoming.last_offset - active_.base_offset;
    const bool is_full = size > config.segment_bytes - more;
    const bool is_out_of_reach = delta < 0 || delta > std::numeric_limits<std::int32_t>::max();
    bool is_old = false;
    if (size > 0 && !is_full && !is_out_of_reach) {
        // Message time where the first batch has one, else the clock since the segment was made.
        const std::int64_t waited = active_.first_timestamp
                                        ? incoming.max_timestamp - *active_.first_timestamp
                                        : disk.now_ms() - active_.created_ms;
        is_old = waited > config.segment_ms;
    }
    if (!is_full && !is_out_of_reach && !is_old) {
        return std::nullopt;
    }
    return roll(disk, std::max(incoming.first_offset, log_end_));
}

std::optional<AppendError> Log::roll(DiskPort disk, types::Offset base_offset) {
    if (base_offset == active_.base_offset && active_.size == 0) {
        return std::nullopt;
    }
    KLAB_ASSERT(base_offset > active_.base_offset, "roll back to {}", base_offset);
    auto fresh = create_segment(disk, identity_->directory, base_offset);
    if (!fresh) {
        return fresh.error();
    }
    closed_.write().push_back(std::move(active_));
    active_ = std::move(fresh).value();
    return flush_below(disk, base_offset);
}

std::optional<AppendError> Log::flush(DiskPort disk) { return flush_below(disk, log_end_); }

std::optional<AppendError> Log::flush_below(DiskPort disk, types::Offset offset) {
    if (offset <= recovery_point_) {
        return std::nullopt;
    }
    bool has_new_name = false;
    const auto sync = [&](const LogSegment& segment, types::Offset next_base) {
        if (next_base <= recovery_point_ || segment.base_offset >= offset) {
            return true;
        }
        has_new_name |= segment.base_offset >= recovery_point_;
        return disk.sync(segment.file).ok();
    };
    for (std::size_t i = 0; i < closed_->size(); ++i) {
        const bool is_last = i + 1 == closed_->size();
        if (!sync((*closed_)[i], is_last ? active_.base_offset : (*closed_)[i + 1].base_offset)) {
            return AppendError::kStorage;
        }
    }
    if (!sync(active_, log_end_)) {
        return AppendError::kStorage;
    }
    if (has_new_name && !disk.sync_directory(identity_->directory)) {
        return AppendError::kStorage;
    }
    recovery_point_ = std::min(offset, log_end_);
    return std::nullopt;
}

std::optional<AppendError> Log::flush_if_due(DiskPort disk) {
    const auto& limit = identity_->config.flush_messages;
    return limit && log_end_ - recovery_point_ >= *limit ? flush(disk) : std::nullopt;
}

}  // namespace klab::storage
