// SPDX-License-Identifier: Apache-2.0
//
// The settings of a broker's log cleaner (log.cleaner.*), with Kafka's defaults. Those that are
// defaults of topics (min.cleanable.ratio, the lags, delete.retention.ms) are in topic_config.h.
//
// Called by: broker_config.h (which reads them), the log cleaner of a broker.
// Kafka: CleanerConfig.
#pragma once

#include <cstdint>
#include <optional>

#include "model/types/config_reader.h"

namespace klab::types {

struct CleanerConfig {
    /// log.cleaner.enable: without the cleaner, compacted topics only grow.
    bool enable = true;

    /// log.cleaner.threads: they share buffers and rate, and take a log each.
    std::int32_t threads = 1;

    /// log.cleaner.dedupe.buffer.size: bytes for the offset maps of all threads; 24 a key.
    std::int64_t dedupe_buffer_size = 134'217'728;

    /// log.cleaner.io.buffer.load.factor in billionths: how full a map may get.
    std::int64_t load_factor_billionths = 900'000'000;

    /// log.cleaner.io.buffer.size: bytes for the read and write buffers of all threads.
    std::int64_t io_buffer_size = 524'288;

    /// log.cleaner.io.max.bytes.per.second: reading and writing together. Absent: no limit.
    std::optional<std::int64_t> io_max_bytes_per_second;

    /// log.cleaner.backoff.ms: pause when no log needs cleaning.
    std::int64_t backoff_ms = 15'000;

    friend bool operator==(const CleanerConfig&, const CleanerConfig&) = default;
};

/// The cleaner's part of a broker configuration; conflicts are reported to the reader.
[[nodiscard]] CleanerConfig read_cleaner_config(ConfigReader& reader);

}  // namespace klab::types
