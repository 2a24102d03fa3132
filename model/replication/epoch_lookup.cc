// SPDX-License-Identifier: Apache-2.0
//
// See epoch_lookup.h.
#include "model/replication/epoch_lookup.h"

#include <utility>

namespace klab::replication {

using types::ErrorCode;

ErrorCode check_current_leader_epoch(const Partition& partition,
                                     std::optional<types::LeaderEpoch> requested,
                                     const types::Rules& rules) {
    // Mutant epoch-not-fenced: whoever asks is answered.
    if (!requested || rules.mutated(types::Mutant::kEpochNotFenced)) {
        return ErrorCode::kNone;
    }
    if (!partition.leader_epoch || *requested > *partition.leader_epoch) {
        return ErrorCode::kUnknownLeaderEpoch;
    }
    return *requested < *partition.leader_epoch ? ErrorCode::kFencedLeaderEpoch : ErrorCode::kNone;
}

DivergenceAnswer find_divergence(const LeaderLog& log,
                                 types::LeaderEpoch last_fetched_epoch,
                                 types::Offset fetch_offset) {
    const storage::EpochEndOffset end = log.epochs.end_offset_for(last_fetched_epoch, log.log_end);
    if (!end.epoch || !end.end_offset || fetch_offset < log.log_start) {
        return {ErrorCode::kOffsetOutOfRange, std::nullopt};
    }
    if (*end.epoch < last_fetched_epoch || *end.end_offset < fetch_offset) {
        return {ErrorCode::kNone, protocol::DivergingEpoch{end.epoch, end.end_offset}};
    }
    return {};
}

namespace {

protocol::OffsetForLeaderEpochResult answer_one(
    const DataPlane& plane, const protocol::OffsetForLeaderEpochPartition& asked) {
    protocol::OffsetForLeaderEpochResult result;
    result.partition = asked.partition;
    const auto key = plane.key_of(asked.partition);
    const Partition* partition = key ? plane.find(*key) : nullptr;
    if (partition == nullptr || partition->role == Role::kNone) {
        result.error = plane.error_of_absent(key);
        return result;
    }
    result.error =
        check_current_leader_epoch(*partition, asked.current_leader_epoch, plane.around.rules);
    if (result.error == ErrorCode::kNone && !partition->is_leader()) {
        result.error = ErrorCode::kNotLeaderOrFollower;
    }
    if (result.error == ErrorCode::kNone) {
        const storage::EpochEndOffset end = partition->log.end_offset_for_epoch(asked.leader_epoch);
        result.leader_epoch = end.epoch;
        result.end_offset = end.end_offset;
    }
    return result;
}

}  // namespace

void handle_offset_for_leader_epoch(DataPlane& plane,
                                    const RequestHandle& from,
                                    const protocol::OffsetForLeaderEpochRequest& request) {
    protocol::OffsetForLeaderEpochResponse response;
    response.partitions.reserve(request.partitions.size());
    for (const protocol::OffsetForLeaderEpochPartition& asked : request.partitions) {
        response.partitions.push_back(answer_one(plane, asked));
    }
    plane.out.push_back({.to = from, .response = sim::make_message(std::move(response))});
}

}  // namespace klab::replication
