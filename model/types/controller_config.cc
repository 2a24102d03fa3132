// SPDX-License-Identifier: Apache-2.0
//
// See controller_config.h.
#include "model/types/controller_config.h"

#include "model/types/config_reader.h"

namespace klab::types {

Result<ControllerConfig, SettingErrors> make_controller_config(KafkaVersion version,
                                                               const SettingMap& overrides) {
    ConfigReader reader({Where::kController, Where::kBroker}, version, overrides);
    ControllerConfig config;
    config.broker_session_timeout_ms = reader.integer("broker.session.timeout.ms");
    config.broker_heartbeat_interval_ms = reader.integer("broker.heartbeat.interval.ms");
    config.unclean_leader_election_interval_ms =
        reader.integer("unclean.leader.election.interval.ms");
    config.auto_leader_rebalance_enable = reader.flag("auto.leader.rebalance.enable");
    config.leader_imbalance_check_interval_seconds =
        reader.integer("leader.imbalance.check.interval.seconds");
    config.metadata_max_idle_interval_ms = reader.integer("metadata.max.idle.interval.ms");
    config.quorum_election_timeout_ms = reader.integer("controller.quorum.election.timeout.ms");
    config.quorum_fetch_timeout_ms = reader.integer("controller.quorum.fetch.timeout.ms");
    config.quorum_election_backoff_max_ms =
        reader.integer("controller.quorum.election.backoff.max.ms");
    config.quorum_append_linger_ms = reader.integer("controller.quorum.append.linger.ms");
    config.quorum_request_timeout_ms = reader.integer("controller.quorum.request.timeout.ms");
    config.quorum_retry_backoff_ms = reader.integer("controller.quorum.retry.backoff.ms");
    config.metadata_log_segment_bytes = reader.integer("metadata.log.segment.bytes");
    config.num_partitions = reader.count("num.partitions");
    config.default_replication_factor = reader.count("default.replication.factor");
    config.topic_defaults = topic_defaults_of(version, overrides);
    return std::move(reader).finish(config);
}

}  // namespace klab::types
