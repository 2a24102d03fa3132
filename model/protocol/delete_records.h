// SPDX-License-Identifier: Apache-2.0
//
// DeleteRecords (21): an operator raises the log start of partitions. Sent to their leaders.
//
// Kafka: DeleteRecordsRequest.json, DeleteRecordsResponse.json. KIP-107
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"

namespace klab::protocol {

struct DeleteRecordsPartition {
    types::TopicPartition partition;
    /// The first offset that stays; none (-1 on the wire): the high watermark.
    std::optional<types::Offset> offset;

    friend bool operator==(const DeleteRecordsPartition&, const DeleteRecordsPartition&) = default;
};

struct DeleteRecordsRequest {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kDeleteRecords);
    static constexpr bool kReply = false;

    std::vector<DeleteRecordsPartition> partitions;
    std::int32_t timeout_ms = 60000;  ///< how long to wait for the other replicas

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const DeleteRecordsRequest&, const DeleteRecordsRequest&) = default;
};

struct DeleteRecordsPartitionResult {
    types::TopicPartition partition;
    types::ErrorCode error = types::ErrorCode::kNone;
    /// The smallest log start of all live replicas; none (-1) after an error, and as long as one of
    /// them has not told its own.
    std::optional<types::Offset> low_watermark;

    friend bool operator==(const DeleteRecordsPartitionResult&,
                           const DeleteRecordsPartitionResult&) = default;
};

struct DeleteRecordsResponse {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kDeleteRecords);
    static constexpr bool kReply = true;

    std::vector<DeleteRecordsPartitionResult> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const DeleteRecordsResponse&, const DeleteRecordsResponse&) = default;
};

}  // namespace klab::protocol
