// SPDX-License-Identifier: Apache-2.0
//
// Some requests of an operator belong to the leader of a partition (DeleteRecords): an admin client
// looks it up in any broker's metadata first, and again whenever the answer says that it was wrong.
//
//     look up -(leader known)-> send to it -(answer)-> done
//        ^------(no leader yet; wrong leader; disconnect)--'
//
// Called by: admin_client.cc.
// Kafka: PartitionLeaderStrategy, AdminApiDriver, DeleteRecordsHandler.
// Simplified: one partition a call; a lookup is repeated after retry.backoff.ms, not at once.
#pragma once

#include <optional>

#include "model/protocol/metadata.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"

namespace klab::client {

/// What an answer to a lookup says. Neither leader nor error: ask again later.
struct LeaderLookup {
    std::optional<types::BrokerId> leader;
    types::ErrorCode error = types::ErrorCode::kNone;  ///< the call has failed

    friend bool operator==(const LeaderLookup&, const LeaderLookup&) = default;
};

[[nodiscard]] LeaderLookup find_leader(const protocol::MetadataResponse& metadata,
                                       const types::TopicPartition& partition);

/// What to do after the leader's answer.
enum class LeaderCallStep : std::uint8_t {
    kDone,         ///< success, or an error that another try would not change
    kLookUpAgain,  ///< it is not the leader, or does not know the partition
    kSendAgain,    ///< a retriable error
};

[[nodiscard]] LeaderCallStep step_after(types::ErrorCode error);

}  // namespace klab::client
