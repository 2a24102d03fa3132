// SPDX-License-Identifier: Apache-2.0
//
// See log_choice.h.
#include "model/storage/cleaner/log_choice.h"

#include "sim/base/assert.h"

namespace klab::storage::cleaner {

namespace {

/// a / b > c / d for b, d > 0, in whole numbers: compares the whole parts, then the inverted rests.
bool is_larger_fraction(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    while (true) {
        if (a / b != c / d) {
            return a / b > c / d;
        }
        a %= b;
        c %= d;
        if (c == 0) {
            return a != 0;
        }
        if (a == 0) {
            return false;
        }
        // a/b > c/d with both between 0 and 1 is d/c > b/a.
        const std::uint64_t old_a = a;
        const std::uint64_t old_b = b;
        a = d;
        b = c;
        c = old_b;
        d = old_a;
    }
}

std::optional<types::Offset> checkpoint_of(const CleanerCheckpoints& checkpoints,
                                           const types::TopicPartition& partition) {
    const auto found = checkpoints.find(partition);
    return found == checkpoints.end() ? std::nullopt : std::optional(found->second);
}

bool needs_cleaning(const LogToClean& log, const CompactionPolicy& policy) {
    const bool is_overdue = log.delay_ms > 0 && log.cleanable_bytes > 0;
    return is_overdue || is_dirtier_than(log, policy.min_dirty_ratio_billionths);
}

void keep_dirtier(std::optional<LogToClean>& best, const LogToClean& log) {
    if (!best || is_dirtier(log, *best)) {
        best = log;
    }
}

}  // namespace

bool is_dirtier(const LogToClean& a, const LogToClean& b) {
    KLAB_ASSERT(a.total_bytes() > 0, "{} is empty", a.partition.text());
    KLAB_ASSERT(b.total_bytes() > 0, "{} is empty", b.partition.text());
    return is_larger_fraction(
        a.cleanable_bytes, a.total_bytes(), b.cleanable_bytes, b.total_bytes());
}

bool is_dirtier_than(const LogToClean& log, std::int64_t billionths) {
    constexpr std::uint64_t kBillion = 1'000'000'000;
    KLAB_ASSERT(log.total_bytes() > 0, "{} is empty", log.partition.text());
    KLAB_ASSERT(billionths >= 0, "a dirty ratio of {} billionths", billionths);
    return is_larger_fraction(
        log.cleanable_bytes, log.total_bytes(), static_cast<std::uint64_t>(billionths), kBillion);
}

LogChoice choose_log(std::span<const LogSight> logs,
                     const CleanerCheckpoints& checkpoints,
                     std::int64_t now_ms) {
    LogChoice choice;
    for (const LogSight& sight : logs) {
        const CleanableOffsets offsets =
            cleanable_offsets(sight, checkpoint_of(checkpoints, sight.partition), now_ms);
        if (offsets.is_checkpoint_invalid) {
            choice.resets.push_back({sight.partition, offsets.first_dirty});
        }
        const CleanableBytes bytes = cleanable_bytes(sight, offsets);
        const LogToClean log{sight.partition,
                             offsets.first_dirty,
                             bytes.first_uncleanable,
                             bytes.clean,
                             bytes.cleanable,
                             compaction_delay_ms(sight, offsets.first_dirty, now_ms)};
        choice.delayed_logs += log.delay_ms > 0 ? 1 : 0;
        if (log.total_bytes() == 0) {
            continue;
        }
        keep_dirtier(choice.dirtiest, log);
        if (needs_cleaning(log, sight.policy)) {
            ++choice.cleanable_logs;
            keep_dirtier(choice.chosen, log);
        }
    }
    return choice;
}

}  // namespace klab::storage::cleaner
