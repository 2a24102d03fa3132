// SPDX-License-Identifier: Apache-2.0
//
// Log: appending as leader and as follower. The order of the steps is Kafka's: epoch entry and roll
// come before the producer checks, so a refused batch may leave them behind.
// Kafka: UnifiedLog.append, analyzeAndValidateProducerState.
#include <algorithm>
#include <limits>
#include <span>

#include "model/storage/log.h"

namespace klab::storage {

/// One append's changes to all its producers, and the transactions that its markers end.
struct Log::ProducerUpdates {
    std::vector<ProducerAppend> appends;  // one a producer, in the order of its first batch
    std::vector<CompletedTransaction> completed;
    bool unknown_begin_at_0 = false;  // Rules::producer_outlives_records is off

    ProducerAppend& of(const ProducerStates& states, types::ProducerId id, AppendOrigin origin) {
        for (ProducerAppend& append : appends) {
            if (append.id() == id) {
                return append;
            }
        }
        appends.push_back(states.prepare(id, origin));
        if (unknown_begin_at_0) {
            appends.back().refuse_unknown_in_the_middle();
        }
        return appends.back();
    }

    [[nodiscard]] std::optional<AppendError> add(ProducerStates& states,
                                                 const RecordBatchView& batch,
                                                 AppendOrigin origin,
                                                 bool has_bumped_epoch = false) {
        const auto id = batch.producer_id();
        if (!id) {
            return std::nullopt;
        }
        ProducerAppend& append = of(states, *id, origin);
        if (const auto error = append.add(batch, has_bumped_epoch)) {
            return error;
        }
        states.end_verification(batch);
        if (append.completed()) {
            completed.push_back(*append.completed());
        }
        return std::nullopt;
    }
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
    const IncomingBatches incoming{
        *stamped, {&batch, 1}, batch.base_offset(), batch.last_offset(), batch.max_timestamp()};
    info.batch = fact_of(batch);
    if (const auto error = make_room(disk, incoming)) {
        return refuse(*error);
    }
    const bool is_client = append.origin == AppendOrigin::kClient;
    const bool checks_sequence = is_client && !rules.mutated(types::Mutant::kSequenceUnchecked);
    if (checks_sequence) {
        if (const auto duplicate = producers_.find_duplicate(batch)) {
            return info_of_duplicate(*duplicate, info);
        }
    }
    if (const auto error = check_verified(batch, append)) {
        return refuse(*error);
    }
    ProducerUpdates updates;
    updates.unknown_begin_at_0 = !rules.producer_outlives_records;
    const AppendOrigin origin =
        is_client && !checks_sequence ? AppendOrigin::kCoordinator : append.origin;
    if (const auto error = updates.add(producers_, batch, origin, append.has_bumped_epoch)) {
        return refuse(*error);
    }
    if (const auto error = write(disk, incoming, updates)) {
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
        auto valid = validate_batch(batch, identity_->config, append.origin, disk.now_ms());
        if (!valid) {
            return Error{valid.error()};
        }
        if (valid->rebuilt) {
            bytes = std::move(*valid->rebuilt);
        }
        set_last_offset(bytes, log_end_ + RecordBatchView(bytes).last_offset_delta());
        set_max_timestamp(bytes, valid->timestamp_type, valid->max_timestamp);
        if (valid->timestamp_type == TimestampType::kLogAppendTime) {
            info.log_append_time = valid->max_timestamp;
        }
    }
    set_leader_epoch(bytes, append.leader_epoch);
    return bytes;
}

Result<VerificationGuard, AppendError> Log::start_verification(const VerificationRequest& request,
                                                               std::int64_t now_ms) {
    const ProducerEntry* entry = producers_.find(request.producer_id);
    if (entry != nullptr && entry->epoch() && request.epoch < *entry->epoch()) {
        return Error{AppendError::kInvalidProducerEpoch};
    }
    if (producers_.has_ongoing_transaction(request.producer_id, request.epoch)) {
        return VerificationGuard{};
    }
    return producers_.start_verification(request, now_ms);
}

/// KIP-890: no transaction begins here without its coordinator's knowledge.
std::optional<AppendError> Log::check_verified(const RecordBatchView& batch,
                                               const LeaderAppend& append) const {
    const bool is_checked =
        append.origin == AppendOrigin::kClient || append.origin == AppendOrigin::kCoordinator;
    const auto id = batch.producer_id();
    const auto epoch = batch.producer_epoch();
    if (!is_checked || !id || !epoch || !batch.is_transactional() ||
        producers_.has_ongoing_transaction(*id, *epoch)) {
        return std::nullopt;
    }
    const ProducerEntry* entry = producers_.find(*id);
    if (entry != nullptr && entry->epoch() && *epoch < *entry->epoch()) {
        return AppendError::kInvalidProducerEpoch;
    }
    if (!identity_->config.verifies_transactions || batch.is_control()) {
        return std::nullopt;
    }
    const VerificationEntry* asked = producers_.verification().find(*id);
    return asked != nullptr && asked->guard.proves(append.guard)
               ? std::nullopt
               : std::optional(AppendError::kInvalidTxnState);
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
    IncomingBatches incoming;
    incoming.bytes = append.records.first(taken->bytes);
    incoming.batches = taken->batches;
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
    if (const auto error = make_room(disk, incoming)) {
        return fail(*error);
    }
    ProducerUpdates updates;
    for (const RecordBatchView& batch : taken->batches) {
        // What a leader took is not refused here; a batch that makes no sense changes nothing.
        static_cast<void>(updates.add(producers_, batch, AppendOrigin::kReplication));
    }
    if (const auto error = write(disk, incoming, updates)) {
        return fail(*error);
    }
    return info;
}

std::optional<AppendError> Log::make_room(DiskPort disk, const IncomingBatches& incoming) {
    bool has_new_epoch = false;
    for (const RecordBatchView& batch : incoming.batches) {
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
    if (active_.should_roll(incoming, identity_->config, disk.now_ms())) {
        if (const auto error = roll_at(disk, std::max(incoming.first_offset, log_end_))) {
            return error;
        }
    }
    return active_.open_indexes(disk, place(active_.base_offset()));
}

std::optional<AppendError> Log::write(DiskPort disk,
                                      const IncomingBatches& incoming,
                                      const ProducerUpdates& updates) {
    if (const auto error = active_.append(disk, incoming, identity_->config)) {
        return error;
    }
    log_end_ = incoming.last_offset.next();
    for (const ProducerAppend& append : updates.appends) {
        producers_.apply(append);
    }
    for (const CompletedTransaction& completed : updates.completed) {
        if (const auto error = complete(disk, completed)) {
            return error;
        }
    }
    producers_.set_map_end_offset(log_end_);
    check_state();
    return flush_if_due(disk);
}

/// A marker is in the log: notes an abort for read_committed readers, and decides the transaction.
std::optional<AppendError> Log::complete(DiskPort disk, const CompletedTransaction& completed) {
    if (completed.is_aborted) {
        const AbortedTransaction aborted{completed.producer_id,
                                         completed.first_offset,
                                         completed.marker_offset,
                                         producers_.last_stable_offset(completed)};
        const SegmentPlace where = place(active_.base_offset());
        if (const auto error = active_.add_aborted(disk, where, aborted)) {
            return error;
        }
    }
    producers_.complete(completed);
    return std::nullopt;
}

std::optional<AppendError> Log::assign_epoch_start(DiskPort disk, types::LeaderEpoch epoch) {
    return epochs_.write().assign(epoch, log_end_) ? write_epochs(disk) : std::nullopt;
}

}  // namespace klab::storage
