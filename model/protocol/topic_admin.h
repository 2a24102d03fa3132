// SPDX-License-Identifier: Apache-2.0
//
// CreateTopics (19), DeleteTopics (20), IncrementalAlterConfigs (44), ElectLeaders (43): an
// operator's requests, forwarded by brokers to the controller.
//
// Kafka: CreateTopicsRequest.json, DeleteTopicsRequest.json, IncrementalAlterConfigsRequest.json,
// ElectLeadersRequest.json
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types/api_key.h"
#include "model/types/error_code.h"
#include "model/types/kafka_ids.h"

namespace klab::protocol {

/// A setting by its Kafka name; no value means "remove".
struct ConfigEntry {
    std::string name;
    std::optional<std::string> value;

    friend bool operator==(const ConfigEntry&, const ConfigEntry&) = default;
};

struct NewTopic {
    std::string name;
    std::optional<std::int32_t> partitions;                ///< none: default, or by assignment
    std::optional<std::int16_t> replication_factor;        ///< none: default, or by assignment
    std::vector<std::vector<types::BrokerId>> assignment;  ///< one list a partition, or empty
    std::vector<ConfigEntry> config;

    friend bool operator==(const NewTopic&, const NewTopic&) = default;
};

struct CreateTopicsRequest {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kCreateTopics);
    static constexpr bool kReply = false;

    std::vector<NewTopic> topics;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const CreateTopicsRequest&, const CreateTopicsRequest&) = default;
};

/// Outcome for one name (a topic, or a partition as "t-0").
struct NamedResult {
    std::string name;
    types::ErrorCode error = types::ErrorCode::kNone;
    std::string message;

    friend bool operator==(const NamedResult&, const NamedResult&) = default;
};

struct CreateTopicsResponse {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kCreateTopics);
    static constexpr bool kReply = true;

    std::vector<NamedResult> topics;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const CreateTopicsResponse&, const CreateTopicsResponse&) = default;
};

struct DeleteTopicsRequest {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kDeleteTopics);
    static constexpr bool kReply = false;

    std::vector<std::string> topics;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const DeleteTopicsRequest&, const DeleteTopicsRequest&) = default;
};

struct DeleteTopicsResponse {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kDeleteTopics);
    static constexpr bool kReply = true;

    std::vector<NamedResult> topics;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const DeleteTopicsResponse&, const DeleteTopicsResponse&) = default;
};

/// What a set of config entries belongs to.
struct ConfigTarget {
    enum class Kind : std::uint8_t { kTopic, kBroker, kCluster } kind = Kind::kTopic;
    std::string name;  ///< topic name or broker id; "" for the cluster default

    friend bool operator==(const ConfigTarget&, const ConfigTarget&) = default;
};

struct AlterConfigsRequest {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kIncrementalAlterConfigs);
    static constexpr bool kReply = false;

    ConfigTarget target;
    std::vector<ConfigEntry> entries;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const AlterConfigsRequest&, const AlterConfigsRequest&) = default;
};

struct AlterConfigsResponse {
    static constexpr std::uint16_t kApi =
        static_cast<std::uint16_t>(types::ApiKey::kIncrementalAlterConfigs);
    static constexpr bool kReply = true;

    NamedResult result;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const AlterConfigsResponse&, const AlterConfigsResponse&) = default;
};

enum class ElectionType : std::uint8_t { kPreferred = 0, kUnclean = 1 };

struct ElectLeadersRequest {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kElectLeaders);
    static constexpr bool kReply = false;

    ElectionType type = ElectionType::kPreferred;
    std::optional<std::vector<types::TopicPartition>> partitions;  ///< none: all

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const ElectLeadersRequest&, const ElectLeadersRequest&) = default;
};

struct ElectLeadersResponse {
    static constexpr std::uint16_t kApi = static_cast<std::uint16_t>(types::ApiKey::kElectLeaders);
    static constexpr bool kReply = true;

    types::ErrorCode error = types::ErrorCode::kNone;
    std::vector<NamedResult> partitions;

    [[nodiscard]] std::uint64_t wire_bytes() const;
    friend bool operator==(const ElectLeadersResponse&, const ElectLeadersResponse&) = default;
};

}  // namespace klab::protocol
