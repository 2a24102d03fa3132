// SPDX-License-Identifier: Apache-2.0
//
// The settings of a broker as the model uses them, with Kafka's names and defaults. Milliseconds
// and bytes are plain integers as written in Kafka's files; duration_of_ms turns the former into a
// length.
//
// Called by: broker, replication, storage, controller client.
// Kafka: KafkaConfig with ReplicationConfigs, KRaftConfigs, ServerConfigs, SocketServerConfigs.
// Simplified: only the settings the model acts on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/types/cleaner_config.h"
#include "model/types/settings.h"
#include "model/types/topic_config.h"
#include "sim/base/result.h"

namespace klab::types {

struct BrokerConfig {
    // Replication.

    /// replica.lag.time.max.ms: how long a follower may be not caught up and stay in the ISR. The
    /// ISR is checked every half of it.
    std::int64_t replica_lag_time_max_ms = 30'000;

    /// replica.fetch.wait.max.ms: how long a leader may hold a follower's fetch that finds nothing.
    std::int64_t replica_fetch_wait_max_ms = 500;

    /// replica.fetch.min.bytes: with this many bytes a follower's fetch is answered at once.
    std::int64_t replica_fetch_min_bytes = 1;

    /// replica.fetch.max.bytes: at most this much of one partition in a response (first batch
    /// exempt).
    std::int64_t replica_fetch_max_bytes = 1'048'576;

    /// replica.fetch.response.max.bytes: at most this much in one response (first batch exempt).
    std::int64_t replica_fetch_response_max_bytes = 10'485'760;

    /// replica.fetch.backoff.ms: pause after a fetch error, and of a fetcher that has nothing to
    /// do.
    std::int64_t replica_fetch_backoff_ms = 1'000;

    /// replica.socket.timeout.ms: a fetch without answer for so long counts as failed.
    std::int64_t replica_socket_timeout_ms = 30'000;

    /// num.replica.fetchers: fetcher threads for each source broker.
    std::int32_t num_replica_fetchers = 1;

    /// replica.high.watermark.checkpoint.interval.ms: period of writing the HW checkpoint file.
    std::int64_t replica_high_watermark_checkpoint_interval_ms = 5'000;

    // Membership.

    /// broker.heartbeat.interval.ms: between heartbeats to the controller, and between retries.
    std::int64_t broker_heartbeat_interval_ms = 2'000;

    /// broker.session.timeout.ms: known to the broker, enforced by the controller.
    std::int64_t broker_session_timeout_ms = 9'000;

    /// initial.broker.registration.timeout.ms: a broker not registered by then exits.
    std::int64_t initial_broker_registration_timeout_ms = 60'000;

    /// controlled.shutdown.enable: on `stop`, hand over leaderships first.
    bool controlled_shutdown_enable = true;

    /// controller.socket.timeout.ms: a request to the controller without answer for so long fails.
    std::int64_t controller_socket_timeout_ms = 30'000;

    /// request.timeout.ms of a broker towards others.
    std::int64_t request_timeout_ms = 30'000;

    // Requests.

    std::int32_t num_network_threads = 3;       ///< num.network.threads, for each listener
    std::int32_t num_io_threads = 8;            ///< num.io.threads: request handlers
    std::int32_t queued_max_requests = 500;     ///< queued.max.requests: then network threads block
    std::int64_t fetch_max_bytes = 57'671'680;  ///< fetch.max.bytes: cap on any fetch response

    // Topics.

    std::int32_t num_partitions = 1;              ///< num.partitions: default of a new topic
    std::int32_t default_replication_factor = 1;  ///< default.replication.factor

    // Log.

    /// log.dirs: where logs are kept, one or more absolute paths.
    std::vector<std::string> log_dirs = {"/data"};

    /// metadata.log.dir: the broker halts when this one fails. By default the first of log.dirs.
    std::string metadata_log_dir = "/data";

    /// log.dir.failure.timeout.ms: a broker that cannot tell the controller of a failed log
    /// directory for so long stops.
    std::int64_t log_dir_failure_timeout_ms = 30'000;

    /// log.flush.offset.checkpoint.interval.ms: period of writing the recovery-point checkpoint.
    std::int64_t log_flush_offset_checkpoint_interval_ms = 60'000;

    /// log.initial.task.delay.ms: first run of the periodic log tasks after start.
    std::int64_t log_initial_task_delay_ms = 30'000;

    /// log.retention.check.interval.ms: period of the look for segments to delete.
    std::int64_t log_retention_check_interval_ms = 300'000;

    /// producer.id.expiration.ms: a producer id unused for so long is forgotten.
    std::int64_t producer_id_expiration_ms = 86'400'000;

    /// producer.id.expiration.check.interval.ms: period of the look for producer ids to forget.
    std::int64_t producer_id_expiration_check_interval_ms = 600'000;

    CleanerConfig cleaner;  ///< log.cleaner.*

    /// What a topic gets that sets nothing itself.
    TopicConfig topic_defaults;

    friend bool operator==(const BrokerConfig&, const BrokerConfig&) = default;
};

/// A broker's configuration: the version's defaults, changed by `overrides` (settings of brokers
/// and controllers, which share one file in Kafka). Errors: every unknown name, bad value and
/// conflict, by name.
[[nodiscard]] Result<BrokerConfig, SettingErrors> make_broker_config(KafkaVersion version,
                                                                     const SettingMap& overrides);

}  // namespace klab::types
