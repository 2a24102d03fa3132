// SPDX-License-Identifier: Apache-2.0
//
// Replay: what one record does to the image, and the delta that remembers what changed. The active
// controller, recovery and every broker use this same function.
//
// Owns: every field of MetadataImage; MetadataDelta.
// Called by: metadata_loader.cc, the controller.
// Kafka: MetadataDelta.replay and TopicsDelta, ClusterDelta, ConfigurationsDelta, FeaturesDelta,
// ProducerIdsDelta.
#pragma once

#include <map>

#include "model/metadata/image.h"
#include "sim/base/result.h"

namespace klab::metadata {

/// One thing before and after a set of records; absent where it did not exist. When both are equal
/// it was touched and came back.
template <typename T>
struct Changed {
    std::optional<T> before;
    std::optional<T> after;

    friend bool operator==(const Changed&, const Changed&) = default;
};

/// What a set of records changed, by what it was before the first and after the last of them.
struct MetadataDelta {
    std::map<TopicIdPartition, Changed<PartitionRef>> partitions;  ///< also those of deleted topics
    std::map<types::Uuid, std::string> created_topics;             ///< id to name
    std::map<types::Uuid, std::string> deleted_topics;
    std::map<types::BrokerId, Changed<Cow<BrokerRegistration>>> brokers;
    std::map<ConfigResource, std::map<std::string, Changed<std::string>>> configs;
    std::map<std::string, Changed<std::int16_t>> features;
    bool producer_ids = false;

    [[nodiscard]] bool empty() const;

    friend bool operator==(const MetadataDelta&, const MetadataDelta&) = default;
};

/// Why a record does not fit the image: the log is not a metadata log that klab wrote.
enum class ReplayError : std::uint8_t {
    kUnknownTopic,
    kUnknownPartition,
    kUnknownBroker,
    kBrokerEpochMismatch,
    kTopicExists,
    kPartitionExists,
};

[[nodiscard]] std::string_view to_text(ReplayError error);

/// Applies one record: changes `image` (its offset becomes `offset`) and adds to `delta`.
/// Transaction records and NoOp only move the offset; withholding is the loader's business.
/// Errors: see ReplayError; then image and delta are as before.
[[nodiscard]] std::optional<ReplayError> apply(MetadataImage& image,
                                               MetadataDelta& delta,
                                               types::Offset offset,
                                               const MetadataRecord& record);

/// The delta from an empty image to this one: everything is new. For a publisher that comes late.
[[nodiscard]] MetadataDelta everything_new(const MetadataImage& image);

}  // namespace klab::metadata
