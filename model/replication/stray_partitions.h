// SPDX-License-Identifier: Apache-2.0
//
// Strays: logs on a disk that the metadata do not place on this broker. The topic was deleted or
// the replica went elsewhere while the broker was down, or a log was made and never used. Kafka
// does not delete them: it gives them another name and leaves them to the operator.
//
// Owns: the rule. Called by: log_loading.cc.
// Kafka: LogManager.isStrayKraftReplica (4.0), HostedLogs; KAFKA-15968, KIP-516.
#pragma once

#include <cstdint>
#include <optional>

#include "model/metadata/image.h"
#include "model/types/kafka_ids.h"

namespace klab::replication {

/// Does the log not belong here: it names no topic, the image knows no such topic or partition, or
/// this broker is none of its replicas?
[[nodiscard]] bool is_stray(const metadata::MetadataImage& image,
                            types::BrokerId self,
                            const std::optional<types::Uuid>& topic_id,
                            std::int32_t partition);

}  // namespace klab::replication
