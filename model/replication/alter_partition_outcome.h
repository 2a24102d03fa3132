// SPDX-License-Identifier: Apache-2.0
//
// What a leader does with the controller's answer to its ISR proposal.
//
//     answer                                                    step
//     OK, other leader epoch, or an older partition epoch       kWaitForMetadata
//     OK, same or newer partition epoch                         kCommit
//     OPERATION_NOT_ATTEMPTED, INELIGIBLE_REPLICA               kRevert
//     UNKNOWN_TOPIC_*, FENCED_LEADER_EPOCH,
//     INVALID_UPDATE_VERSION, INVALID_REQUEST,
//     NEW_LEADER_ELECTED                                        kWaitForMetadata
//     anything else                                             kRetry
//
// kWaitForMetadata leaves the proposal pending: the leader's picture is out of date, and metadata
// on their way will replace it. Until then it may not assume that the proposal was refused.
//
// Owns: the decision.
// Called by: partition.cc. Kafka: Partition.handleAlterPartitionUpdate, handleAlterPartitionError.
// KIP-497
#pragma once

#include <cstdint>

#include "model/protocol/alter_partition.h"
#include "model/types/kafka_ids.h"

namespace klab::replication {

enum class AlterPartitionStep : std::uint8_t {
    kCommit,           ///< the answer's ISR is in force
    kRevert,           ///< refused: back to the committed ISR; a later fetch or check may try again
    kWaitForMetadata,  ///< stays pending until new metadata arrive
    kRetry,            ///< the same proposal once more
};

/// The epochs of the leader when the answer arrives.
struct LeaderEpochs {
    types::LeaderEpoch leader_epoch;
    types::PartitionEpoch partition_epoch;
};

[[nodiscard]] AlterPartitionStep decide_alter_partition_step(
    const protocol::AlterPartitionResult& answer, const LeaderEpochs& own);

}  // namespace klab::replication
