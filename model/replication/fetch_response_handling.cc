// SPDX-License-Identifier: Apache-2.0
//
// See fetch_response_handling.h.
#include "model/replication/fetch_response_handling.h"

#include "model/replication/delayed_fetch.h"
#include "model/replication/high_watermark.h"
#include "model/replication/log_background.h"
#include "model/replication/log_events.h"
#include "model/replication/truncation.h"
#include "sim/base/assert.h"

namespace klab::replication {

using protocol::FetchPartition;
using protocol::FetchPartitionResult;
using types::ErrorCode;
using types::Mutant;

namespace {

/// The state after a success: neither delayed nor failing.
FollowerFetchState healthy(const FollowerFetchState& state) {
    FollowerFetchState next = state;
    next.delayed_until.reset();
    next.failing = false;
    return next;
}

FetchOutcome failed(ErrorCode error) { return {.step = FetchStep::kFailed, .error = error}; }

/// The state that continues at the own log end.
FetchOutcome continue_at_log_end(const DataPlane& plane,
                                 const Partition& partition,
                                 const FollowerFetchState& state) {
    FetchOutcome outcome{.step = FetchStep::kChanged, .state = healthy(state)};
    outcome.state.fetch_offset = partition.log.log_end_offset();
    outcome.state.last_fetched_epoch =
        truncates_by_epoch(plane.around.rules) ? partition.log.latest_epoch() : std::nullopt;
    return outcome;
}

FetchOutcome cut_diverging(DataPlane& plane,
                           Partition& partition,
                           const FollowerFetchState& state,
                           const protocol::DivergingEpoch& leader) {
    // Mutant truncation-skipped: the own tail stays, and the leader is not asked to compare again.
    if (plane.around.rules.mutated(Mutant::kTruncationSkipped)) {
        FetchOutcome outcome{.step = FetchStep::kChanged, .state = healthy(state)};
        outcome.state.last_fetched_epoch.reset();
        return outcome;
    }
    const TruncationPoint point = decide_truncation(leader,
                                                    {.epochs = partition.log.epochs(),
                                                     .log_end = partition.log.log_end_offset(),
                                                     .fallback = partition.log.high_watermark()});
    if (!truncate_log(plane, partition, point.offset, "diverging epoch", plane.ctx.cause())) {
        return failed(ErrorCode::kKafkaStorageError);
    }
    try_complete_fetches(plane, partition, plane.ctx.cause());
    return continue_at_log_end(plane, partition, state);
}

/// Appends what was fetched; once more from scratch if the log is empty and the leader's first
/// batch begins below it (its log starts inside a batch).
Result<storage::FollowerAppendInfo, storage::FollowerAppendFailure> append_fetched(
    DataPlane& plane, Partition& partition, const storage::FollowerAppend& append) {
    auto appended = partition.log.append_as_follower(plane.ctx, append);
    if (appended || appended.error().error != storage::AppendError::kUnexpectedAppendOffset) {
        return appended;
    }
    const storage::FollowerAppendFailure& failure = appended.error();
    const types::Offset end = partition.log.log_end_offset();
    const bool is_empty = partition.log.log_start_offset() == end;
    if (!is_empty || failure.first_offset >= end || failure.last_offset < end) {
        return appended;
    }
    if (!start_log_over(plane,
                        partition,
                        failure.first_offset,
                        "leader starts inside a batch",
                        plane.ctx.cause())) {
        return appended;
    }
    return partition.log.append_as_follower(plane.ctx, append);
}

FetchOutcome outcome_of(storage::AppendError error) {
    const bool corrupt = error == storage::AppendError::kCorruptRecord ||
                         error == storage::AppendError::kInvalidRecord;
    return {.step = corrupt ? FetchStep::kDelayed : FetchStep::kFailed,
            .error = storage::to_error_code(error)};
}

/// High watermark and log start follow the leader's. The event of a move of the high watermark, or
/// an error.
Result<std::optional<sim::EventId>, ErrorCode> follow_marks(DataPlane& plane,
                                                            Partition& partition,
                                                            const FetchPartitionResult& result,
                                                            sim::EventId because) {
    std::optional<sim::EventId> moved;
    if (result.high_watermark) {
        moved =
            update_follower_high_watermark(plane.ctx, partition, *result.high_watermark, because);
    }
    if (result.log_start_offset && *result.log_start_offset > partition.log.log_start_offset()) {
        const types::Offset start = partition.log.log_start_offset();
        const auto raised = partition.log.raise_log_start(plane.ctx, *result.log_start_offset);
        if (!raised) {
            return Error{raised.error()};
        }
        emit_log_start_raised(
            plane.ctx, partition, start, LogStartReason::kLeaderOffsetIncremented, because);
    }
    return moved;
}

FetchOutcome take_records(DataPlane& plane,
                          const FollowerFetchState& state,
                          const FetchPartition& asked,
                          const FetchPartitionResult& result) {
    const PartitionKey key{asked.topic_id, asked.partition};
    const Partition* seen = plane.find(key);
    const bool has_records = !result.records->empty();
    const bool same_marks = result.high_watermark == seen->log.high_watermark() &&
                            result.log_start_offset <= seen->log.log_start_offset();
    if (!has_records && same_marks) {
        return {.step = state.failing ? FetchStep::kChanged : FetchStep::kUnchanged,
                .state = healthy(state)};
    }
    Partition& partition = *plane.find_for_write(key);
    sim::EventId because = plane.ctx.cause();
    FetchOutcome outcome{.step = FetchStep::kUnchanged};
    if (has_records) {
        const bool checked = !plane.around.rules.mutated(Mutant::kFetchResponseUnchecked);
        if (checked && asked.fetch_offset != partition.log.log_end_offset()) {
            return failed(ErrorCode::kUnknownServerError);
        }
        storage::FollowerAppend append;
        append.records = ByteView(*result.records);
        if (plane.around.rules.fetch_drops_newer_epoch) {
            append.fetched_under = asked.current_leader_epoch;
        }
        const types::Offset segment = partition.log.active_segment().base_offset();
        const std::uint32_t segment_size = partition.log.active_segment().size();
        const auto appended = append_fetched(plane, partition, append);
        maybe_emit_log_rolled(plane.ctx, partition, segment, segment_size);
        note_log_work(plane.ctx, plane.options, partition.log);
        if (!appended) {
            return outcome_of(appended.error().error);
        }
        for (const storage::AppendedBatch& batch : appended->batches) {
            because = emit_log_appended(plane.ctx, partition, batch, false);
        }
        outcome = continue_at_log_end(plane, partition, state);
    } else if (state.failing) {
        outcome = {.step = FetchStep::kChanged, .state = healthy(state)};
    }
    const types::Offset start_before = partition.log.log_start_offset();
    const auto moved = follow_marks(plane, partition, result, because);
    if (!moved) {
        return failed(moved.error());
    }
    if (outcome.step == FetchStep::kUnchanged && partition.log.log_start_offset() != start_before) {
        outcome = {.step = FetchStep::kChanged,
                   .state = healthy(state)};  // the next fetch tells it
    }
    if (*moved) {
        try_complete_fetches(plane, partition, **moved);
    }
    return outcome;
}

}  // namespace

FetchOutcome handle_fetch_result(DataPlane& plane,
                                 const FollowerFetchState& state,
                                 const FetchPartition& asked,
                                 const FetchPartitionResult& result) {
    const PartitionKey key{asked.topic_id, asked.partition};
    const bool still_asked = state.fetch_offset == asked.fetch_offset &&
                             state.leader_epoch == asked.current_leader_epoch &&
                             state.is_ready_for_fetch(plane.ctx.monotonic());
    // Mutant fetch-response-unchecked: an answer to an earlier question is as good as any.
    if (!still_asked && !plane.around.rules.mutated(Mutant::kFetchResponseUnchecked)) {
        return {.step = FetchStep::kIgnored};
    }
    if (result.error == ErrorCode::kOffsetOutOfRange) {
        return {.step = FetchStep::kOutOfRange};
    }
    if (result.error == ErrorCode::kFencedLeaderEpoch) {
        return failed(result.error);  // an election was missed: only metadata can help
    }
    if (result.error != ErrorCode::kNone) {
        return {.step = FetchStep::kDelayed, .error = result.error};
    }
    KLAB_ASSERT(plane.find(key) != nullptr, "a fetcher has a partition that is not hosted");
    if (result.diverging_epoch) {
        return cut_diverging(plane, *plane.find_for_write(key), state, *result.diverging_epoch);
    }
    return take_records(plane, state, asked, result);
}

FetchOutcome cut_to_leader_end(DataPlane& plane,
                               Partition& partition,
                               const FollowerFetchState& state,
                               types::Offset leader_end) {
    if (!truncate_log(
            plane, partition, leader_end, "leader's log ends earlier", plane.ctx.cause())) {
        return failed(ErrorCode::kKafkaStorageError);
    }
    try_complete_fetches(plane, partition, plane.ctx.cause());
    return continue_at_log_end(plane, partition, state);
}

FetchOutcome continue_at_leader_start(DataPlane& plane,
                                      Partition& partition,
                                      const FollowerFetchState& state,
                                      const LeaderStartStep& step) {
    if (step.start_over &&
        !start_log_over(
            plane, partition, step.next, "leader's log starts later", plane.ctx.cause())) {
        return failed(ErrorCode::kKafkaStorageError);
    }
    try_complete_fetches(plane, partition, plane.ctx.cause());
    return continue_at_log_end(plane, partition, state);
}

}  // namespace klab::replication
