// SPDX-License-Identifier: Apache-2.0
//
// The settings of a topic as a partition uses them: the topic's own from the metadata, on top of
// the broker's.
//
// Owns: nothing. Called by: metadata_apply.cc. Kafka: BrokerConfigHandler, TopicConfigHandler
#pragma once

#include <string>

#include "model/replication/replication_types.h"
#include "model/storage/log_config.h"
#include "model/types/topic_config.h"

namespace klab::replication {

/// Requires: the controller has validated the topic's settings.
[[nodiscard]] types::TopicConfig topic_config_of(const Surroundings& around,
                                                 const types::BrokerConfig& broker,
                                                 const std::string& topic);

/// What of them concerns the log.
[[nodiscard]] storage::LogConfig log_config_of(const types::TopicConfig& topic);

}  // namespace klab::replication
