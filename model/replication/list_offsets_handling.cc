// SPDX-License-Identifier: Apache-2.0
//
// See list_offsets_handling.h.
#include "model/replication/list_offsets_handling.h"

#include <utility>

#include "model/replication/epoch_lookup.h"

namespace klab::replication {

using protocol::ListOffsetsPartition;
using protocol::ListOffsetsPartitionResult;
using protocol::ListOffsetsRequest;
using types::ErrorCode;

namespace {

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
    // Without remote storage the local part of a log is all of it.
    if (asked.timestamp == protocol::kEarliestTimestamp ||
        asked.timestamp == protocol::kEarliestLocalTimestamp) {
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
    if (asked.timestamp == protocol::kLatestTieredTimestamp) {
        return result;  // nothing is tiered
    }
    const auto found = asked.timestamp == protocol::kMaxTimestamp
                           ? log.find_newest_record(plane.ctx)
                           : log.find_by_time(plane.ctx, asked.timestamp);
    if (!found) {
        return failed(asked, storage::to_error_code(found.error()));
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
