// SPDX-License-Identifier: Apache-2.0
//
// Which log the cleaner takes next: of those that need it, the one with the largest dirty part.
//
//     dirty ratio = cleanable bytes / (clean bytes + cleanable bytes)
//
//     a log needs it iff    dirty ratio > min.cleanable.dirty.ratio, or
//                           a dirty record waits longer than max.compaction.lag.ms and there is
//                           something to clean
//
// Called by: the log cleaner of a broker. Kafka: LogCleanerManager.grabFilthiestCompactedLog,
// LogToClean.
// Simplified: of logs with the same ratio the first in order of name is taken (Kafka: the first of
// a hash table); the ratios are compared exactly, not as doubles.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "model/storage/checkpoint_file.h"
#include "model/storage/cleaner/cleanable_range.h"

namespace klab::storage::cleaner {

/// The first dirty offset of each log, as cleaner-offset-checkpoint has it.
using CleanerCheckpoints = std::map<types::TopicPartition, types::Offset>;

/// A log and the part of it that can be cleaned.
struct LogToClean {
    types::TopicPartition partition;
    types::Offset first_dirty;
    types::Offset first_uncleanable;  ///< base of a segment
    std::uint64_t clean_bytes = 0;
    std::uint64_t cleanable_bytes = 0;
    std::int64_t delay_ms = 0;  ///< beyond max.compaction.lag.ms

    [[nodiscard]] std::uint64_t total_bytes() const { return clean_bytes + cleanable_bytes; }

    friend bool operator==(const LogToClean&, const LogToClean&) = default;
};

/// Is the dirty ratio of `a` larger? Requires: neither is empty.
[[nodiscard]] bool is_dirtier(const LogToClean& a, const LogToClean& b);

/// Is the dirty ratio above `billionths` / 10^9? Requires: not empty.
[[nodiscard]] bool is_dirtier_than(const LogToClean& log, std::int64_t billionths);

struct LogChoice {
    std::optional<LogToClean> chosen;
    /// Checkpoints that lie outside their log, with what is to stand there, chosen or not.
    std::vector<OffsetCheckpointEntry> resets;
    std::optional<LogToClean> dirtiest;  ///< needy or not: the metric max-dirty-percent
    std::uint32_t cleanable_logs = 0;    ///< that need cleaning
    std::uint32_t delayed_logs = 0;      ///< that are beyond their lag

    friend bool operator==(const LogChoice&, const LogChoice&) = default;
};

/// `logs`: the compacted ones that the cleaner may take (CleaningStates::is_free), by name.
[[nodiscard]] LogChoice choose_log(std::span<const LogSight> logs,
                                   const CleanerCheckpoints& checkpoints,
                                   std::int64_t now_ms);

}  // namespace klab::storage::cleaner
