// SPDX-License-Identifier: Apache-2.0
//
// Produce (api 0): batches for partitions, and what became of them.
//
// Kafka: ProduceRequest.json, ProduceResponse.json; KIP-951 for current_leader
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"
#include "sim/base/bytes.h"

namespace klab::protocol {

/// One partition of a produce request.
struct ProducePartition {
    types::TopicPartition partition;
    SharedBytes records;  ///< one or more record batches v2, offsets not yet assigned

    friend bool operator==(const ProducePartition&, const ProducePartition&) = default;
};

struct ProduceRequest {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kProduce);
    static constexpr bool kReply = false;

    std::int16_t acks = -1;           ///< 0, 1 or -1 (all); others are refused
    std::int32_t timeout_ms = 30000;  ///< how long acks=all may wait on the broker
    std::vector<ProducePartition> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const ProduceRequest&, const ProduceRequest&) = default;
};

/// Outcome for one partition.
struct ProducePartitionResult {
    types::TopicPartition partition;
    types::ErrorCode error = types::ErrorCode::kNone;
    std::optional<types::Offset> base_offset;  ///< of the first batch, when appended
    std::optional<types::Offset> log_start_offset;
    std::optional<types::BrokerId> current_leader;  ///< with NOT_LEADER_OR_FOLLOWER (KIP-951)
    std::optional<types::LeaderEpoch> current_leader_epoch;

    friend bool operator==(const ProducePartitionResult&, const ProducePartitionResult&) = default;
};

struct ProduceResponse {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kProduce);
    static constexpr bool kReply = true;

    std::vector<ProducePartitionResult> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const ProduceResponse&, const ProduceResponse&) = default;
};

}  // namespace klab::protocol
