// SPDX-License-Identifier: Apache-2.0
//
// AssignReplicasToDirs (api 73): a broker tells the controller in which of its log directories
// replicas are.
//
// Kafka: AssignReplicasToDirsRequest.json; KIP-858
#pragma once

#include <cstdint>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"

namespace klab::protocol {

/// A replica in a directory. Kafka's message groups them by directory and topic.
struct DirectoryAssignment {
    types::Uuid directory;
    types::Uuid topic_id;
    std::int32_t partition = 0;

    friend bool operator==(const DirectoryAssignment&, const DirectoryAssignment&) = default;
};

struct AssignReplicasToDirsRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kAssignReplicasToDirs);
    static constexpr bool kReply = false;

    types::BrokerId broker_id;
    types::BrokerEpoch broker_epoch;
    std::vector<DirectoryAssignment> replicas;  ///< at most kAssignmentsPerRequestMax

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const AssignReplicasToDirsRequest&,
                           const AssignReplicasToDirsRequest&) = default;
};

/// AssignReplicasToDirsRequest.MAX_ASSIGNMENTS_PER_REQUEST.
inline constexpr std::size_t kAssignmentsPerRequestMax = 2'250;

struct DirectoryAssignmentResult {
    DirectoryAssignment replica;
    types::ErrorCode error = types::ErrorCode::kNone;

    friend bool operator==(const DirectoryAssignmentResult&,
                           const DirectoryAssignmentResult&) = default;
};

struct AssignReplicasToDirsResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kAssignReplicasToDirs);
    static constexpr bool kReply = true;

    types::ErrorCode error = types::ErrorCode::kNone;
    std::vector<DirectoryAssignmentResult> replicas;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const AssignReplicasToDirsResponse&,
                           const AssignReplicasToDirsResponse&) = default;
};

}  // namespace klab::protocol
