// SPDX-License-Identifier: Apache-2.0
//
// CreateTopics: which topics may be made, and the records that make them. ISR and leader of a new
// partition are taken from the replicas that are active now.
//
// Called by: request_dispatch.cc.
// Kafka: ReplicationControlManager.createTopics, ControllerApis.createTopics.
// Simplified: no policies, no mutation quota, no validateOnly.
#pragma once

#include <functional>

#include "model/controller/controller_state.h"
#include "model/controller/decision.h"
#include "model/controller/striped_replica_placer.h"
#include "model/protocol/topic_admin.h"

namespace klab::controller {

/// At most so many partitions in one request.
inline constexpr std::int64_t kPartitionsPerRequestMax = 10'000;

/// Makes the id of a new topic.
// tidy: allow(std-function): argument of one call, never stored
using TopicIdSource = std::function<types::Uuid()>;

/// One result for each topic asked for, in that order. Errors: kPolicyViolation for all of them
/// when there are too many partitions; else each for itself kInvalidRequest,
/// kInvalidTopicException, kTopicAlreadyExists, kInvalidConfig, kInvalidReplicationFactor,
/// kInvalidPartitions, kInvalidReplicaAssignment.
[[nodiscard]] Decision<protocol::CreateTopicsResponse> decide_create_topics(
    const ControllerView& view,
    const protocol::CreateTopicsRequest& request,
    PlacementRandom& random,
    const TopicIdSource& new_topic_id);

/// Registered brokers that are not shutting down, ascending by id.
[[nodiscard]] std::vector<UsableBroker> usable_brokers(const ControllerView& view);

}  // namespace klab::controller
