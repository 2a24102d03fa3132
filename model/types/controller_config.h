// SPDX-License-Identifier: Apache-2.0
//
// The settings of a KRaft controller as the model uses them.
//
// Called by: controller, raft, metadata.
// Kafka: KRaftConfigs, QuorumConfig, ReplicationConfigs, as passed to QuorumController.Builder.
// Simplified: only the settings the model acts on.
#pragma once

#include <cstdint>

#include "model/types/settings.h"
#include "model/types/topic_config.h"
#include "sim/base/result.h"

namespace klab::types {

struct ControllerConfig {
    /// broker.session.timeout.ms: a broker silent for longer is fenced. Checked every eighth of it.
    std::int64_t broker_session_timeout_ms = 9'000;

    /// broker.heartbeat.interval.ms: half of it is the deadline of a heartbeat in the event queue.
    std::int64_t broker_heartbeat_interval_ms = 2'000;

    /// unclean.leader.election.interval.ms: period of looking for leaderless partitions that may
    /// get an unclean leader.
    std::int64_t unclean_leader_election_interval_ms = 300'000;

    bool auto_leader_rebalance_enable = true;  ///< auto.leader.rebalance.enable

    /// leader.imbalance.check.interval.seconds: period of the preferred leader election.
    std::int64_t leader_imbalance_check_interval_seconds = 300;

    /// metadata.max.idle.interval.ms: a NoOp record is written when nothing else was. 0: never.
    std::int64_t metadata_max_idle_interval_ms = 500;

    // Quorum. With one voter only append.linger.ms has an effect.

    std::int64_t quorum_election_timeout_ms = 1'000;  ///< controller.quorum.election.timeout.ms
    std::int64_t quorum_fetch_timeout_ms = 2'000;     ///< controller.quorum.fetch.timeout.ms
    std::int64_t quorum_election_backoff_max_ms =
        1'000;                                       ///< controller.quorum.election.backoff.max.ms
    std::int64_t quorum_append_linger_ms = 25;       ///< controller.quorum.append.linger.ms
    std::int64_t quorum_request_timeout_ms = 2'000;  ///< controller.quorum.request.timeout.ms
    std::int64_t quorum_retry_backoff_ms = 20;       ///< controller.quorum.retry.backoff.ms

    /// metadata.log.segment.bytes: the metadata log rolls like any log.
    std::int64_t metadata_log_segment_bytes = 1'073'741'824;

    std::int32_t num_partitions = 1;  ///< num.partitions, for CreateTopics without a count
    std::int32_t default_replication_factor = 1;  ///< default.replication.factor

    /// What a topic gets that sets nothing itself (min ISR and unclean election matter here).
    TopicConfig topic_defaults;

    friend bool operator==(const ControllerConfig&, const ControllerConfig&) = default;
};

/// As make_broker_config, with the same kind of map.
[[nodiscard]] Result<ControllerConfig, SettingErrors> make_controller_config(
    KafkaVersion version, const SettingMap& overrides);

}  // namespace klab::types
