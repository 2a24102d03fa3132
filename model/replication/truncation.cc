// SPDX-License-Identifier: Apache-2.0
//
// See truncation.h.
#include "model/replication/truncation.h"

#include <algorithm>

#include "model/replication/log_background.h"
#include "model/replication/log_checkpoints.h"
#include "model/storage/checkpoint_store.h"
#include "model/types/kafka_events.h"

namespace klab::replication {

namespace {

void emit_truncated(sim::Context& ctx,
                    const Partition& partition,
                    const storage::TruncationFact& fact,
                    std::string_view reason,
                    sim::EventId because) {
    const std::int64_t why = ctx.text(reason);
    const sim::EventId cut = ctx.emit(types::events::kLogTruncated,
                                      {partition.trace_name,
                                       fact.from.value(),
                                       fact.to.value(),
                                       fact.high_watermark_before.value(),
                                       why},
                                      {because});
    const types::Offset high_watermark = partition.log.high_watermark();
    if (high_watermark < fact.high_watermark_before) {
        ctx.emit(types::events::kHwMovedBack,
                 {partition.trace_name, fact.high_watermark_before.value(), high_watermark.value()},
                 {cut});
    }
}

}  // namespace

TruncationPoint decide_truncation(const protocol::DivergingEpoch& leader, const OwnLog& own) {
    if (!leader.end_offset) {
        // The leader knows no epoch at or below ours: nothing but the high watermark is sure.
        return {std::min(own.fallback, own.log_end), true};
    }
    const types::Offset leader_end = *leader.end_offset;
    if (!leader.epoch) {
        return {std::min(leader_end, own.log_end), true};  // KIP-101 alone: no epoch in the answer
    }
    const storage::EpochEndOffset mine = own.epochs.end_offset_for(leader.epoch, own.log_end);
    if (!mine.end_offset) {
        return {std::min(leader_end, own.log_end), true};  // no epochs here to compare with
    }
    if (mine.epoch != leader.epoch) {
        // KIP-279: the leader's epoch is unknown here, so all of ours after the next smaller one is
        // foreign to the leader; whether that one ends alike is for the next round.
        return {std::min(*mine.end_offset, own.log_end), false};
    }
    return {std::min({*mine.end_offset, leader_end, own.log_end}), true};
}

bool truncates_by_epoch(const types::Rules& rules) {
    switch (rules.log_truncation) {
        case types::LogTruncation::kHighWatermark:
            return false;
        case types::LogTruncation::kLeaderEpoch:
            return true;
    }
    return true;
}

namespace {

/// A recovery point above the new log end would be believed after a crash: it is written at once.
void after_cut(DataPlane& plane, const Partition& partition) {
    note_log_work(plane.ctx, plane.options, partition.log);
    // A failure takes the log directory offline, here as everywhere.
    static_cast<void>(
        checkpoint_recovery_points(plane.ctx,
                                   plane.directories,
                                   plane.hosted,
                                   storage::parent_directory(partition.log.directory())));
}

}  // namespace

bool truncate_log(DataPlane& plane,
                  Partition& partition,
                  types::Offset to,
                  std::string_view reason,
                  sim::EventId because) {
    const bool is_in_closed_segment = to < partition.log.active_segment().base_offset();
    if (is_in_closed_segment) {
        plane.cleaner.pause(plane, partition, "the log is cut");
    }
    const auto fact = partition.log.truncate_to(plane.ctx, to);
    if (!fact) {
        return false;
    }
    if (*fact) {
        emit_truncated(plane.ctx, partition, **fact, reason, because);
        after_cut(plane, partition);
    }
    if (is_in_closed_segment) {
        plane.cleaner.after_cut(plane, partition);
        plane.cleaner.resume(partition);
    }
    return true;
}

bool start_log_over(DataPlane& plane,
                    Partition& partition,
                    types::Offset at,
                    std::string_view reason,
                    sim::EventId because) {
    plane.cleaner.pause(plane, partition, "the log begins anew");
    const auto fact = partition.log.truncate_fully_and_start_at(plane.ctx, at);
    if (!fact) {
        return false;
    }
    emit_truncated(plane.ctx, partition, *fact, reason, because);
    after_cut(plane, partition);
    plane.cleaner.after_cut(plane, partition);
    plane.cleaner.resume(partition);
    return true;
}

}  // namespace klab::replication
