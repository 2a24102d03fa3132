// SPDX-License-Identifier: Apache-2.0
//
// See cleaning_states.h.
#include "model/storage/cleaner/cleaning_states.h"

#include "sim/base/assert.h"

namespace klab::storage::cleaner {

namespace {

constexpr CleaningState kNone{};
constexpr CleaningState kInProgress{CleaningPhase::kInProgress, 0};
constexpr CleaningState kAborted{CleaningPhase::kAborted, 0};

constexpr CleaningState paused(std::uint32_t pauses) {
    return pauses == 0 ? kNone : CleaningState{CleaningPhase::kPaused, pauses};
}

std::optional<CleaningState> after_abort(const CleaningState& from) {
    switch (from.phase) {
        case CleaningPhase::kNone:
            return paused(1);
        case CleaningPhase::kInProgress:
            return kAborted;
        case CleaningPhase::kPaused:
            return paused(from.pauses + 1);
        case CleaningPhase::kAborted:
            break;
    }
    return std::nullopt;
}

std::optional<CleaningState> after_done(const CleaningState& from) {
    switch (from.phase) {
        case CleaningPhase::kInProgress:
            return kNone;
        case CleaningPhase::kAborted:
            return paused(1);
        case CleaningPhase::kNone:
        case CleaningPhase::kPaused:
            break;
    }
    return std::nullopt;
}

}  // namespace

std::optional<CleaningState> next_state(const CleaningState& from, CleaningAction action) {
    switch (action) {
        case CleaningAction::kStart:
            return from == kNone ? std::optional(kInProgress) : std::nullopt;
        case CleaningAction::kAbortAndPause:
            return after_abort(from);
        case CleaningAction::kResume:
            return from.phase == CleaningPhase::kPaused ? std::optional(paused(from.pauses - 1))
                                                        : std::nullopt;
        case CleaningAction::kDone:
            return after_done(from);
    }
    return std::nullopt;
}

CleaningState CleaningStates::state_of(const types::TopicPartition& partition) const {
    const auto found = states_.find(partition);
    return found == states_.end() ? kNone : found->second;
}

void CleaningStates::apply(const types::TopicPartition& partition, CleaningAction action) {
    const CleaningState from = state_of(partition);
    const auto to = next_state(from, action);
    KLAB_ASSERT(to.has_value(),
                "{}: action {} in cleaning state {}",
                partition.text(),
                static_cast<int>(action),
                static_cast<int>(from.phase));
    if (*to == kNone) {
        states_.erase(partition);
    } else {
        states_[partition] = *to;
    }
}

bool CleaningStates::is_free(const types::TopicPartition& partition) const {
    return state_of(partition) == kNone && !is_uncleanable(partition);
}

void CleaningStates::mark_uncleanable(const types::TopicPartition& partition) {
    uncleanable_.insert(partition);
}

void CleaningStates::forget(const types::TopicPartition& partition) {
    states_.erase(partition);
    uncleanable_.erase(partition);
}

}  // namespace klab::storage::cleaner
