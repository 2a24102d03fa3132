// SPDX-License-Identifier: Apache-2.0
//
// The topic settings that a log obeys, under Kafka's names and with Kafka's defaults.
//
// Called by: log.h, log_validator.h; the broker fills one per topic.
// Kafka: LogConfig. KIP-1030 (defaults of 4.0).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "model/storage/record_batch.h"

namespace klab::storage {

struct LogConfig {
    std::int32_t segment_bytes = 1073741824;                    ///< segment.bytes
    std::int64_t segment_ms = 604800000;                        ///< segment.ms
    std::int32_t max_message_bytes = 1048588;                   ///< max.message.bytes
    std::optional<std::int64_t> flush_messages;                 ///< flush.messages; nothing = never
    TimestampType timestamp_type = TimestampType::kCreateTime;  ///< message.timestamp.type
    std::optional<std::int64_t> timestamp_before_max_ms;        ///< message.timestamp.before.max.ms
    std::optional<std::int64_t> timestamp_after_max_ms = 3600000;  ///< ...after.max.ms
    std::optional<Codec> compression;             ///< compression.type; nothing = the producer's
    bool is_compacted = false;                    ///< cleanup.policy contains compact
    std::int32_t index_interval_bytes = 4096;     ///< index.interval.bytes
    std::int32_t segment_index_bytes = 10485760;  ///< segment.index.bytes
    std::int64_t segment_jitter_ms = 0;           ///< segment.jitter.ms
    bool preallocate = false;                     ///< preallocate
    std::int64_t file_delete_delay_ms = 60000;    ///< file.delete.delay.ms
    std::optional<std::int64_t> retention_ms = 604800000;  ///< retention.ms; nothing = for ever
    std::optional<std::int64_t> retention_bytes;           ///< retention.bytes; nothing = no limit
    bool deletes_old = true;                               ///< cleanup.policy contains delete
    std::int64_t min_cleanable_dirty_ratio = 500000000;    ///< ...dirty.ratio, in billionths
    std::int64_t min_compaction_lag_ms = 0;                ///< min.compaction.lag.ms
    std::optional<std::int64_t> max_compaction_lag_ms;     ///< max.compaction.lag.ms
    std::int64_t delete_retention_ms = 86400000;           ///< delete.retention.ms
    std::int64_t producer_id_expiration_ms = 86400000;     ///< producer.id.expiration.ms (broker)
    /// transaction.partition.verification.enable (broker): a transaction's first batch needs a
    /// guard. On in Kafka; off here until there are coordinators to ask.
    bool verifies_transactions = false;
    /// A producer stays known when all its records are deleted (KAFKA-7190), and one that is not
    /// known may begin anywhere (KIP-360). Off: it is forgotten then, and has to begin at 0.
    bool producers_outlive_records = true;
    /// An index entry for each batch that is due (KAFKA-806, 4.0.1) or for each append that is.
    bool indexes_each_batch = true;

    /// Age at which the active segment rolls: compaction only sees closed segments, so a limit of
    /// its lag is one for the segment too. Kafka: LogConfig.maxSegmentMs.
    [[nodiscard]] std::int64_t segment_ms_max() const {
        return is_compacted && max_compaction_lag_ms ? std::min(segment_ms, *max_compaction_lag_ms)
                                                     : segment_ms;
    }

    friend bool operator==(const LogConfig&, const LogConfig&) = default;
};

/// Who appends, which decides what is checked.
enum class AppendOrigin : std::uint8_t {
    kClient,       ///< a producer: everything is checked
    kCoordinator,  ///< the broker itself (markers, offsets): no sequence or batch checks
    kReplication,  ///< a follower: nothing but the frame
    kRaftLeader,   ///< the metadata log's leader: offsets are already in place
};

}  // namespace klab::storage
