// SPDX-License-Identifier: Apache-2.0
//
// The settings of a consumer with assigned partitions, as the model uses them.
//
// Called by: client (consumer, fetcher).
// Kafka: ConsumerConfig; KIP-580.
// Simplified: no group settings, no read_committed filter without transactions, no by_duration
// reset, no check of checksums, no fetching from followers.
#pragma once

#include <cstdint>

#include "model/types/settings.h"
#include "sim/base/result.h"

namespace klab::types {

/// Where a consumer starts when it has no position, or one that is outside the log.
enum class OffsetReset : std::uint8_t { kEarliest, kLatest, kNone };

enum class IsolationLevel : std::uint8_t { kReadUncommitted, kReadCommitted };

struct ConsumerConfig {
    OffsetReset auto_offset_reset = OffsetReset::kLatest;               ///< auto.offset.reset
    IsolationLevel isolation_level = IsolationLevel::kReadUncommitted;  ///< isolation.level

    std::int64_t fetch_min_bytes =
        1;  ///< fetch.min.bytes: less is held back until fetch_max_wait_ms
    std::int64_t fetch_max_wait_ms = 500;                ///< fetch.max.wait.ms
    std::int64_t fetch_max_bytes = 52'428'800;           ///< fetch.max.bytes, of a whole response
    std::int64_t max_partition_fetch_bytes = 1'048'576;  ///< max.partition.fetch.bytes
    std::int32_t max_poll_records = 500;                 ///< max.poll.records, of one poll()

    bool check_crcs = true;  ///< check.crcs: a batch with a wrong checksum is not read

    /// request.timeout.ms: an unanswered request this old closes its connection.
    std::int64_t request_timeout_ms = 30'000;

    std::int64_t default_api_timeout_ms = 60'000;  ///< default.api.timeout.ms, of a blocking call

    std::int64_t retry_backoff_ms = 100;  ///< retry.backoff.ms
    std::int64_t retry_backoff_max_ms =
        1'000;  ///< retry.backoff.max.ms; equal to the former before 3.7

    std::int64_t reconnect_backoff_ms = 50;         ///< reconnect.backoff.ms
    std::int64_t reconnect_backoff_max_ms = 1'000;  ///< reconnect.backoff.max.ms

    std::int64_t metadata_max_age_ms = 300'000;  ///< metadata.max.age.ms

    /// socket.connection.setup.timeout.ms and .max.ms.
    std::int64_t connection_setup_timeout_ms = 10'000;
    std::int64_t connection_setup_timeout_max_ms = 30'000;

    friend bool operator==(const ConsumerConfig&, const ConsumerConfig&) = default;
};

/// A consumer's configuration: the version's defaults, changed by `overrides`.
/// Errors: every unknown name, bad value and conflict, by name.
[[nodiscard]] Result<ConsumerConfig, SettingErrors> make_consumer_config(
    KafkaVersion version, const SettingMap& overrides);

}  // namespace klab::types
