// SPDX-License-Identifier: Apache-2.0
//
// See delayed_delete_records.h.
#include "model/replication/delayed_delete_records.h"

#include <utility>

#include "model/replication/low_watermark.h"
#include "model/types/kafka_events.h"
#include "model/types/timer_kinds.h"
#include "sim/base/assert.h"

namespace klab::replication {

using types::ErrorCode;

namespace {

sim::TimerKey expiry_timer(std::uint64_t number) {
    return {static_cast<std::uint32_t>(types::TimerKind::kDelayedOperation),
            static_cast<std::int64_t>(number),
            0};
}

/// Settles one pending part.
void settle(ParkedDeletion& deletion, ParkedDeletionPart& part, const DeletionStatus& status) {
    KLAB_ASSERT(part.pending, "settled twice");
    part.pending = false;
    --deletion.pending;
    part.result.error = status.error;
    part.result.low_watermark = status.low_watermark;
}

}  // namespace

std::optional<DeletionStatus> decide_deletion_status(const Partition& partition,
                                                     types::Offset required,
                                                     const metadata::MetadataImage& image) {
    if (partition.role == Role::kNone) {
        return DeletionStatus{ErrorCode::kUnknownTopicOrPartition, std::nullopt};
    }
    if (!partition.is_leader()) {
        return DeletionStatus{ErrorCode::kNotLeaderOrFollower, std::nullopt};
    }
    const auto low = low_watermark(partition, image);
    return low >= required ? std::optional(DeletionStatus{ErrorCode::kNone, low}) : std::nullopt;
}

void answer_deletion(DataPlane& plane, const ParkedDeletion& deletion, sim::EventId because) {
    protocol::DeleteRecordsResponse response;
    response.partitions.reserve(deletion.parts.size());
    for (const ParkedDeletionPart& part : deletion.parts) {
        const auto& low = part.result.low_watermark;
        const bool failed = part.result.error != ErrorCode::kNone;
        plane.ctx.emit(types::events::kDeleteRecordsCompleted,
                       {part.trace_name,
                        failed ? sim::kAbsent : part.required.value(),
                        low ? low->value() : sim::kAbsent,
                        static_cast<std::int64_t>(part.result.error)},
                       {because});
        response.partitions.push_back(part.result);
    }
    plane.out.push_back({.to = deletion.from,
                         .response = sim::make_message(std::move(response)),
                         .because = because});
}

void park_deletion(DataPlane& plane, ParkedDeletion deletion, Duration timeout) {
    // Whatever did not fail waits, also a partition whose low watermark is there already.
    for (ParkedDeletionPart& part : deletion.parts) {
        part.pending = part.result.error == ErrorCode::kNone;
        deletion.pending += part.pending ? 1U : 0U;
    }
    for (ParkedDeletionPart& part : deletion.parts) {
        if (!part.pending) {
            continue;
        }
        const Partition* partition = plane.find(part.key);
        KLAB_ASSERT(partition != nullptr, "its log start rose a moment ago");
        if (const auto status =
                decide_deletion_status(*partition, part.required, plane.around.image)) {
            settle(deletion, part, *status);
        } else {
            part.result.error = ErrorCode::kRequestTimedOut;
        }
    }
    if (deletion.pending == 0) {
        answer_deletion(plane, deletion, plane.ctx.cause());
        return;
    }
    const std::uint64_t number = plane.purgatory.park(std::move(deletion));
    const ParkedDeletion& parked = *plane.purgatory.deletion(number);
    for (std::uint32_t place = 0; place < parked.parts.size(); ++place) {
        if (parked.parts[place].pending) {
            plane.find_for_write(parked.parts[place].key)
                ->parked_deletions.push_back({number, place});
        }
    }
    plane.ctx.set_timer(expiry_timer(number), timeout, plane.options.lanes.background);
}

void try_complete_deletions(DataPlane& plane, Partition& partition, sim::EventId because) {
    std::vector<Watch>& watches = partition.parked_deletions;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < watches.size(); ++i) {
        const Watch watch = watches[i];
        const ParkedDeletion* parked = plane.purgatory.deletion(watch.request);
        if (parked == nullptr || !parked->parts[watch.place].pending) {
            continue;  // expired
        }
        const auto status = decide_deletion_status(
            partition, parked->parts[watch.place].required, plane.around.image);
        if (!status) {
            watches[kept++] = watch;
            continue;
        }
        ParkedDeletion& deletion = *plane.purgatory.deletion_for_write(watch.request);
        settle(deletion, deletion.parts[watch.place], *status);
        if (deletion.pending == 0) {
            answer_deletion(plane, deletion, because);
            plane.ctx.cancel_timer(expiry_timer(watch.request));
            plane.purgatory.remove_deletion(watch.request);
        }
    }
    watches.resize(kept);
}

bool expire_deletion(DataPlane& plane, std::uint64_t number) {
    const ParkedDeletion* parked = plane.purgatory.deletion(number);
    if (parked == nullptr) {
        return false;
    }
    // What still waits holds REQUEST_TIMED_OUT since it was parked.
    answer_deletion(plane, *parked, plane.ctx.cause());
    plane.purgatory.remove_deletion(number);
    return true;
}

}  // namespace klab::replication
