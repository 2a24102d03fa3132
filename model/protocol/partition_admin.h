// SPDX-License-Identifier: Apache-2.0
//
// AlterPartitionReassignments (45), ListPartitionReassignments (46), CreatePartitions (37),
// UnregisterBroker (64): an operator moves partitions to other brokers, asks how far that is, adds
// partitions, and gives a broker up.
//
// Kafka: AlterPartitionReassignmentsRequest.json, ListPartitionReassignmentsRequest.json,
// CreatePartitionsRequest.json; KIP-455, KIP-860, KIP-195.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/protocol/topic_admin.h"

namespace klab::protocol {

struct ReassignedPartition {
    types::TopicPartition partition;
    /// The new replicas in the order of preference; none: the reassignment under way is taken back.
    std::optional<std::vector<types::BrokerId>> replicas;

    friend bool operator==(const ReassignedPartition&, const ReassignedPartition&) = default;
};

struct AlterPartitionReassignmentsRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kAlterPartitionReassignments);
    static constexpr bool kReply = false;

    bool allow_replication_factor_change = true;  ///< KIP-860
    std::vector<ReassignedPartition> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const AlterPartitionReassignmentsRequest&,
                           const AlterPartitionReassignmentsRequest&) = default;
};

struct AlterPartitionReassignmentsResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kAlterPartitionReassignments);
    static constexpr bool kReply = true;

    types::ErrorCode error = types::ErrorCode::kNone;
    std::vector<NamedResult> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const AlterPartitionReassignmentsResponse&,
                           const AlterPartitionReassignmentsResponse&) = default;
};

struct ListPartitionReassignmentsRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kListPartitionReassignments);
    static constexpr bool kReply = false;

    std::optional<std::vector<types::TopicPartition>> partitions;  ///< none: all

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const ListPartitionReassignmentsRequest&,
                           const ListPartitionReassignmentsRequest&) = default;
};

struct OngoingReassignment {
    types::TopicPartition partition;
    std::vector<types::BrokerId> replicas;
    std::vector<types::BrokerId> adding;
    std::vector<types::BrokerId> removing;

    friend bool operator==(const OngoingReassignment&, const OngoingReassignment&) = default;
};

struct ListPartitionReassignmentsResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kListPartitionReassignments);
    static constexpr bool kReply = true;

    types::ErrorCode error = types::ErrorCode::kNone;
    std::vector<OngoingReassignment> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const ListPartitionReassignmentsResponse&,
                           const ListPartitionReassignmentsResponse&) = default;
};

struct AddedPartitions {
    std::string topic;
    std::int32_t count = 0;  ///< partitions that the topic shall have, old ones included
    /// Replicas of each new partition; none: the controller places them.
    std::optional<std::vector<std::vector<types::BrokerId>>> assignment;

    friend bool operator==(const AddedPartitions&, const AddedPartitions&) = default;
};

struct CreatePartitionsRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kCreatePartitions);
    static constexpr bool kReply = false;

    std::vector<AddedPartitions> topics;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const CreatePartitionsRequest&,
                           const CreatePartitionsRequest&) = default;
};

struct CreatePartitionsResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kCreatePartitions);
    static constexpr bool kReply = true;

    std::vector<NamedResult> topics;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const CreatePartitionsResponse&,
                           const CreatePartitionsResponse&) = default;
};

/// An operator takes a broker that will not come back out of the cluster.
struct UnregisterBrokerRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kUnregisterBroker);
    static constexpr bool kReply = false;

    types::BrokerId broker;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const UnregisterBrokerRequest&,
                           const UnregisterBrokerRequest&) = default;
};

struct UnregisterBrokerResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kUnregisterBroker);
    static constexpr bool kReply = true;

    NamedResult result;  ///< named after the broker id

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const UnregisterBrokerResponse&,
                           const UnregisterBrokerResponse&) = default;
};

}  // namespace klab::protocol
