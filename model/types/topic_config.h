// SPDX-License-Identifier: Apache-2.0
//
// The settings of one topic as the model uses them: the topic's own value, else the broker's value
// for the broker setting of that meaning (log.segment.bytes for segment.bytes), else Kafka's
// default.
//
// Called by: storage (sizes, flush), replication (min ISR), controller (min ISR, unclean election).
// Kafka: LogConfig, TopicConfig; ConfigurationControlManager for the controller's view.
// Simplified: only the settings the model acts on; dynamic broker-level defaults do not exist.
#pragma once

#include <cstdint>
#include <optional>

#include "model/types/codec.h"
#include "model/types/settings.h"
#include "sim/base/result.h"

namespace klab::types {

/// Whose clock stamps a record.
enum class MessageTimestampType : std::uint8_t { kCreateTime, kLogAppendTime };

struct TopicConfig {
    /// min.insync.replicas: acks=all is refused with fewer replicas in the ISR. At least 1; the
    /// rules use min(this, number of replicas).
    std::int32_t min_insync_replicas = 1;

    /// unclean.leader.election.enable: may a replica outside the ISR lead when nobody else can?
    bool unclean_leader_election_enable = false;

    /// segment.bytes: the active segment rolls before a batch that would make it larger.
    std::int64_t segment_bytes = 1'073'741'824;

    /// segment.ms: the active segment rolls when its first record is older.
    std::int64_t segment_ms = 604'800'000;

    /// max.message.bytes: the largest record batch a producer may send, after compression.
    std::int64_t max_message_bytes = 1'048'588;

    /// index.interval.bytes: an index entry after more than so many bytes.
    std::int64_t index_interval_bytes = 4096;

    /// segment.index.bytes: size of an index file of the active segment; a full one rolls it.
    std::int64_t segment_index_bytes = 10'485'760;

    /// segment.jitter.ms: a segment rolls earlier by a random part of this.
    std::int64_t segment_jitter_ms = 0;

    /// preallocate: a new segment has its full size on disk at once.
    bool preallocate = false;

    /// file.delete.delay.ms: from the renaming of deleted files to their removal.
    std::int64_t file_delete_delay_ms = 60'000;

    /// retention.ms: segments whose newest record is older are deleted. Absent: never.
    std::optional<std::int64_t> retention_ms = 604'800'000;

    /// retention.bytes: oldest segments of a larger partition are deleted. Absent: no limit.
    std::optional<std::int64_t> retention_bytes;

    /// flush.messages: fsync once this many records are unflushed. Absent: never by count.
    std::optional<std::int64_t> flush_messages;

    /// compression.type: the codec in which the leader stores a batch. Absent ("producer"): as the
    /// producer compressed it.
    std::optional<Codec> compression;

    MessageTimestampType message_timestamp_type =
        MessageTimestampType::kCreateTime;  ///< message.timestamp.type

    /// message.timestamp.before.max.ms: a record stamped further in the past is refused. Absent:
    /// none.
    std::optional<std::int64_t> message_timestamp_before_max_ms;

    /// message.timestamp.after.max.ms: a record stamped further in the future is refused. Absent:
    /// none.
    std::optional<std::int64_t> message_timestamp_after_max_ms = 3'600'000;

    /// cleanup.policy contains compact: the cleaner keeps the last record of each key.
    bool cleanup_compact = false;

    /// cleanup.policy contains delete: old segments go by age and size.
    bool cleanup_delete = true;

    /// min.cleanable.dirty.ratio in billionths, 0 to 10^9: dirtier logs are compacted.
    std::int64_t min_cleanable_dirty_ratio = 500'000'000;

    /// min.compaction.lag.ms: a record stays at least so long.
    std::int64_t min_compaction_lag_ms = 0;

    /// max.compaction.lag.ms: after so long a log is compacted however clean it is. Absent: never.
    std::optional<std::int64_t> max_compaction_lag_ms;

    /// delete.retention.ms: how long a tombstone or an empty transaction's marker stays once the
    /// cleaner has seen it.
    std::int64_t delete_retention_ms = 86'400'000;

    friend bool operator==(const TopicConfig&, const TopicConfig&) = default;
};

/// Is a record asked to stay longer than it may? Kafka refuses such settings.
[[nodiscard]] bool contradicts_lags(const TopicConfig& config);

/// A topic's own settings on top of `defaults` (BrokerConfig::topic_defaults or
/// ControllerConfig::topic_defaults).
/// Errors: every unknown name, bad value and conflict, by name.
[[nodiscard]] Result<TopicConfig, SettingErrors> make_topic_config(KafkaVersion version,
                                                                   const TopicConfig& defaults,
                                                                   const SettingMap& overrides);

/// The topic settings that follow from a broker configuration alone. Values of the map that cannot
/// be read are left at the default: make_broker_config reports them.
[[nodiscard]] TopicConfig topic_defaults_of(KafkaVersion version,
                                            const SettingMap& broker_overrides);

}  // namespace klab::types
