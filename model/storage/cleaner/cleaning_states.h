// SPDX-License-Identifier: Apache-2.0
//
// CleaningStates: who works on the segments of a partition, so that the cleaner, retention,
// truncation and deletion do not take them from one another.
//
//     from \ on    start        abort and pause   resume       done
//     none         in progress  paused(1)         -            -
//     in progress  -            aborted           -            none
//     aborted      -            -                 -            paused(1)
//     paused(n)    -            paused(n + 1)     paused(n-1)  -
//
// paused(0) is none; "-" must not happen. `start` is the cleaner taking a log (to compact it, or to
// delete its old segments), `done` is it letting go. Who aborts waits until the state is paused.
// Retention of logs that are not compacted pauses those in state none and resumes them afterwards.
//
// Uncleanable partitions stand beside that: a cleaning of theirs failed, and the cleaner leaves
// them alone until the broker restarts.
//
// Owns: the states (volatile). Called by: the log cleaner of a broker.
// Kafka: LogCleanerManager (inProgress, uncleanablePartitions).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/types/kafka_ids.h"

namespace klab::storage::cleaner {

enum class CleaningPhase : std::uint8_t { kNone, kInProgress, kAborted, kPaused };

struct CleaningState {
    CleaningPhase phase = CleaningPhase::kNone;
    std::uint32_t pauses = 0;  ///< in kPaused: how many must resume; else 0

    friend bool operator==(const CleaningState&, const CleaningState&) = default;
};

enum class CleaningAction : std::uint8_t { kStart, kAbortAndPause, kResume, kDone };

/// The table above; nothing for "-".
[[nodiscard]] std::optional<CleaningState> next_state(const CleaningState& from,
                                                      CleaningAction action);

class CleaningStates {
  public:
    [[nodiscard]] CleaningState state_of(const types::TopicPartition& partition) const;

    /// Requires: the table allows it.
    void apply(const types::TopicPartition& partition, CleaningAction action);

    /// May the cleaner take it: nobody works on it, and no cleaning of it has failed.
    [[nodiscard]] bool is_free(const types::TopicPartition& partition) const;

    void mark_uncleanable(const types::TopicPartition& partition);

    [[nodiscard]] bool is_uncleanable(const types::TopicPartition& partition) const {
        return uncleanable_.contains(partition);
    }

    /// In order of name.
    [[nodiscard]] const std::set<types::TopicPartition>& uncleanable() const {
        return uncleanable_;
    }

    /// The partition is gone from this broker.
    void forget(const types::TopicPartition& partition);

    friend bool operator==(const CleaningStates&, const CleaningStates&) = default;

  private:
    std::map<types::TopicPartition, CleaningState> states_;  // none is not stored
    std::set<types::TopicPartition> uncleanable_;
};

}  // namespace klab::storage::cleaner
