// SPDX-License-Identifier: Apache-2.0
//
// See topic_config.h.
#include "model/types/topic_config.h"

#include <fmt/format.h>

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

/// log.roll.jitter.ms, else log.roll.jitter.hours.
std::int64_t broker_jitter_ms(const ConfigReader& broker) {
    constexpr std::int64_t kHourMs = 3'600'000;
    return broker.optional_integer("log.roll.jitter.ms")
        .value_or(broker.integer("log.roll.jitter.hours") * kHourMs);
}

/// -1 is "no limit".
std::optional<std::int64_t> unless_unlimited(std::int64_t value) {
    return value < 0 ? std::nullopt : std::optional(value);
}

/// log.retention.ms, else .minutes, else .hours. Any negative number is "never".
std::optional<std::int64_t> broker_retention_ms(const ConfigReader& broker) {
    constexpr std::int64_t kMinuteMs = 60'000;
    if (const auto ms = broker.optional_integer("log.retention.ms")) {
        return unless_unlimited(*ms);
    }
    if (const auto minutes = broker.optional_integer("log.retention.minutes")) {
        return unless_unlimited(*minutes * kMinuteMs);
    }
    return unless_unlimited(broker.integer("log.retention.hours") * 60 * kMinuteMs);
}

void override_segments(const ConfigReader& reader, TopicConfig& config) {
    if (reader.given("index.interval.bytes")) {
        config.index_interval_bytes = reader.integer("index.interval.bytes");
    }
    if (reader.given("segment.index.bytes")) {
        config.segment_index_bytes = reader.integer("segment.index.bytes");
    }
    if (reader.given("segment.jitter.ms")) {
        config.segment_jitter_ms = reader.integer("segment.jitter.ms");
    }
    if (reader.given("preallocate")) {
        config.preallocate = reader.flag("preallocate");
    }
}

void override_retention(const ConfigReader& reader, TopicConfig& config) {
    if (reader.given("file.delete.delay.ms")) {
        config.file_delete_delay_ms = reader.integer("file.delete.delay.ms");
    }
    if (reader.given("retention.ms")) {
        config.retention_ms = unless_unlimited(reader.integer("retention.ms"));
    }
    if (reader.given("retention.bytes")) {
        config.retention_bytes = unless_unlimited(reader.integer("retention.bytes"));
    }
}

/// What a broker says about segments and their deletion.
void read_segments(const ConfigReader& broker, TopicConfig& config) {
    config.index_interval_bytes = broker.integer("log.index.interval.bytes");
    config.segment_index_bytes = broker.integer("log.index.size.max.bytes");
    config.segment_jitter_ms = broker_jitter_ms(broker);
    config.preallocate = broker.flag("log.preallocate");
    config.file_delete_delay_ms = broker.integer("log.segment.delete.delay.ms");
    config.retention_ms = broker_retention_ms(broker);
    config.retention_bytes = unless_unlimited(broker.integer("log.retention.bytes"));
}

/// Is `word` one of the elements of a list?
bool has_word(const std::string& words, std::string_view word) {
    return fmt::format(",{},", words).find(fmt::format(",{},", word)) != std::string::npos;
}

void set_cleanup_policy(TopicConfig& config, const std::string& words) {
    config.cleanup_compact = has_word(words, "compact");
    config.cleanup_delete = has_word(words, "delete");
}

void override_compaction(const ConfigReader& reader, TopicConfig& config) {
    if (reader.given("cleanup.policy")) {
        set_cleanup_policy(config, reader.text("cleanup.policy"));
    }
    if (reader.given("min.cleanable.dirty.ratio")) {
        config.min_cleanable_dirty_ratio = reader.billionths("min.cleanable.dirty.ratio");
    }
    if (reader.given("min.compaction.lag.ms")) {
        config.min_compaction_lag_ms = reader.integer("min.compaction.lag.ms");
    }
    if (reader.given("max.compaction.lag.ms")) {
        config.max_compaction_lag_ms = reader.unless_never("max.compaction.lag.ms");
    }
    if (reader.given("delete.retention.ms")) {
        config.delete_retention_ms = reader.integer("delete.retention.ms");
    }
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

/// The cleaner's settings among the topic defaults of a broker.
void read_compaction(const ConfigReader& broker, TopicConfig& config) {
    set_cleanup_policy(config, broker.text("log.cleanup.policy"));
    config.min_cleanable_dirty_ratio = broker.billionths("log.cleaner.min.cleanable.ratio");
    config.min_compaction_lag_ms = broker.integer("log.cleaner.min.compaction.lag.ms");
    config.max_compaction_lag_ms = broker.unless_never("log.cleaner.max.compaction.lag.ms");
    config.delete_retention_ms = broker.integer("log.cleaner.delete.retention.ms");
}

}  // namespace

bool contradicts_lags(const TopicConfig& config) {
    return config.max_compaction_lag_ms &&
           config.min_compaction_lag_ms > *config.max_compaction_lag_ms;
}

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
    if (reader.given("compression.type")) {
        config.compression = find_codec(reader.text("compression.type"));
    }
    if (reader.given("flush.messages")) {
        config.flush_messages = reader.unless_never("flush.messages");
    }
    override_segments(reader, config);
    override_retention(reader, config);
    override_timestamps(reader, config);
    override_compaction(reader, config);
    if (contradicts_lags(config)) {
        reader.conflict("min.compaction.lag.ms", "it must not exceed max.compaction.lag.ms");
    }
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
    config.compression = find_codec(broker.text("compression.type"));
    config.segment_ms = broker_segment_ms(broker);
    read_segments(broker, config);
    config.message_timestamp_type = timestamp_type_of(broker.text("log.message.timestamp.type"));
    config.message_timestamp_before_max_ms =
        broker.unless_never("log.message.timestamp.before.max.ms");
    config.message_timestamp_after_max_ms =
        broker.unless_never("log.message.timestamp.after.max.ms");
    read_compaction(broker, config);
    return config;
}

}  // namespace klab::types
