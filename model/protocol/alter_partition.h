// SPDX-License-Identifier: Apache-2.0
//
// AlterPartition (api 56): a leader proposes a new ISR to the controller.
//
// Kafka: AlterPartitionRequest.json v2-3, AlterPartitionResponse.json; KIP-497, KIP-841, KIP-903
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"

namespace klab::protocol {

enum class LeaderRecoveryState : std::int8_t { kRecovered = 0, kRecovering = 1 };

struct IsrMember {
    types::BrokerId broker;
    std::optional<types::BrokerEpoch> epoch;  ///< last seen in its Fetch; none before KIP-903

    friend bool operator==(const IsrMember&, const IsrMember&) = default;
};

struct AlterPartitionItem {
    types::Uuid topic_id;
    std::int32_t partition = 0;
    types::LeaderEpoch leader_epoch;
    std::vector<IsrMember> new_isr;
    LeaderRecoveryState recovery = LeaderRecoveryState::kRecovered;
    types::PartitionEpoch partition_epoch;

    friend bool operator==(const AlterPartitionItem&, const AlterPartitionItem&) = default;
};

struct AlterPartitionRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kAlterPartition);
    static constexpr bool kReply = false;

    types::BrokerId broker_id;
    types::BrokerEpoch broker_epoch;
    std::vector<AlterPartitionItem> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const AlterPartitionRequest&, const AlterPartitionRequest&) = default;
};

struct AlterPartitionResult {
    types::Uuid topic_id;
    std::int32_t partition = 0;
    types::ErrorCode error = types::ErrorCode::kNone;
    std::optional<types::BrokerId> leader;
    types::LeaderEpoch leader_epoch;
    std::vector<types::BrokerId> isr;
    LeaderRecoveryState recovery = LeaderRecoveryState::kRecovered;
    types::PartitionEpoch partition_epoch;

    friend bool operator==(const AlterPartitionResult&, const AlterPartitionResult&) = default;
};

struct AlterPartitionResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kAlterPartition);
    static constexpr bool kReply = true;

    types::ErrorCode error = types::ErrorCode::kNone;
    std::vector<AlterPartitionResult> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const AlterPartitionResponse&, const AlterPartitionResponse&) = default;
};

}  // namespace klab::protocol
