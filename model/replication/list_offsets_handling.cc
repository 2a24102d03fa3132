// SPDX-License-Identifier: Apache-2.0
//
// See list_offsets_handling.h.
#include "model/replication/list_offsets_handling.h"

#include <utility>

#include "model/replication/epoch_lookup.h"
#include "model/storage/record.h"

namespace klab::replication {

using protocol::ListOffsetsPartition;
using protocol::ListOffsetsPartitionResult;
using protocol::ListOffsetsRequest;
using types::ErrorCode;

namespace {

struct FoundRecord {
    types::Offset offset;
    std::int64_t timestamp = 0;
    std::optional<types::LeaderEpoch> leader_epoch;
};

std::optional<FoundRecord> find_in_batch(const storage::RecordBatchView& batch,
                                         std::int64_t timestamp,
                                         types::Offset from) {
    storage::RecordIterator records(batch);
    while (const auto record = records.next()) {
        if (record->timestamp >= timestamp && record->offset >= from) {
            return FoundRecord{record->offset, record->timestamp, batch.leader_epoch()};
        }
    }
    return std::nullopt;
}

/// The first record with a timestamp not below the given one.
Result<std::optional<FoundRecord>, ErrorCode> find_by_timestamp(sim::Context& ctx,
                                                                const storage::Log& log,
                                                                std::int64_t timestamp) {
    constexpr std::int32_t kChunkBytes = 1 << 20;
    types::Offset from = log.log_start_offset();
    while (from < log.log_end_offset()) {
        const auto read = log.read(ctx,
                                   {.start = from,
                                    .upper_bound = log.log_end_offset(),
                                    .max_bytes = kChunkBytes,
                                    .min_one_message = true});
        if (!read) {
            return Error{read.error()};
        }
        const types::Offset before = from;
        storage::BatchIterator batches{ByteView(*read->records)};
        while (const auto batch = batches.next()) {
            if (batch->max_timestamp() >= timestamp) {
                if (const auto found = find_in_batch(*batch, timestamp, from)) {
                    return std::optional(found);
                }
            }
            from = batch->last_offset().next();
        }
        if (from == before) {
            break;  // nothing whole to read
        }
    }
    return std::optional<FoundRecord>();
}

ListOffsetsPartitionResult failed(const ListOffsetsPartition& asked, ErrorCode error) {
    ListOffsetsPartitionResult result;
    result.partition = asked.partition;
    result.error = error;
    return result;
}

ListOffsetsPartitionResult look_up(DataPlane& plane,
                                   const Partition& partition,
                                   const ListOffsetsPartition& asked,
                                   bool for_consumer) {
    const storage::Log& log = partition.log;
    ListOffsetsPartitionResult result = failed(asked, ErrorCode::kNone);
    const bool lags_after_election =
        for_consumer && partition.epoch_start && *partition.epoch_start > log.high_watermark();
    const types::Offset bound = for_consumer ? log.high_watermark() : log.log_end_offset();
    if (asked.timestamp == protocol::kEarliestTimestamp) {
        const storage::OffsetAndEpoch earliest = log.earliest_offset();
        result.offset = earliest.offset;
        result.leader_epoch = earliest.epoch;
        return result;
    }
    if (asked.timestamp == protocol::kLatestTimestamp) {
        if (lags_after_election) {
            return failed(asked, ErrorCode::kOffsetNotAvailable);
        }
        result.offset = bound;
        result.leader_epoch = partition.leader_epoch;
        return result;
    }
    const auto found = find_by_timestamp(plane.ctx, log, asked.timestamp);
    if (!found) {
        return failed(asked, found.error());
    }
    if (*found && (*found)->offset < bound) {
        result.offset = (*found)->offset;
        result.timestamp = (*found)->timestamp;
        result.leader_epoch = (*found)->leader_epoch;
    } else if (lags_after_election) {
        return failed(asked, ErrorCode::kOffsetNotAvailable);
    }
    return result;
}

ListOffsetsPartitionResult answer_one(DataPlane& plane,
                                      const ListOffsetsRequest& request,
                                      const ListOffsetsPartition& asked) {
    const auto key = plane.key_of(asked.partition);
    const Partition* partition = key ? plane.find(*key) : nullptr;
    if (partition == nullptr || partition->role == Role::kNone) {
        return failed(asked, plane.error_of_absent(key));
    }
    const ErrorCode error =
        check_current_leader_epoch(*partition, asked.current_leader_epoch, plane.around.rules);
    if (error != ErrorCode::kNone) {
        return failed(asked, error);
    }
    if (!partition->is_leader()) {
        return failed(asked, ErrorCode::kNotLeaderOrFollower);
    }
    return look_up(plane, *partition, asked, !request.replica_id);
}

}  // namespace

void handle_list_offsets(DataPlane& plane,
                         const RequestHandle& from,
                         const ListOffsetsRequest& request) {
    protocol::ListOffsetsResponse response;
    response.partitions.reserve(request.partitions.size());
    for (const ListOffsetsPartition& asked : request.partitions) {
        response.partitions.push_back(answer_one(plane, request, asked));
    }
    plane.out.push_back({.to = from, .response = sim::make_message(std::move(response))});
}

}  // namespace klab::replication
