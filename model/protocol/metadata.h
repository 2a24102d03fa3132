// SPDX-License-Identifier: Apache-2.0
//
// Metadata (api 3): what a client knows of the cluster.
//
// Kafka: MetadataRequest.json, MetadataResponse.json
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"

namespace klab::protocol {

struct MetadataRequest {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kMetadata);
    static constexpr bool kReply = false;

    std::optional<std::vector<std::string>> topics;  ///< none: all topics

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const MetadataRequest&, const MetadataRequest&) = default;
};

struct MetadataPartition {
    types::ErrorCode error = types::ErrorCode::kNone;
    std::int32_t partition = 0;
    std::optional<types::BrokerId> leader;
    std::optional<types::LeaderEpoch> leader_epoch;
    std::vector<types::BrokerId> replicas;
    std::vector<types::BrokerId> isr;
    std::vector<types::BrokerId> offline_replicas;

    friend bool operator==(const MetadataPartition&, const MetadataPartition&) = default;
};

struct MetadataTopic {
    types::ErrorCode error = types::ErrorCode::kNone;
    std::string name;
    types::Uuid topic_id;
    std::vector<MetadataPartition> partitions;  ///< ordered by partition

    friend bool operator==(const MetadataTopic&, const MetadataTopic&) = default;
};

struct MetadataResponse {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kMetadata);
    static constexpr bool kReply = true;

    std::vector<types::BrokerId> brokers;  ///< alive (unfenced), ascending
    std::vector<MetadataTopic> topics;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const MetadataResponse&, const MetadataResponse&) = default;
};

}  // namespace klab::protocol
