// SPDX-License-Identifier: Apache-2.0
//
// See topic_settings.h.
#include "model/replication/topic_settings.h"

#include <algorithm>
#include <limits>

#include "model/types/model_data.h"

namespace klab::replication {

namespace {

std::int32_t saturate(std::int64_t value) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, 0, kMost));
}

storage::TimestampType timestamp_type_of(types::MessageTimestampType type) {
    switch (type) {
        case types::MessageTimestampType::kCreateTime:
            return storage::TimestampType::kCreateTime;
        case types::MessageTimestampType::kLogAppendTime:
            return storage::TimestampType::kLogAppendTime;
    }
    return storage::TimestampType::kCreateTime;
}

/// What a topic gets that sets nothing itself.
types::TopicConfig topic_defaults(const DataPlane& plane) {
    const metadata::ConfigMap& dynamic =
        plane.around.image.configs_of({metadata::ConfigResourceKind::kBroker, ""});
    if (dynamic.empty()) {
        return plane.options.config.topic_defaults;
    }
    types::SettingMap merged = dynamic;
    if (const types::BrokerSpec* spec = types::cluster(plane.ctx).broker(plane.around.self)) {
        merged.insert(spec->config.begin(), spec->config.end());  // dynamic ones win
    }
    return types::topic_defaults_of(plane.around.rules.version, merged);
}

}  // namespace

types::TopicConfig topic_config_of(const DataPlane& plane, const std::string& topic) {
    const metadata::MetadataImage& image = plane.around.image;
    const types::TopicConfig defaults = topic_defaults(plane);
    const metadata::ConfigMap& own =
        image.configs_of({metadata::ConfigResourceKind::kTopic, topic});
    if (own.empty()) {
        return defaults;
    }
    const auto config = types::make_topic_config(plane.around.rules.version, defaults, own);
    return config ? *config : defaults;
}

storage::LogConfig log_config_of(const types::TopicConfig& topic,
                                 const types::BrokerConfig& broker,
                                 const types::Rules& rules) {
    storage::LogConfig config;
    config.segment_bytes = saturate(topic.segment_bytes);
    config.segment_ms = topic.segment_ms;
    config.max_message_bytes = saturate(topic.max_message_bytes);
    config.flush_messages = topic.flush_messages;
    config.compression = topic.compression;
    config.timestamp_type = timestamp_type_of(topic.message_timestamp_type);
    config.timestamp_before_max_ms = topic.message_timestamp_before_max_ms;
    config.timestamp_after_max_ms = topic.message_timestamp_after_max_ms;
    config.index_interval_bytes = saturate(topic.index_interval_bytes);
    config.segment_index_bytes = saturate(topic.segment_index_bytes);
    config.segment_jitter_ms = topic.segment_jitter_ms;
    config.preallocate = topic.preallocate;
    config.file_delete_delay_ms = topic.file_delete_delay_ms;
    config.retention_ms = topic.retention_ms;
    config.retention_bytes = topic.retention_bytes;
    config.producer_id_expiration_ms = broker.producer_id_expiration_ms;
    config.producers_outlive_records = rules.producer_outlives_records;
    config.indexes_each_batch = rules.index_each_batch;
    config.is_compacted = topic.cleanup_compact;
    config.deletes_old = topic.cleanup_delete;
    config.min_cleanable_dirty_ratio = topic.min_cleanable_dirty_ratio;
    config.min_compaction_lag_ms = topic.min_compaction_lag_ms;
    config.max_compaction_lag_ms = topic.max_compaction_lag_ms;
    config.delete_retention_ms = topic.delete_retention_ms;
    return config;
}

}  // namespace klab::replication
