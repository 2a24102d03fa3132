// SPDX-License-Identifier: Apache-2.0
//
// Metadata records: the entries of __cluster_metadata. Everything a cluster knows about itself
// (brokers, topics, partitions, settings) is the replay of these records in order.
//
// Owns: the record types. Their bytes are record_codec.h, their effect is image_replay.h.
// Called by: the controller (writes them), the metadata loader of controllers and brokers.
// Kafka: metadata/src/main/resources/common/metadata/*.json; KIP-500, KIP-631, KIP-858, KIP-966.
// Simplified: no ACLs, SCRAM, tokens, quotas, ZooKeeper migration, controller registrations.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/protocol/alter_partition.h"
#include "model/types/kafka_ids.h"

namespace klab::metadata {

using protocol::LeaderRecoveryState;

/// Ordered, as Kafka keeps replica lists.
using BrokerIds = std::vector<types::BrokerId>;

/// A partition by the id of its topic: survives deletion and re-creation of the name.
struct TopicIdPartition {
    types::Uuid topic_id;
    std::int32_t partition = 0;

    friend bool operator==(const TopicIdPartition&, const TopicIdPartition&) = default;
    friend auto operator<=>(const TopicIdPartition&, const TopicIdPartition&) = default;
};

/// Reserved directory ids (Kafka: DirectoryId).
inline constexpr types::Uuid kDirectoryMigrating{0, 0};   ///< written before directories were known
inline constexpr types::Uuid kDirectoryUnassigned{0, 1};  ///< a replica not placed yet
inline constexpr types::Uuid kDirectoryLost{0, 2};        ///< some offline directory

struct BrokerEndpoint {
    std::string name;
    std::string host;
    std::uint16_t port = 0;
    std::int16_t security_protocol = 0;  ///< 0 = PLAINTEXT

    friend bool operator==(const BrokerEndpoint&, const BrokerEndpoint&) = default;
};

struct BrokerFeature {
    std::string name;
    std::int16_t min_supported = 0;
    std::int16_t max_supported = 0;

    friend bool operator==(const BrokerFeature&, const BrokerFeature&) = default;
};

struct RegisterBrokerRecord {
    static constexpr std::int16_t kApiKey = 0;

    types::BrokerId broker_id;
    bool is_migrating_zk_broker = false;
    types::Uuid incarnation_id;
    types::BrokerEpoch broker_epoch;
    std::vector<BrokerEndpoint> endpoints;
    std::vector<BrokerFeature> features;
    std::optional<std::string> rack;
    bool fenced = true;
    bool in_controlled_shutdown = false;
    std::vector<types::Uuid> log_dirs;

    friend bool operator==(const RegisterBrokerRecord&, const RegisterBrokerRecord&) = default;
};

struct UnregisterBrokerRecord {
    static constexpr std::int16_t kApiKey = 1;

    types::BrokerId broker_id;
    types::BrokerEpoch broker_epoch;

    friend bool operator==(const UnregisterBrokerRecord&, const UnregisterBrokerRecord&) = default;
};

struct TopicRecord {
    static constexpr std::int16_t kApiKey = 2;

    std::string name;
    types::Uuid topic_id;

    friend bool operator==(const TopicRecord&, const TopicRecord&) = default;
};

struct PartitionRecord {
    static constexpr std::int16_t kApiKey = 3;

    std::int32_t partition_id = -1;
    types::Uuid topic_id;
    BrokerIds replicas;
    BrokerIds isr;
    BrokerIds removing_replicas;
    BrokerIds adding_replicas;
    std::optional<types::BrokerId> leader;
    LeaderRecoveryState recovery = LeaderRecoveryState::kRecovered;
    types::LeaderEpoch leader_epoch;
    types::PartitionEpoch partition_epoch;
    std::vector<types::Uuid> directories;  ///< one a replica, or empty before KIP-858
    std::optional<BrokerIds> eligible_leader_replicas;
    std::optional<BrokerIds> last_known_elr;

    friend bool operator==(const PartitionRecord&, const PartitionRecord&) = default;
};

enum class ConfigResourceKind : std::uint8_t { kTopic = 2, kBroker = 4 };

/// A topic, a broker ("1"), or all brokers (kind broker, empty name).
struct ConfigResource {
    ConfigResourceKind kind = ConfigResourceKind::kTopic;
    std::string name;

    friend bool operator==(const ConfigResource&, const ConfigResource&) = default;
    friend auto operator<=>(const ConfigResource&, const ConfigResource&) = default;
};

struct ConfigRecord {
    static constexpr std::int16_t kApiKey = 4;

    ConfigResource resource;
    std::string name;
    std::optional<std::string> value;  ///< none: the setting goes back to its default

