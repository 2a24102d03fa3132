// SPDX-License-Identifier: Apache-2.0
//
// What a broker answers to a client's Metadata request, from the image it has published.
//
// Called by: kafka_apis.cc. Kafka: KRaftMetadataCache.getTopicMetadata, getPartitionMetadata.
#pragma once

#include "model/metadata/image.h"
#include "model/protocol/metadata.h"

namespace klab::broker {

/// Fenced brokers are not in the list of brokers and their replicas are offline; a partition
/// without a registered leader reads as LEADER_NOT_AVAILABLE; an unknown topic as
/// UNKNOWN_TOPIC_OR_PARTITION.
[[nodiscard]] protocol::MetadataResponse answer_metadata(const metadata::MetadataImage& image,
                                                         const protocol::MetadataRequest& request);

}  // namespace klab::broker
