// SPDX-License-Identifier: Apache-2.0
//
// See broker_config.h. Kafka: KafkaConfig.validateValues for the conflicts.
#include "model/types/broker_config.h"

#include <algorithm>

#include "model/types/config_reader.h"
#include "model/types/log_dirs.h"

namespace klab::types {

namespace {

void read_replication(const ConfigReader& reader, BrokerConfig& config) {
    config.replica_lag_time_max_ms = reader.integer("replica.lag.time.max.ms");
    config.replica_fetch_wait_max_ms = reader.integer("replica.fetch.wait.max.ms");
    config.replica_fetch_min_bytes = reader.integer("replica.fetch.min.bytes");
    config.replica_fetch_max_bytes = reader.integer("replica.fetch.max.bytes");
    config.replica_fetch_response_max_bytes = reader.integer("replica.fetch.response.max.bytes");
    config.replica_fetch_backoff_ms = reader.pause("replica.fetch.backoff.ms");
    config.replica_socket_timeout_ms = reader.integer("replica.socket.timeout.ms");
    config.num_replica_fetchers = reader.count("num.replica.fetchers");
    config.replica_high_watermark_checkpoint_interval_ms =
        reader.integer("replica.high.watermark.checkpoint.interval.ms");
}

void read_membership(const ConfigReader& reader, BrokerConfig& config) {
    config.broker_heartbeat_interval_ms = reader.integer("broker.heartbeat.interval.ms");
    config.broker_session_timeout_ms = reader.integer("broker.session.timeout.ms");
    config.initial_broker_registration_timeout_ms =
        reader.integer("initial.broker.registration.timeout.ms");
    config.controlled_shutdown_enable = reader.flag("controlled.shutdown.enable");
    config.controller_socket_timeout_ms = reader.integer("controller.socket.timeout.ms");
    config.request_timeout_ms = reader.integer("request.timeout.ms");
}

void read_requests_and_topics(const ConfigReader& reader, BrokerConfig& config) {
    config.num_network_threads = reader.count("num.network.threads");
    config.num_io_threads = reader.count("num.io.threads");
    config.queued_max_requests = reader.count("queued.max.requests");
    config.fetch_max_bytes = reader.integer("fetch.max.bytes");
    config.num_partitions = reader.count("num.partitions");
    config.default_replication_factor = reader.count("default.replication.factor");
}

void read_log(const ConfigReader& reader, BrokerConfig& config) {
    if (const auto directories = reader.optional_text("log.dirs")) {
        config.log_dirs = split_log_dirs(*directories);
    }
    if (!config.log_dirs.empty()) {
        config.metadata_log_dir =
            reader.optional_text("metadata.log.dir").value_or(config.log_dirs.front());
    }
    config.log_dir_failure_timeout_ms = reader.integer("log.dir.failure.timeout.ms");
    config.log_flush_offset_checkpoint_interval_ms =
        reader.integer("log.flush.offset.checkpoint.interval.ms");
    config.log_initial_task_delay_ms = reader.integer("log.initial.task.delay.ms");
    config.log_retention_check_interval_ms = reader.integer("log.retention.check.interval.ms");
    config.producer_id_expiration_ms = reader.integer("producer.id.expiration.ms");
    config.producer_id_expiration_check_interval_ms =
        reader.integer("producer.id.expiration.check.interval.ms");
}

void check_log_dirs(ConfigReader& reader, const BrokerConfig& config) {
    if (const auto problem = problem_with(config.log_dirs)) {
        reader.conflict("log.dirs", std::string(*problem));
        return;
    }
    // It may be one of log.dirs, or another that lies apart from them.
    std::vector<std::string> all = config.log_dirs;
    if (std::ranges::find(all, config.metadata_log_dir) == all.end()) {
        all.push_back(config.metadata_log_dir);
    }
    if (const auto problem = problem_with(all)) {
        reader.conflict("metadata.log.dir", std::string(*problem));
    }
}

void check_conflicts(ConfigReader& reader, const BrokerConfig& config) {
    check_log_dirs(reader, config);
    if (contradicts_lags(config.topic_defaults)) {
        reader.conflict("log.cleaner.min.compaction.lag.ms",
                        "it must not exceed log.cleaner.max.compaction.lag.ms");
    }
    if (config.replica_fetch_wait_max_ms > config.replica_socket_timeout_ms) {
        reader.conflict("replica.fetch.wait.max.ms",
                        "it must not exceed replica.socket.timeout.ms");
    }
    if (config.replica_fetch_wait_max_ms > config.replica_lag_time_max_ms) {
        reader.conflict("replica.fetch.wait.max.ms",
                        "it must not exceed replica.lag.time.max.ms, or the ISR would flap");
    }
}

}  // namespace

Result<BrokerConfig, SettingErrors> make_broker_config(KafkaVersion version,
                                                       const SettingMap& overrides) {
    ConfigReader reader({Where::kBroker, Where::kController}, version, overrides);
    BrokerConfig config;
    read_replication(reader, config);
    read_membership(reader, config);
    read_requests_and_topics(reader, config);
    read_log(reader, config);
    config.cleaner = read_cleaner_config(reader);
    config.topic_defaults = topic_defaults_of(version, overrides);
    check_conflicts(reader, config);
    return std::move(reader).finish(config);
}

}  // namespace klab::types