    friend bool operator==(const ConfigRecord&, const ConfigRecord&) = default;
};

/// What a partition change says about the leader: somebody (even the same as before: the leader
/// epoch rises), or nobody.
struct LeaderChange {
    std::optional<types::BrokerId> leader;

    friend bool operator==(const LeaderChange&, const LeaderChange&) = default;
};

/// Absent fields keep the partition's value.
struct PartitionChangeRecord {
    static constexpr std::int16_t kApiKey = 5;

    std::int32_t partition_id = -1;
    types::Uuid topic_id;
    std::optional<BrokerIds> isr;
    std::optional<LeaderChange> leader;
    std::optional<BrokerIds> replicas;
    std::optional<BrokerIds> removing_replicas;
    std::optional<BrokerIds> adding_replicas;
    std::optional<LeaderRecoveryState> recovery;
    std::optional<BrokerIds> eligible_leader_replicas;
    std::optional<BrokerIds> last_known_elr;
    std::optional<std::vector<types::Uuid>> directories;

    friend bool operator==(const PartitionChangeRecord&, const PartitionChangeRecord&) = default;
};

struct RemoveTopicRecord {
    static constexpr std::int16_t kApiKey = 9;

    types::Uuid topic_id;

    friend bool operator==(const RemoveTopicRecord&, const RemoveTopicRecord&) = default;
};

struct FeatureLevelRecord {
    static constexpr std::int16_t kApiKey = 12;

    std::string name;
    std::int16_t level = 0;  ///< 0: the feature is off

    friend bool operator==(const FeatureLevelRecord&, const FeatureLevelRecord&) = default;
};

struct ProducerIdsRecord {
    static constexpr std::int16_t kApiKey = 15;

    types::BrokerId broker_id;
    types::BrokerEpoch broker_epoch;
    types::ProducerId next_producer_id;  ///< first id of the block after this one

    friend bool operator==(const ProducerIdsRecord&, const ProducerIdsRecord&) = default;
};

enum class FenceChange : std::int8_t { kUnfence = -1, kNone = 0, kFence = 1 };

struct BrokerRegistrationChangeRecord {
    static constexpr std::int16_t kApiKey = 17;

    types::BrokerId broker_id;
    types::BrokerEpoch broker_epoch;
    FenceChange fenced = FenceChange::kNone;
    bool enters_controlled_shutdown = false;
    std::vector<types::Uuid> log_dirs;  ///< empty: unchanged

    friend bool operator==(const BrokerRegistrationChangeRecord&,
                           const BrokerRegistrationChangeRecord&) = default;
};

/// Changes nothing; keeps the log's end moving, so that lag is visible.
struct NoOpRecord {
    static constexpr std::int16_t kApiKey = 20;

    friend bool operator==(const NoOpRecord&, const NoOpRecord&) = default;
};

struct BeginTransactionRecord {
    static constexpr std::int16_t kApiKey = 23;

    std::optional<std::string> name;

    friend bool operator==(const BeginTransactionRecord&, const BeginTransactionRecord&) = default;
};

struct EndTransactionRecord {
    static constexpr std::int16_t kApiKey = 24;

    friend bool operator==(const EndTransactionRecord&, const EndTransactionRecord&) = default;
};

struct AbortTransactionRecord {
    static constexpr std::int16_t kApiKey = 25;

    std::optional<std::string> reason;

    friend bool operator==(const AbortTransactionRecord&, const AbortTransactionRecord&) = default;
};

/// Forgets ELRs that were judged by another min.insync.replicas (KIP-966).
struct ClearElrRecord {
    static constexpr std::int16_t kApiKey = 28;

    std::string topic;  ///< "": all topics

    friend bool operator==(const ClearElrRecord&, const ClearElrRecord&) = default;
};

using MetadataRecord = std::variant<RegisterBrokerRecord,
                                    UnregisterBrokerRecord,
                                    TopicRecord,
                                    PartitionRecord,
                                    ConfigRecord,
                                    PartitionChangeRecord,
                                    RemoveTopicRecord,
                                    FeatureLevelRecord,
                                    ProducerIdsRecord,
                                    BrokerRegistrationChangeRecord,
                                    NoOpRecord,
                                    BeginTransactionRecord,
                                    EndTransactionRecord,
                                    AbortTransactionRecord,
                                    ClearElrRecord>;

/// "PartitionChangeRecord" and so on.
[[nodiscard]] std::string_view record_name(const MetadataRecord& record);

/// Name of the feature whose level is the metadata.version.
inline constexpr std::string_view kMetadataVersionFeature = "metadata.version";

/// Name of the feature that switches ELR on, at level 1.
inline constexpr std::string_view kElrFeature = "eligible.leader.replicas.version";

}  // namespace klab::metadata
