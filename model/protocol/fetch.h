// SPDX-License-Identifier: Apache-2.0
//
// Fetch (api 1): followers, consumers and brokers reading the metadata log.
//
// Kafka: FetchRequest.json v13+ without sessions, FetchResponse.json; KIP-320, KIP-595, KIP-903
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

struct FetchPartition {
    types::Uuid topic_id;
    std::int32_t partition = 0;
    std::optional<types::LeaderEpoch> current_leader_epoch;  ///< fencing (KIP-320)
    types::Offset fetch_offset;
    std::optional<types::LeaderEpoch> last_fetched_epoch;  ///< divergence check (KIP-595)
    std::optional<types::Offset> log_start_offset;         ///< followers only
    std::int32_t max_bytes = 1048576;

    friend bool operator==(const FetchPartition&, const FetchPartition&) = default;
};

struct FetchRequest {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kFetch);
    static constexpr bool kReply = false;

    std::optional<types::BrokerId> replica_id;        ///< none: a consumer
    std::optional<types::BrokerEpoch> replica_epoch;  ///< KIP-903
    std::int32_t max_wait_ms = 500;
    std::int32_t min_bytes = 1;
    std::int32_t max_bytes = 10485760;
    bool read_committed = false;
    std::vector<FetchPartition> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const FetchRequest&, const FetchRequest&) = default;
};

/// The largest epoch not above the requested one at the leader, and where it ends there.
struct DivergingEpoch {
    std::optional<types::LeaderEpoch> epoch;
    std::optional<types::Offset> end_offset;

    friend bool operator==(const DivergingEpoch&, const DivergingEpoch&) = default;
};

struct FetchPartitionResult {
    types::Uuid topic_id;
    std::int32_t partition = 0;
    types::ErrorCode error = types::ErrorCode::kNone;
    std::optional<types::Offset> high_watermark;
    std::optional<types::Offset> last_stable_offset;
    std::optional<types::Offset> log_start_offset;
    std::optional<DivergingEpoch> diverging_epoch;  ///< set: the follower must truncate
    std::optional<types::BrokerId> current_leader;
    std::optional<types::LeaderEpoch> current_leader_epoch;
    SharedBytes records;  ///< whole batches; the first may start below fetch_offset

    friend bool operator==(const FetchPartitionResult&, const FetchPartitionResult&) = default;
};

struct FetchResponse {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kFetch);
    static constexpr bool kReply = true;

    types::ErrorCode error = types::ErrorCode::kNone;
    std::vector<FetchPartitionResult> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const FetchResponse&, const FetchResponse&) = default;
};

}  // namespace klab::protocol
