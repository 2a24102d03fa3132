// SPDX-License-Identifier: Apache-2.0
//
// See topic_config.h.
#include "model/types/topic_config.h"

#include "model/types/config_reader.h"

namespace klab::types {

namespace {

/// log.roll.ms, else log.roll.hours.
std::int64_t broker_segment_ms(const ConfigReader& broker) {
    constexpr std::int64_t kHourMs = 3'600'000;
    return broker.optional_integer("log.roll.ms")
        .value_or(broker.integer("log.roll.hours") * kHourMs);
}

MessageTimestampType timestamp_type_of(const std::string& text) {
    return text == "LogAppendTime" ? MessageTimestampType::kLogAppendTime
                                   : MessageTimestampType::kCreateTime;
}

void override_timestamps(const ConfigReader& reader, TopicConfig& config) {
    if (reader.given("message.timestamp.type")) {
        config.message_timestamp_type = timestamp_type_of(reader.text("message.timestamp.type"));
    }
    if (reader.given("message.timestamp.before.max.ms")) {
        config.message_timestamp_before_max_ms =
            reader.unless_never("message.timestamp.before.max.ms");
    }
    if (reader.given("message.timestamp.after.max.ms")) {
        config.message_timestamp_after_max_ms =
            reader.unless_never("message.timestamp.after.max.ms");
    }
}

}  // namespace

Result<TopicConfig, SettingErrors> make_topic_config(KafkaVersion version,
                                                     const TopicConfig& defaults,
                                                     const SettingMap& overrides) {
    ConfigReader reader({Where::kTopic}, version, overrides);
    TopicConfig config = defaults;
    if (reader.given("min.insync.replicas")) {
        config.min_insync_replicas = reader.count("min.insync.replicas");
    }
    if (reader.given("unclean.leader.election.enable")) {
        config.unclean_leader_election_enable = reader.flag("unclean.leader.election.enable");
    }
    if (reader.given("segment.bytes")) {
        config.segment_bytes = reader.integer("segment.bytes");
    }
    if (reader.given("internal.segment.bytes")) {
        config.segment_bytes =
            reader.optional_integer("internal.segment.bytes").value_or(config.segment_bytes);
    }
    if (reader.given("segment.ms")) {
        config.segment_ms = reader.integer("segment.ms");
    }
    if (reader.given("max.message.bytes")) {
        config.max_message_bytes = reader.integer("max.message.bytes");
    }
    if (reader.given("flush.messages")) {
        config.flush_messages = reader.unless_never("flush.messages");
    }
    override_timestamps(reader, config);
    return std::move(reader).finish(config);
}

TopicConfig topic_defaults_of(KafkaVersion version, const SettingMap& broker_overrides) {
    const ConfigReader broker({Where::kBroker, Where::kController}, version, broker_overrides);
    TopicConfig config;
    config.min_insync_replicas = broker.count("min.insync.replicas");
    config.unclean_leader_election_enable = broker.flag("unclean.leader.election.enable");
    config.segment_bytes = broker.integer("log.segment.bytes");
    config.max_message_bytes = broker.integer("message.max.bytes");
    config.flush_messages = broker.unless_never("log.flush.interval.messages");
    config.segment_ms = broker_segment_ms(broker);
    config.message_timestamp_type = timestamp_type_of(broker.text("log.message.timestamp.type"));
    config.message_timestamp_before_max_ms =
        broker.unless_never("log.message.timestamp.before.max.ms");
    config.message_timestamp_after_max_ms =
        broker.unless_never("log.message.timestamp.after.max.ms");
    return config;
}

}  // namespace klab::types
