// SPDX-License-Identifier: Apache-2.0
//
// See producer_config.h.
#include "model/types/producer_config.h"

#include <algorithm>
#include <limits>

#include "model/types/config_reader.h"

namespace klab::types {

namespace {

/// The broker remembers five batches of a producer, so more in flight could not be told apart.
constexpr std::int32_t kMaxInFlightWithIdempotence = 5;

Acks acks_of(const std::string& text) {
    if (text == "0") {
        return Acks::kNone;
    }
    return text == "1" ? Acks::kLeader : Acks::kAll;
}

/// One reason against idempotence: a conflict if the user asked for it, else it goes off silently.
void rule_out(ConfigReader& reader,
              ProducerConfig& config,
              std::string_view name,
              std::string rule) {
    if (reader.given("enable.idempotence")) {
        reader.conflict(name, std::move(rule));
    } else {
        config.enable_idempotence = false;
    }
}

/// KIP-98, KIP-679: what idempotence needs.
void settle_idempotence(ConfigReader& reader, ProducerConfig& config) {
    if (!config.enable_idempotence) {
        return;
    }
    if (config.retries == 0) {
        rule_out(reader, config, "retries", "enable.idempotence needs retries above 0");
    }
    if (config.acks != Acks::kAll) {
        rule_out(reader, config, "acks", "enable.idempotence needs acks=all");
    }
    if (config.max_in_flight > kMaxInFlightWithIdempotence) {
        constexpr std::string_view kName = "max.in.flight.requests.per.connection";
        std::string rule = "enable.idempotence allows at most 5";
        // Since 4.0 an error even if idempotence is only on by default.
        if (info(reader.version()).release >= Release{4, 0}) {
            reader.conflict(kName, std::move(rule));
        } else {
            rule_out(reader, config, kName, std::move(rule));
        }
    }
}

/// delivery.timeout.ms must leave room for one lingering and one request. The default is raised, an
/// explicit value refused.
void settle_delivery_timeout(ConfigReader& reader, ProducerConfig& config) {
    constexpr std::int64_t kMaxInt = std::numeric_limits<std::int32_t>::max();
    const std::int64_t linger = std::min(config.linger_ms, kMaxInt);
    const std::int64_t needed = std::min(linger + config.request_timeout_ms, kMaxInt);
    if (config.delivery_timeout_ms >= needed) {
        return;
    }
    if (reader.given("delivery.timeout.ms")) {
        reader.conflict("delivery.timeout.ms",
                        "it must be at least linger.ms + request.timeout.ms");
    } else {
        config.delivery_timeout_ms = needed;
    }
}

}  // namespace

Result<ProducerConfig, SettingErrors> make_producer_config(KafkaVersion version,
                                                           const SettingMap& overrides) {
    ConfigReader reader({Where::kProducer}, version, overrides);
    ProducerConfig config;
    config.acks = acks_of(reader.text("acks"));
    config.enable_idempotence = reader.flag("enable.idempotence");
    config.retries = reader.count("retries");
    config.max_in_flight = reader.count("max.in.flight.requests.per.connection");
    config.batch_size = reader.integer("batch.size");
    config.compression = find_codec(reader.text("compression.type")).value_or(Codec::kNone);
    config.linger_ms = reader.integer("linger.ms");
    config.buffer_memory_bytes = reader.integer("buffer.memory");
    config.max_block_ms = reader.integer("max.block.ms");
    config.max_request_bytes = reader.integer("max.request.size");
    config.request_timeout_ms = reader.pause("request.timeout.ms");
    config.delivery_timeout_ms = reader.integer("delivery.timeout.ms");
    config.retry_backoff_ms = reader.pause("retry.backoff.ms");
    config.retry_backoff_max_ms = reader.retry_backoff_max();
    config.reconnect_backoff_ms = reader.pause("reconnect.backoff.ms");
    config.reconnect_backoff_max_ms = reader.reconnect_backoff_max();
    config.metadata_max_age_ms = reader.pause("metadata.max.age.ms");
    config.connection_setup_timeout_ms = reader.integer("socket.connection.setup.timeout.ms");
    config.connection_setup_timeout_max_ms =
        reader.integer("socket.connection.setup.timeout.max.ms");
    config.partitioner_adaptive = reader.flag("partitioner.adaptive.partitioning.enable");
    config.partitioner_ignore_keys = reader.flag("partitioner.ignore.keys");
    settle_idempotence(reader, config);
    settle_delivery_timeout(reader, config);
    return std::move(reader).finish(config);
}

}  // namespace klab::types
