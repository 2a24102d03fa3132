// SPDX-License-Identifier: Apache-2.0
//
// See consumer_config.h.
#include "model/types/consumer_config.h"

#include "model/types/config_reader.h"

namespace klab::types {

namespace {

OffsetReset reset_of(const std::string& text) {
    if (text == "earliest") {
        return OffsetReset::kEarliest;
    }
    return text == "none" ? OffsetReset::kNone : OffsetReset::kLatest;
}

}  // namespace

Result<ConsumerConfig, SettingErrors> make_consumer_config(KafkaVersion version,
                                                           const SettingMap& overrides) {
    ConfigReader reader({Where::kConsumer}, version, overrides);
    ConsumerConfig config;
    config.auto_offset_reset = reset_of(reader.text("auto.offset.reset"));
    config.isolation_level = reader.text("isolation.level") == "read_committed"
                                 ? IsolationLevel::kReadCommitted
                                 : IsolationLevel::kReadUncommitted;
    config.fetch_min_bytes = reader.integer("fetch.min.bytes");
    config.fetch_max_wait_ms = reader.integer("fetch.max.wait.ms");
    config.fetch_max_bytes = reader.integer("fetch.max.bytes");
    config.max_partition_fetch_bytes = reader.integer("max.partition.fetch.bytes");
    config.max_poll_records = reader.count("max.poll.records");
    config.check_crcs = reader.flag("check.crcs");
    config.request_timeout_ms = reader.pause("request.timeout.ms");
    config.default_api_timeout_ms = reader.integer("default.api.timeout.ms");
    config.retry_backoff_ms = reader.pause("retry.backoff.ms");
    config.retry_backoff_max_ms = reader.retry_backoff_max();
    config.reconnect_backoff_ms = reader.pause("reconnect.backoff.ms");
    config.reconnect_backoff_max_ms = reader.reconnect_backoff_max();
    config.metadata_max_age_ms = reader.pause("metadata.max.age.ms");
    config.connection_setup_timeout_ms = reader.integer("socket.connection.setup.timeout.ms");
    config.connection_setup_timeout_max_ms =
        reader.integer("socket.connection.setup.timeout.max.ms");
    return std::move(reader).finish(config);
}

}  // namespace klab::types
