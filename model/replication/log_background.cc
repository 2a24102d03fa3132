// SPDX-License-Identifier: Apache-2.0
//
// See log_background.h.
#include "model/replication/log_background.h"

#include <algorithm>
#include <string_view>

#include "model/replication/log_events.h"
#include "model/types/kafka_events.h"
#include "model/types/timer_kinds.h"

namespace klab::replication {

using types::TimerKind;

namespace {

sim::TimerKey work_timer() {
    return {.timer = static_cast<std::uint32_t>(TimerKind::kLogWork), .a = 0, .b = 0};
}

/// When the next of this log's work is due; nothing when it has none.
std::optional<Duration> next_work(sim::Context& ctx, const storage::Log& log) {
    if (log.has_pending_flush()) {
        return Duration{};
    }
    const auto due_ms = log.next_deletion_ms();
    return due_ms ? std::optional(milliseconds(*due_ms - ctx.monotonic().to_ms())) : std::nullopt;
}

std::string_view reason_text(storage::DeletionReason reason) {
    switch (reason) {
        case storage::DeletionReason::kLogStart:
            return "below the log start";
        case storage::DeletionReason::kSize:
            return "retention.bytes";
        case storage::DeletionReason::kTime:
            return "retention.ms";
    }
    return "";
}

/// True when the log has work left that is not due yet.
bool work_on(DataPlane& plane, Partition& partition) {
    storage::Log& log = partition.log;
    if (log.has_pending_flush()) {
        const types::Offset before = log.recovery_point();
        if (log.run_pending_flush(plane.ctx)) {
            return false;  // the log directory is offline
        }
        if (log.recovery_point() > before) {
            plane.ctx.emit(types::events::kLogFlushed,
                           {partition.trace_name, log.recovery_point().value()});
        }
    }
    // A failure takes the log directory offline, here as everywhere.
    static_cast<void>(log.remove_deleted_files(plane.ctx));
    return log.next_deletion_ms().has_value();
}

}  // namespace

void note_log_work(sim::Context& ctx, const ReplicationOptions& options, const storage::Log& log) {
    const auto due = next_work(ctx, log);
    if (due && (*due <= Duration{} || !ctx.has_timer(work_timer()))) {
        ctx.set_timer(work_timer(), *due, options.lanes.background);
    }
}

void run_log_work(DataPlane& plane) {
    std::vector<PartitionKey> busy;
    plane.hosted.for_each([&](const PartitionKey& key, const Cow<Partition>& partition) {
        if (next_work(plane.ctx, partition->log)) {
            busy.push_back(key);
        }
    });
    std::optional<Duration> next;
    for (const PartitionKey& key : busy) {
        Partition& partition = *plane.find_for_write(key);
        if (work_on(plane, partition)) {
            const Duration due = *next_work(plane.ctx, partition.log);
            next = std::min(next.value_or(due), due);
        }
    }
    if (next) {
        plane.ctx.set_timer(work_timer(), *next, plane.options.lanes.background);
    }
}

bool delete_old_segments(DataPlane& plane, const PartitionKey& key) {
    if (!plane.find(key)->log.has_deletable_segments(plane.ctx)) {
        return true;
    }
    Partition& partition = *plane.find_for_write(key);
    const types::Offset start = partition.log.log_start_offset();
    const auto deleted = partition.log.delete_old_segments(plane.ctx);
    if (!deleted) {
        return false;
    }
    sim::EventId last = plane.ctx.cause();
    for (const storage::DeletedSegment& segment : *deleted) {
        const std::int64_t reason = plane.ctx.text(reason_text(segment.reason));
        last = plane.ctx.emit(
            types::events::kLogSegmentDeleted,
            {partition.trace_name, segment.base_offset.value(), segment.size, reason});
    }
    emit_log_start_raised(plane.ctx, partition, start, LogStartReason::kSegmentDeletion, last);
    note_log_work(plane.ctx, plane.options, partition.log);
    return true;
}

void apply_retention(DataPlane& plane) {
    for (const PartitionKey& key : plane.hosted.keys()) {
        // A failure takes the log directory offline; logs in others go on.
        if (!plane.find(key)->log.config().is_compacted) {
            static_cast<void>(delete_old_segments(plane, key));
        }
    }
}

}  // namespace klab::replication
