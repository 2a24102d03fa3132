// SPDX-License-Identifier: Apache-2.0
//
// See stray_partitions.h.
#include "model/replication/stray_partitions.h"

namespace klab::replication {

bool is_stray(const metadata::MetadataImage& image,
              types::BrokerId self,
              const std::optional<types::Uuid>& topic_id,
              std::int32_t partition) {
    // partition.metadata is on the disk before the first record: without it the log was never used.
    if (!topic_id) {
        return true;
    }
    const metadata::PartitionRegistration* const registered =
        image.partition({*topic_id, partition});
    return registered == nullptr || !metadata::contains(registered->replicas, self);
}

}  // namespace klab::replication
