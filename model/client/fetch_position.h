// SPDX-License-Identifier: Apache-2.0
//
// FetchPosition: where a consumer reads one partition, and whether that place can be trusted.
//
//     state             may move to                                     has a position
//     kInitializing     kFetching, kAwaitReset, kAwaitValidation        no
//     kFetching         kFetching, kAwaitReset, kAwaitValidation        yes
//     kAwaitReset       kFetching, kAwaitReset                          no
//     kAwaitValidation  kFetching, kAwaitReset, kAwaitValidation        yes
//
// Owns: position and state of one partition (volatile).
// Called by: consumer.cc and the files beside it. Kafka: SubscriptionState.TopicPartitionState,
// FetchStates; KIP-320.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/types/consumer_config.h"
#include "model/types/kafka_ids.h"
#include "sim/base/bytes.h"
#include "sim/base/time.h"
#include "sim/trace/event.h"

namespace klab::client {

enum class FetchState : std::uint8_t { kInitializing, kFetching, kAwaitReset, kAwaitValidation };

/// May a position go from one state to the other?
[[nodiscard]] bool is_valid_transition(FetchState from, FetchState to);

/// Whole batches of one answer, waiting to be handed to the application.
struct FetchedData {
    types::Offset fetch_offset;  ///< position it was fetched for; another position makes it stale
    SharedBytes records;
    std::optional<types::Offset> high_watermark;
    sim::EventId received;

    friend bool operator==(const FetchedData&, const FetchedData&) = default;
};

struct FetchPosition {
    types::TopicPartition partition;
    FetchState state = FetchState::kInitializing;
    types::Offset offset;                            ///< next to read, in states that have one
    std::optional<types::LeaderEpoch> offset_epoch;  ///< epoch of the record before `offset`
    std::optional<types::LeaderEpoch> leader_epoch;  ///< epoch of the leader it was checked with
    std::optional<types::OffsetReset> reset;         ///< kAwaitReset: by which rule
    std::string reset_reason;                        ///< "initial", "out of range", "truncation"
    Time retry_at;                                   ///< monotonic: not asked again before
    bool request_in_flight = false;                  ///< a reset or validation request is out
    std::optional<FetchedData> buffered;

    [[nodiscard]] bool has_position() const {
        return state == FetchState::kFetching || state == FetchState::kAwaitValidation;
    }

    /// Asserts the table above.
    void transition_to(FetchState next);

    friend bool operator==(const FetchPosition&, const FetchPosition&) = default;
};

}  // namespace klab::client
