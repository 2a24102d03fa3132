// SPDX-License-Identifier: Apache-2.0
//
// The record of a partition that is being made: ISR and leader come from the replicas that are
// active now.
//
// Called by: topic_creation.cc, partition_creation.cc.
// Kafka: ReplicationControlManager.buildPartitionRegistration; KIP-858.
#pragma once

#include "model/controller/controller_state.h"

namespace klab::controller {

/// Requires: at least one of the replicas is active.
[[nodiscard]] metadata::PartitionRecord make_partition_record(const ControllerView& view,
                                                              const types::Uuid& topic_id,
                                                              std::int32_t index,
                                                              const metadata::BrokerIds& replicas);

/// Where a new replica goes: a broker with one directory has it assigned at once; else it chooses
/// and tells later.
[[nodiscard]] types::Uuid default_directory(const ControllerView& view, types::BrokerId broker);

}  // namespace klab::controller
