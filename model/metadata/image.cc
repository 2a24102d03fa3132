// SPDX-License-Identifier: Apache-2.0
//
// See image.h.
#include "model/metadata/image.h"

#include <algorithm>

namespace klab::metadata {

bool BrokerRegistration::has_online_dir(const types::Uuid& directory) const {
    if (directory == kDirectoryUnassigned || directory == kDirectoryMigrating) {
        return true;
    }
    if (directory == kDirectoryLost) {
        return false;
    }
    return log_dirs.empty() || std::ranges::find(log_dirs, directory) != log_dirs.end();
}

const PartitionRegistration* TopicImage::partition(std::int32_t index) const {
    const PartitionRef* found = partitions.find(index);
    return found == nullptr ? nullptr : &found->read();
}

const BrokerRegistration* MetadataImage::broker(types::BrokerId id) const {
    const Cow<BrokerRegistration>* found = brokers.find(id);
    return found == nullptr ? nullptr : &found->read();
}

const TopicImage* MetadataImage::topic(types::Uuid id) const {
    const Cow<TopicImage>* found = topics.find(id);
    return found == nullptr ? nullptr : &found->read();
}

const TopicImage* MetadataImage::topic(std::string_view name) const {
    const types::Uuid* id = topic_ids.find(std::string(name));
    return id == nullptr ? nullptr : topic(*id);
}

const PartitionRegistration* MetadataImage::partition(const TopicIdPartition& id) const {
    const TopicImage* owner = topic(id.topic_id);
    return owner == nullptr ? nullptr : owner->partition(id.partition);
}

const PartitionRegistration* MetadataImage::partition(
    const types::TopicPartition& partition) const {
    const TopicImage* owner = topic(partition.topic);
    return owner == nullptr ? nullptr : owner->partition(partition.partition);
}

std::optional<std::int16_t> MetadataImage::metadata_level() const {
    const std::int16_t* level = features.find(std::string(kMetadataVersionFeature));
    return level == nullptr ? std::nullopt : std::optional(*level);
}

bool MetadataImage::knows_directories() const {
    constexpr std::int16_t kLevelDirectoryAssignment = 17;
    return metadata_level().value_or(0) >= kLevelDirectoryAssignment;
}

const std::string* MetadataImage::config(const ConfigResource& resource,
                                         std::string_view name) const {
    const ConfigMap& settings = configs_of(resource);
    const auto found = settings.find(std::string(name));
    return found == settings.end() ? nullptr : &found->second;
}

const ConfigMap& MetadataImage::configs_of(const ConfigResource& resource) const {
    static const ConfigMap kNone;
    const Cow<ConfigMap>* found = configs.find(resource);
    return found == nullptr ? kNone : found->read();
}

}  // namespace klab::metadata
