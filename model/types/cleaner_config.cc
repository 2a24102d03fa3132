// SPDX-License-Identifier: Apache-2.0
//
// See cleaner_config.h. Kafka: KafkaConfig.validateValues and the constructor of Cleaner for the
// conflicts.
#include "model/types/cleaner_config.h"

#include <algorithm>
#include <limits>

#include "model/types/decimal.h"

namespace klab::types {

namespace {

constexpr std::int64_t kMebibyte = 1'048'576;
constexpr std::int64_t kBytesPerKey = 24;

/// A rate beyond what billionths can hold is none.
std::optional<std::int64_t> rate_of(const ConfigReader& reader) {
    const std::int64_t rate = reader.billionths("log.cleaner.io.max.bytes.per.second");
    if (rate == std::numeric_limits<std::int64_t>::max()) {
        return std::nullopt;
    }
    return std::max<std::int64_t>(rate / kBillion, 1);
}

/// Does the map of a thread take more than one key?
bool has_room_for_keys(const CleanerConfig& config) {
    constexpr std::int64_t kBytesMax = std::numeric_limits<std::int32_t>::max();
    const std::int64_t bytes = std::min(config.dedupe_buffer_size / config.threads, kBytesMax);
    const std::int64_t slots = bytes / kBytesPerKey;
    return slots > 0 && config.load_factor_billionths > kBillion / slots;
}

void check_conflicts(ConfigReader& reader, const CleanerConfig& config) {
    if (config.threads < 1 || config.dedupe_buffer_size / config.threads <= kMebibyte) {
        reader.conflict("log.cleaner.dedupe.buffer.size",
                        "it must be more than 1048576 for each of log.cleaner.threads, at least 1");
        return;
    }
    if (!has_room_for_keys(config)) {
        reader.conflict("log.cleaner.io.buffer.load.factor",
                        "with it, log.cleaner.dedupe.buffer.size must have room for two keys of "
                        "24 bytes for each of log.cleaner.threads");
    }
}

}  // namespace

CleanerConfig read_cleaner_config(ConfigReader& reader) {
    CleanerConfig config;
    config.enable = reader.flag("log.cleaner.enable");
    config.threads = reader.count("log.cleaner.threads");
    config.dedupe_buffer_size = reader.integer("log.cleaner.dedupe.buffer.size");
    config.load_factor_billionths = reader.billionths("log.cleaner.io.buffer.load.factor");
    config.io_buffer_size = reader.integer("log.cleaner.io.buffer.size");
    config.io_max_bytes_per_second = rate_of(reader);
    config.backoff_ms = reader.pause("log.cleaner.backoff.ms");
    check_conflicts(reader, config);
    return config;
}

}  // namespace klab::types
