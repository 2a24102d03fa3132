// SPDX-License-Identifier: Apache-2.0
//
// See alter_partition_outcome.h.
#include "model/replication/alter_partition_outcome.h"

namespace klab::replication {

AlterPartitionStep decide_alter_partition_step(const protocol::AlterPartitionResult& answer,
                                               const LeaderEpochs& own) {
    using types::ErrorCode;
    if (answer.error == ErrorCode::kNone) {
        const bool outdated =
            answer.leader_epoch != own.leader_epoch || answer.partition_epoch < own.partition_epoch;
        return outdated ? AlterPartitionStep::kWaitForMetadata : AlterPartitionStep::kCommit;
    }
    const ErrorCode error = answer.error;
    if (error == ErrorCode::kOperationNotAttempted || error == ErrorCode::kIneligibleReplica) {
        return AlterPartitionStep::kRevert;
    }
    if (error == ErrorCode::kUnknownTopicOrPartition || error == ErrorCode::kUnknownTopicId ||
        error == ErrorCode::kFencedLeaderEpoch || error == ErrorCode::kInvalidUpdateVersion ||
        error == ErrorCode::kInvalidRequest || error == ErrorCode::kNewLeaderElected) {
        return AlterPartitionStep::kWaitForMetadata;
    }
    return AlterPartitionStep::kRetry;
}

}  // namespace klab::replication
