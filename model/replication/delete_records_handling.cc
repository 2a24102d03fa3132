// SPDX-License-Identifier: Apache-2.0
//
// See delete_records_handling.h.
#include "model/replication/delete_records_handling.h"

#include <array>
#include <string_view>
#include <utility>

#include "model/replication/delayed_delete_records.h"
#include "model/replication/log_events.h"
#include "model/replication/low_watermark.h"

namespace klab::replication {

using protocol::DeleteRecordsPartition;
using protocol::DeleteRecordsRequest;
using types::ErrorCode;

namespace {

/// Kafka: Topic.isInternal.
bool is_internal(std::string_view topic) {
    constexpr std::array<std::string_view, 3> kInternal = {
        "__consumer_offsets", "__transaction_state", "__share_group_state"};
    for (const std::string_view name : kInternal) {
        if (name == topic) {
            return true;
        }
    }
    return false;
}

/// Why the leader's log start may not rise to this offset, before the log itself is asked.
ErrorCode check_deletion(const Partition& partition, const DeleteRecordsPartition& asked) {
    if (!partition.is_leader()) {
        return ErrorCode::kNotLeaderOrFollower;
    }
    if (!partition.log.config().deletes_old) {
        return ErrorCode::kPolicyViolation;
    }
    const bool is_negative = asked.offset && *asked.offset < types::Offset(0);
    return is_negative ? ErrorCode::kOffsetOutOfRange : ErrorCode::kNone;
}

/// Raises the log start. The result is as Kafka answers it at once; `pending` when the low
/// watermark is not there yet.
ParkedDeletionPart delete_on_leader(DataPlane& plane, const DeleteRecordsPartition& asked) {
    ParkedDeletionPart part;
    part.result.partition = asked.partition;
    part.because = plane.ctx.cause();
    part.trace_name = trace_name_of(plane.ctx, asked.partition);
    const auto fail = [&](ErrorCode error) {
        part.result.error = error;
        return part;
    };
    const auto key = plane.key_of(asked.partition);
    if (!key || plane.around.image.partition(*key) == nullptr) {
        return fail(ErrorCode::kUnknownTopicOrPartition);
    }
    if (is_internal(asked.partition.topic)) {
        return fail(ErrorCode::kInvalidTopicException);
    }
    Partition* partition = plane.find_for_write(*key);
    if (partition == nullptr) {
        return fail(plane.error_of_absent(key));
    }
    part.key = *key;
    if (const ErrorCode error = check_deletion(*partition, asked); error != ErrorCode::kNone) {
        return fail(error);
    }
    part.required = asked.offset.value_or(partition->log.high_watermark());
    const types::Offset before = partition->log.log_start_offset();
    const auto raised = partition->log.raise_log_start(plane.ctx, part.required);
    if (!raised) {
        return fail(raised.error());
    }
    if (*raised) {
        part.because = emit_log_start_raised(plane.ctx,
                                             *partition,
                                             before,
                                             LogStartReason::kClientRecordDeletion,
                                             plane.ctx.cause());
    }
    part.result.low_watermark = low_watermark(*partition, plane.around.image);
    part.pending = part.result.low_watermark < part.required;
    return part;
}

}  // namespace

void handle_delete_records(DataPlane& plane,
                           const RequestHandle& from,
                           const DeleteRecordsRequest& request) {
    ParkedDeletion deletion;
    deletion.from = from;
    deletion.parts.reserve(request.partitions.size());
    bool must_wait = false;
    for (const DeleteRecordsPartition& asked : request.partitions) {
        deletion.parts.push_back(delete_on_leader(plane, asked));
        must_wait = must_wait || deletion.parts.back().pending;
    }
    if (must_wait) {
        park_deletion(plane, std::move(deletion), milliseconds(request.timeout_ms));
    } else {
        answer_deletion(plane, deletion, plane.ctx.cause());
    }
}

}  // namespace klab::replication
