// SPDX-License-Identifier: Apache-2.0
//
// The settings of a topic as a partition uses them. What counts, the first that exists: the topic's
// own in the metadata, the dynamic cluster-wide default in the metadata, the broker's file, Kafka's
// default.
//
// Owns: nothing. Called by: metadata_apply.cc, log_loading.cc.
// Kafka: TopicConfigHandler, BrokerConfigHandler, DynamicBrokerConfig.
// Simplified: no dynamic settings of a single broker.
#pragma once

#include <string>

#include "model/replication/data_plane.h"
#include "model/storage/log_config.h"
#include "model/types/broker_config.h"
#include "model/types/rules.h"
#include "model/types/topic_config.h"

namespace klab::replication {

/// Requires: the controller has validated the dynamic settings.
[[nodiscard]] types::TopicConfig topic_config_of(const DataPlane& plane, const std::string& topic);

/// What of them concerns the log.
[[nodiscard]] storage::LogConfig log_config_of(const types::TopicConfig& topic,
                                               const types::BrokerConfig& broker,
                                               const types::Rules& rules);

}  // namespace klab::replication
