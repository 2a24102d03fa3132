// SPDX-License-Identifier: Apache-2.0
//
// Metadata answers, topic by topic.
#include "model/broker/metadata_answer.h"

#include <utility>

namespace klab::broker {

namespace {

using types::ErrorCode;

bool is_alive(const metadata::MetadataImage& image, types::BrokerId id) {
    const metadata::BrokerRegistration* broker = image.broker(id);
    return broker != nullptr && !broker->fenced;
}

protocol::MetadataPartition describe(const metadata::MetadataImage& image,
                                     std::int32_t index,
                                     const metadata::PartitionRegistration& partition) {
    protocol::MetadataPartition described;
    described.partition = index;
    described.replicas = partition.replicas;
    described.isr = partition.isr;
    for (const types::BrokerId replica : partition.replicas) {
        if (!is_alive(image, replica)) {
            described.offline_replicas.push_back(replica);
        }
    }
    described.leader_epoch = partition.leader_epoch;
    // KRaftMetadataCache.getAliveEndpoint asks for a registration, fenced or not.
    if (partition.leader && image.broker(*partition.leader) != nullptr) {
        described.leader = partition.leader;
    } else {
        described.error = ErrorCode::kLeaderNotAvailable;
    }
    return described;
}

protocol::MetadataTopic describe(const metadata::MetadataImage& image,
                                 const metadata::TopicImage& topic) {
    protocol::MetadataTopic described;
    described.name = topic.name;
    described.topic_id = topic.id;
    topic.partitions.for_each([&](std::int32_t index, const metadata::PartitionRef& partition) {
        described.partitions.push_back(describe(image, index, *partition));
    });
    return described;
}

}  // namespace

protocol::MetadataResponse answer_metadata(const metadata::MetadataImage& image,
                                           const protocol::MetadataRequest& request) {
    protocol::MetadataResponse response;
    image.brokers.for_each(
        [&](types::BrokerId id, const Cow<metadata::BrokerRegistration>& broker) {
            if (!broker->fenced) {
                response.brokers.push_back(id);
            }
        });
    if (!request.topics) {
        image.topic_ids.for_each([&](const std::string&, const types::Uuid& id) {
            response.topics.push_back(describe(image, *image.topic(id)));
        });
        return response;
    }
    for (const std::string& name : *request.topics) {
        if (const metadata::TopicImage* topic = image.topic(name)) {
            response.topics.push_back(describe(image, *topic));
        } else {
            protocol::MetadataTopic unknown;
            unknown.name = name;
            unknown.error = ErrorCode::kUnknownTopicOrPartition;
            response.topics.push_back(std::move(unknown));
        }
    }
    return response;
}

}  // namespace klab::broker
