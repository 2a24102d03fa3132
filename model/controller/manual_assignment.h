// SPDX-License-Identifier: Apache-2.0
//
// An assignment of replicas that an operator wrote down: may it be, and which of its replicas are
// active now.
//
// Called by: topic_creation.cc, partition_creation.cc, reassignment.cc.
// Kafka: ReplicationControlManager.validateManualPartitionAssignment.
#pragma once

#include <optional>
#include <string>

#include "model/controller/controller_state.h"

namespace klab::controller {

/// What is wrong with the replicas of one partition, for people: none, twice the same, one that is
/// not registered, or another number than `replication_factor`, if that is given. Nothing when all
/// is well; fenced brokers may be assigned.
[[nodiscard]] std::optional<std::string> check_assignment(
    const ControllerView& view,
    const metadata::BrokerIds& replicas,
    std::optional<std::size_t> replication_factor);

/// Those of the replicas that may be in an ISR now, in the same order.
[[nodiscard]] metadata::BrokerIds active_of(const ControllerView& view,
                                            const metadata::BrokerIds& replicas);

}  // namespace klab::controller
