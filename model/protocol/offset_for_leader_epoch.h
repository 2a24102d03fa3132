// SPDX-License-Identifier: Apache-2.0
//
// OffsetForLeaderEpoch (api 23): where an epoch ends at the leader.
//
// Kafka: OffsetForLeaderEpochRequest.json, OffsetForLeaderEpochResponse.json; KIP-101, KIP-279,
// KIP-320
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"

namespace klab::protocol {

struct OffsetForLeaderEpochPartition {
    types::TopicPartition partition;
    std::optional<types::LeaderEpoch> current_leader_epoch;
    types::LeaderEpoch leader_epoch;

    friend bool operator==(const OffsetForLeaderEpochPartition&,
                           const OffsetForLeaderEpochPartition&) = default;
};

struct OffsetForLeaderEpochRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kOffsetForLeaderEpoch);
    static constexpr bool kReply = false;

    std::optional<types::BrokerId> replica_id;
    std::vector<OffsetForLeaderEpochPartition> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const OffsetForLeaderEpochRequest&,
                           const OffsetForLeaderEpochRequest&) = default;
};

struct OffsetForLeaderEpochResult {
    types::TopicPartition partition;
    types::ErrorCode error = types::ErrorCode::kNone;
    std::optional<types::LeaderEpoch> leader_epoch;
    std::optional<types::Offset> end_offset;

    friend bool operator==(const OffsetForLeaderEpochResult&,
                           const OffsetForLeaderEpochResult&) = default;
};

struct OffsetForLeaderEpochResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kOffsetForLeaderEpoch);
    static constexpr bool kReply = true;

    std::vector<OffsetForLeaderEpochResult> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const OffsetForLeaderEpochResponse&,
                           const OffsetForLeaderEpochResponse&) = default;
};

}  // namespace klab::protocol
