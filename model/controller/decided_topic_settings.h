// SPDX-License-Identifier: Apache-2.0
//
// The two topic settings that the controller itself obeys: the topic's own value, else the dynamic
// default of the cluster, else the static configuration.
//
// Called by: isr_updates.cc, alter_partition_decision.cc, leader_elections.cc.
// Kafka: ConfigurationControlManager.getTopicConfig, ReplicationControlManager
// .getTopicEffectiveMinIsr.
// Simplified: dynamic settings of the controller's own node id are not looked at.
#pragma once

#include "model/controller/controller_state.h"

namespace klab::controller {

/// min(min.insync.replicas, replicas of partition 0). 1 for a topic without partitions.
[[nodiscard]] std::int32_t effective_min_isr(const ControllerView& view,
                                             const metadata::TopicImage& topic);

/// May the controller by itself elect a leader from outside the ISR?
/// unclean.leader.election.enable, in versions in which KRaft obeys it (KAFKA-12670).
[[nodiscard]] bool unclean_election_enabled(const ControllerView& view,
                                            const metadata::TopicImage& topic);

}  // namespace klab::controller
