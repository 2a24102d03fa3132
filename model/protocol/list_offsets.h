// SPDX-License-Identifier: Apache-2.0
//
// ListOffsets (api 2): earliest and latest offsets, or by timestamp.
//
// Kafka: ListOffsetsRequest.json, ListOffsetsResponse.json
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"

namespace klab::protocol {

inline constexpr std::int64_t kLatestTimestamp = -1;
inline constexpr std::int64_t kEarliestTimestamp = -2;
inline constexpr std::int64_t kMaxTimestamp = -3;            ///< KIP-734
inline constexpr std::int64_t kEarliestLocalTimestamp = -4;  ///< KIP-405
inline constexpr std::int64_t kLatestTieredTimestamp = -5;   ///< KIP-1005

struct ListOffsetsPartition {
    types::TopicPartition partition;
    std::optional<types::LeaderEpoch> current_leader_epoch;
    std::int64_t timestamp = kLatestTimestamp;  ///< ms since 1970, or one of the constants above

    friend bool operator==(const ListOffsetsPartition&, const ListOffsetsPartition&) = default;
};

struct ListOffsetsRequest {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kListOffsets);
    static constexpr bool kReply = false;

    std::optional<types::BrokerId> replica_id;  ///< none: a consumer (bounded by HW or LSO)
    bool read_committed = false;
    std::vector<ListOffsetsPartition> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const ListOffsetsRequest&, const ListOffsetsRequest&) = default;
};

struct ListOffsetsPartitionResult {
    types::TopicPartition partition;
    types::ErrorCode error = types::ErrorCode::kNone;
    std::optional<types::Offset> offset;
    std::optional<std::int64_t> timestamp;
    std::optional<types::LeaderEpoch> leader_epoch;

    friend bool operator==(const ListOffsetsPartitionResult&,
                           const ListOffsetsPartitionResult&) = default;
};

struct ListOffsetsResponse {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kListOffsets);
    static constexpr bool kReply = true;

    std::vector<ListOffsetsPartitionResult> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const ListOffsetsResponse&, const ListOffsetsResponse&) = default;
};

}  // namespace klab::protocol
