// SPDX-License-Identifier: Apache-2.0
//
// See fetch_handling.h.
#include "model/replication/fetch_handling.h"

#include <algorithm>
#include <utility>

#include "model/replication/delayed_fetch.h"
#include "model/replication/epoch_lookup.h"
#include "model/replication/partition_routes.h"
#include "model/types/kafka_events.h"

namespace klab::replication {

using protocol::FetchPartition;
using protocol::FetchPartitionResult;
using protocol::FetchRequest;
using types::ErrorCode;

namespace {

/// What is left of the request's bytes (KIP-74).
struct Budget {
    std::int64_t remaining = 0;
    bool min_one_message = true;  ///< nothing returned yet: the first batch may be too large
};

FetchPartitionResult failed(const FetchPartition& fetch, ErrorCode error) {
    FetchPartitionResult result;
    result.topic_id = fetch.topic_id;
    result.partition = fetch.partition;
    result.error = error;
    return result;
}

/// KIP-951: an outdated reader learns at once who leads.
void add_leader_hint(const DataPlane& plane,
                     const Partition* partition,
                     FetchPartitionResult& result) {
    const bool outdated = result.error == ErrorCode::kNotLeaderOrFollower ||
                          result.error == ErrorCode::kFencedLeaderEpoch;
    if (plane.around.rules.leader_hints && outdated && partition != nullptr) {
        result.current_leader = partition->leader;
        result.current_leader_epoch = partition->leader_epoch;
    }
}

/// For those who draw a lookup: what the read below looks at.
void show_lookup(DataPlane& plane, const Partition& partition, types::Offset offset) {
    if (!plane.ctx.listening(types::events::kIndexCompared) &&
        !plane.ctx.listening(types::events::kBatchRead)) {
        return;
    }
    const auto lookup = partition.log.explain_lookup(plane.ctx, offset);
    if (!lookup) {
        return;
    }
    const std::int64_t segment = lookup->segment_base.value();
    for (const storage::IndexComparison& compared : lookup->steps.compared) {
        plane.ctx.emit(types::events::kIndexCompared,
                       {partition.trace_name,
                        segment,
                        compared.index,
                        compared.entry.offset.value(),
                        compared.entry.position});
    }
    for (const storage::BatchSpot& batch : lookup->steps.read) {
        plane.ctx.emit(types::events::kBatchRead,
                       {partition.trace_name,
                        segment,
                        batch.position,
                        batch.base_offset.value(),
                        batch.last_offset.value()});
    }
}

/// Reads the log itself: records, diverging epoch, marks.
FetchPartitionResult read_log(DataPlane& plane,
                              const Partition& partition,
                              const FetchRequest& request,
                              const FetchPartition& fetch,
                              const Budget& budget) {
    const storage::Log& log = partition.log;
    FetchPartitionResult result = failed(fetch, ErrorCode::kNone);
    result.high_watermark = log.high_watermark();
    result.last_stable_offset = log.high_watermark();
    result.log_start_offset = log.log_start_offset();
    if (fetch.last_fetched_epoch) {
        DivergenceAnswer divergence = find_divergence({.epochs = log.epochs(),
                                                       .log_start = log.log_start_offset(),
                                                       .log_end = log.log_end_offset()},
                                                      *fetch.last_fetched_epoch,
                                                      fetch.fetch_offset);
        result.diverging_epoch = std::move(divergence.diverging);
        if (divergence.error != ErrorCode::kNone) {
            return failed(fetch, divergence.error);
        }
        if (result.diverging_epoch) {
            return result;
        }
    }
    const types::Offset end = readable_end(partition, request);
    if (fetch.fetch_offset == end) {
        return result;  // nothing new: the common case
    }
    show_lookup(plane, partition, fetch.fetch_offset);
    const std::int64_t limit = std::min<std::int64_t>(fetch.max_bytes, budget.remaining);
    auto read = log.read(plane.ctx,
                         {.start = fetch.fetch_offset,
                          .upper_bound = end,
                          .max_bytes = static_cast<std::int32_t>(std::max<std::int64_t>(limit, 0)),
                          .min_one_message = budget.min_one_message});
    if (!read) {
        return failed(fetch, read.error());
    }
    if (!read->first_entry_incomplete) {
        result.records = std::move(read->records);
    }
    return result;
}

void emit_diverged(DataPlane& plane,
                   const Partition& partition,
                   const FetchRequest& request,
                   const protocol::DivergingEpoch& diverging) {
    plane.ctx.emit(types::events::kFetchDiverged,
                   {partition.trace_name,
                    request.replica_id ? request.replica_id->value() : sim::kAbsent,
                    diverging.epoch ? diverging.epoch->value() : sim::kAbsent,
                    diverging.end_offset ? diverging.end_offset->value() : sim::kAbsent});
}

FetchPartitionResult read_partition(DataPlane& plane,
                                    const FetchRequest& request,
                                    const FetchPartition& fetch,
                                    const Budget& budget,
                                    FetchPass pass) {
    const PartitionKey key{fetch.topic_id, fetch.partition};
    const Partition* partition = plane.find(key);
    const ErrorCode error = check_fetch(plane, partition, request, fetch);
    if (error != ErrorCode::kNone) {
        return failed(fetch, error);
    }
    FetchPartitionResult result = read_log(plane, *partition, request, fetch, budget);
    if (pass == FetchPass::kAfterWait) {
        return result;
    }
    if (result.diverging_epoch) {
        emit_diverged(plane, *partition, request, *result.diverging_epoch);
    } else if (request.replica_id && result.error == ErrorCode::kNone) {
        const ErrorCode noted = follower_fetched(
            plane, *plane.find_for_write(key), *request.replica_id, request.replica_epoch, fetch);
        if (noted != ErrorCode::kNone) {
            return failed(fetch, noted);
        }
    }
    return result;
}

}  // namespace

types::Offset readable_end(const Partition& partition, const FetchRequest& request) {
    return request.replica_id ? partition.log.log_end_offset() : partition.log.high_watermark();
}

ErrorCode check_fetch(const DataPlane& plane,
                      const Partition* partition,
                      const FetchRequest& request,
                      const FetchPartition& fetch) {
    if (partition == nullptr || partition->role == Role::kNone) {
        const PartitionKey key{fetch.topic_id, fetch.partition};
        if (plane.around.image.topic(fetch.topic_id) == nullptr) {
            return ErrorCode::kUnknownTopicId;
        }
        return plane.error_of_absent(key);
    }
    const ErrorCode epoch_error =
        check_current_leader_epoch(*partition, fetch.current_leader_epoch, plane.around.rules);
    if (epoch_error != ErrorCode::kNone) {
        return epoch_error;
    }
    if (!request.replica_id) {
        return ErrorCode::kNone;  // KIP-392: consumers may read from any replica
    }
    if (!partition->is_leader()) {
        return ErrorCode::kNotLeaderOrFollower;
    }
    const bool is_replica = find_follower(std::span<const Follower>(partition->followers),
                                          *request.replica_id) != nullptr;
    if (!is_replica) {
        // With an epoch it agrees on, the follower knows newer metadata than this leader: it shall
        // try again. Without one nothing tells who is behind.
        return fetch.current_leader_epoch ? ErrorCode::kUnknownLeaderEpoch
                                          : ErrorCode::kNotLeaderOrFollower;
    }
    return ErrorCode::kNone;
}

FetchReading read_for_fetch(DataPlane& plane, const FetchRequest& request, FetchPass pass) {
    FetchReading reading;
    reading.response.partitions.reserve(request.partitions.size());
    Budget budget{.remaining = std::min<std::int64_t>(request.max_bytes,
                                                      plane.options.config.fetch_max_bytes)};
    for (const FetchPartition& fetch : request.partitions) {
        FetchPartitionResult result = read_partition(plane, request, fetch, budget, pass);
        const auto bytes = static_cast<std::int64_t>(result.records->size());
        if (result.error != ErrorCode::kNone) {
            add_leader_hint(plane, plane.find({fetch.topic_id, fetch.partition}), result);
            reading.must_answer = true;
        }
        reading.must_answer = reading.must_answer || result.diverging_epoch.has_value();
        reading.bytes += bytes;
        budget.remaining = std::max<std::int64_t>(budget.remaining - bytes, 0);
        budget.min_one_message = budget.min_one_message && bytes == 0;
        reading.response.partitions.push_back(std::move(result));
    }
    return reading;
}

void handle_fetch(DataPlane& plane, const RequestHandle& from, const sim::MessageRef& message) {
    const FetchRequest& request = message.as<FetchRequest>();
    FetchReading reading = read_for_fetch(plane, request, FetchPass::kFirst);
    const bool answer_now = request.max_wait_ms <= 0 || request.partitions.empty() ||
                            reading.bytes >= request.min_bytes || reading.must_answer;
    if (answer_now) {
        plane.out.push_back(
            {.to = from, .response = sim::make_message(std::move(reading.response))});
        return;
    }
    park_fetch(plane, from, message);
}

}  // namespace klab::replication
