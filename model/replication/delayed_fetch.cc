// SPDX-License-Identifier: Apache-2.0
//
// See delayed_fetch.h.
#include "model/replication/delayed_fetch.h"

#include <algorithm>
#include <utility>

#include "model/protocol/fetch.h"
#include "model/replication/epoch_lookup.h"
#include "model/replication/fetch_handling.h"
#include "model/types/timer_kinds.h"

namespace klab::replication {

using protocol::FetchPartition;
using protocol::FetchRequest;
using types::ErrorCode;

namespace {

sim::TimerKey expiry_timer(std::uint64_t number) {
    return {static_cast<std::uint32_t>(types::TimerKind::kDelayedOperation),
            static_cast<std::int64_t>(number),
            0};
}

/// What one partition contributes to a parked fetch.
struct Contribution {
    bool answer_now = false;
    std::int64_t bytes = 0;
};

Contribution contribution_of(const DataPlane& plane,
                             const Partition* partition,
                             const FetchRequest& request,
                             const FetchPartition& fetch) {
    if (check_fetch(plane, partition, request, fetch) != ErrorCode::kNone) {
        return {.answer_now = true};
    }
    const storage::Log& log = partition->log;
    if (fetch.last_fetched_epoch) {
        const DivergenceAnswer divergence = find_divergence({.epochs = log.epochs(),
                                                             .log_start = log.log_start_offset(),
                                                             .log_end = log.log_end_offset()},
                                                            *fetch.last_fetched_epoch,
                                                            fetch.fetch_offset);
        if (divergence.error != ErrorCode::kNone || divergence.diverging) {
            return {.answer_now = true};
        }
    }
    const types::Offset end = readable_end(*partition, request);
    if (fetch.fetch_offset == end) {
        return {};
    }
    // Above the end: the log was cut. Kafka treats a consumer between high watermark and log end
    // alike, so it is answered at once, with nothing.
    const bool outside = fetch.fetch_offset > end || fetch.fetch_offset < log.log_start_offset();
    if (outside || request.min_bytes <= 1) {
        return {.answer_now = true};
    }
    // Kafka keeps both places in memory (LogOffsetMetadata).
    const storage::DiskView disk = storage::DiskView(plane.ctx).without_cost();
    const auto from = log.place_of(disk, fetch.fetch_offset);
    const auto to = log.place_of(disk, end);
    if (!from || !to || from->segment_base != to->segment_base) {
        return {.answer_now = true};
    }
    return {.bytes = std::min<std::int64_t>(to->position - from->position, fetch.max_bytes)};
}

/// Do all partitions of the request together suffice?
bool suffices(const DataPlane& plane, const FetchRequest& request) {
    std::int64_t bytes = 0;
    for (const FetchPartition& fetch : request.partitions) {
        const Partition* partition = plane.find({fetch.topic_id, fetch.partition});
        const Contribution part = contribution_of(plane, partition, request, fetch);
        bytes += part.bytes;
        if (part.answer_now || bytes >= request.min_bytes) {
            return true;
        }
    }
    return false;
}

/// Is the request to be answered after a change of its partition at `place`? The others have not
/// changed since they were last looked at.
bool is_complete(const DataPlane& plane,
                 const FetchRequest& request,
                 const Partition& changed,
                 std::uint32_t place) {
    const Partition* visible = changed.role == Role::kNone ? nullptr : &changed;
    const Contribution own = contribution_of(plane, visible, request, request.partitions[place]);
    if (own.answer_now || own.bytes >= request.min_bytes) {
        return true;
    }
    return own.bytes > 0 && request.partitions.size() > 1 && suffices(plane, request);
}

void answer(DataPlane& plane, const ParkedFetch& fetch, sim::EventId because) {
    FetchReading reading =
        read_for_fetch(plane, fetch.request.as<FetchRequest>(), FetchPass::kAfterWait);
    plane.out.push_back({.to = fetch.from,
                         .response = sim::make_message(std::move(reading.response)),
                         .because = because});
}

}  // namespace

void park_fetch(DataPlane& plane, const RequestHandle& from, const sim::MessageRef& message) {
    const FetchRequest& request = message.as<FetchRequest>();
    // What was just read says that a follower content with one byte must wait; of the others some
    // may be complete by the finer conditions.
    const bool surely_waits = request.replica_id && request.min_bytes <= 1;
    if (!surely_waits && suffices(plane, request)) {
        answer(plane, {from, message}, plane.ctx.cause());
        return;
    }
    const std::uint64_t number = plane.purgatory.park(ParkedFetch{from, message});
    for (std::uint32_t place = 0; place < request.partitions.size(); ++place) {
        const FetchPartition& fetch = request.partitions[place];
        Partition* partition = plane.find_for_write({fetch.topic_id, fetch.partition});
        if (partition == nullptr) {
            continue;
        }
        std::vector<Watch>& watches = partition->parked_fetches;
        watches.erase(std::remove_if(watches.begin(),
                                     watches.end(),
                                     [&](const Watch& watch) {
                                         return plane.purgatory.fetch(watch.request) == nullptr;
                                     }),
                      watches.end());
        watches.push_back({number, place});
    }
    plane.ctx.set_timer(
        expiry_timer(number), milliseconds(request.max_wait_ms), plane.options.lanes.background);
}

void try_complete_fetches(DataPlane& plane, Partition& partition, sim::EventId because) {
    // Answering reads logs and writes none, so no new watch can appear meanwhile.
    std::vector<Watch>& watches = partition.parked_fetches;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < watches.size(); ++i) {
        const Watch watch = watches[i];
        const ParkedFetch* parked = plane.purgatory.fetch(watch.request);
        if (parked == nullptr) {
            continue;  // answered through another partition, or expired
        }
        if (!is_complete(plane, parked->request.as<FetchRequest>(), partition, watch.place)) {
            watches[kept++] = watch;
            continue;
        }
        const ParkedFetch fetch = *parked;
        plane.purgatory.remove_fetch(watch.request);
        plane.ctx.cancel_timer(expiry_timer(watch.request));
        answer(plane, fetch, because);
    }
    watches.resize(kept);
}

bool expire_fetch(DataPlane& plane, std::uint64_t number) {
    const ParkedFetch* parked = plane.purgatory.fetch(number);
    if (parked == nullptr) {
        return false;
    }
    const ParkedFetch fetch = *parked;
    plane.purgatory.remove_fetch(number);
    answer(plane, fetch, plane.ctx.cause());
    return true;
}

}  // namespace klab::replication
