// SPDX-License-Identifier: Apache-2.0
//
// MetadataImage: the whole metadata of a cluster at one offset of __cluster_metadata, as a value.
// Copying it costs a few counter increments, whatever the size of the cluster.
//
// Owns: the parts (features, brokers, topics, configs, producer ids). image_replay.h changes them.
// Called by: the controller (its memory), brokers (metadata cache), checks, pictures.
// Kafka: MetadataImage, FeaturesImage, ClusterImage, TopicsImage, ConfigurationsImage,
// ProducerIdsImage.
// Simplified: no ACLs, SCRAM, tokens, quotas, controller registrations; no snapshots yet.
#pragma once

#include <map>
#include <string_view>

#include "model/metadata/partition_registration.h"
#include "sim/base/cow.h"
#include "sim/base/cow_map.h"

namespace klab::metadata {

/// One broker as it registered, and whether it may take part.
struct BrokerRegistration {
    types::BrokerId id;
    types::BrokerEpoch epoch;
    types::Uuid incarnation_id;
    std::vector<BrokerEndpoint> endpoints;
    std::vector<BrokerFeature> features;
    std::optional<std::string> rack;
    bool fenced = true;
    bool in_controlled_shutdown = false;
    std::vector<types::Uuid> log_dirs;

    /// May lead and be in ISRs: not fenced and not shutting down.
    [[nodiscard]] bool is_active() const { return !fenced && !in_controlled_shutdown; }

    /// May a replica be in this directory? Unassigned and migrating ones may be anywhere; and a
    /// broker that registered without directories did not know better (KAFKA-16162).
    [[nodiscard]] bool has_online_dir(const types::Uuid& directory) const;

    friend bool operator==(const BrokerRegistration&, const BrokerRegistration&) = default;
};

/// Shared until written, so that maps of partitions copy cheaply.
using PartitionRef = Cow<PartitionRegistration>;

struct TopicImage {
    std::string name;
    types::Uuid id;
    CowMap<std::int32_t, PartitionRef> partitions;

    /// The partition, or nullptr. The pointer dies with the next write to the image.
    [[nodiscard]] const PartitionRegistration* partition(std::int32_t index) const;

    friend bool operator==(const TopicImage&, const TopicImage&) = default;
};

/// Settings of one resource: Kafka's name to text.
using ConfigMap = std::map<std::string, std::string>;

struct MetadataImage {
    std::optional<types::Offset> offset;  ///< last record in it, none when empty
    CowMap<std::string, std::int16_t> features;
    CowMap<types::BrokerId, Cow<BrokerRegistration>> brokers;
    CowMap<types::Uuid, Cow<TopicImage>> topics;
    CowMap<std::string, types::Uuid> topic_ids;  ///< by name
    CowMap<ConfigResource, Cow<ConfigMap>> configs;
    std::optional<types::ProducerId> next_producer_id;  ///< none: no block was given out yet

    // Questions; each pointer dies with the next write to the image.

    [[nodiscard]] const BrokerRegistration* broker(types::BrokerId id) const;
    [[nodiscard]] const TopicImage* topic(types::Uuid id) const;
    [[nodiscard]] const TopicImage* topic(std::string_view name) const;
    [[nodiscard]] const PartitionRegistration* partition(const TopicIdPartition& id) const;
    [[nodiscard]] const PartitionRegistration* partition(
        const types::TopicPartition& partition) const;

    /// The level of metadata.version, none before the first FeatureLevel record.
    [[nodiscard]] std::optional<std::int16_t> metadata_level() const;

    /// Do registrations and partitions name log directories (metadata.version 3.7-IV2, KIP-858)?
    [[nodiscard]] bool knows_directories() const;

    /// A dynamic setting of a resource, nullptr when it has none of that name.
    [[nodiscard]] const std::string* config(const ConfigResource& resource,
                                            std::string_view name) const;

    /// All dynamic settings of a resource; empty when it has none.
    [[nodiscard]] const ConfigMap& configs_of(const ConfigResource& resource) const;

    friend bool operator==(const MetadataImage&, const MetadataImage&) = default;
};

}  // namespace klab::metadata
