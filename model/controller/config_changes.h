// SPDX-License-Identifier: Apache-2.0
//
// IncrementalAlterConfigs: dynamic settings of topics, brokers and all brokers. A setting is
// checked by the table of settings before it is written.
//
// Called by: request_dispatch.cc, topic_creation.cc.
// Kafka: ConfigurationControlManager.incrementalAlterConfig, ControllerConfigurationValidator.
// Simplified: only SET and DELETE; names of broker settings are checked here too (Kafka leaves that
// to the brokers); no ClearElr records; no policies.
#pragma once

#include "model/controller/controller_state.h"
#include "model/controller/decision.h"
#include "model/protocol/topic_admin.h"

namespace klab::controller {

/// One atomic change. Errors: kUnknownTopicOrPartition, kBrokerIdNotRegistered, kInvalidRequest (a
/// broker id that is no number, or a name twice), kInvalidConfig.
[[nodiscard]] Decision<protocol::AlterConfigsResponse> decide_alter_configs(
    const ControllerView& view, const protocol::AlterConfigsRequest& request);

/// Settings of a topic that is being created. Errors: kInvalidConfig.
[[nodiscard]] Result<std::vector<metadata::MetadataRecord>, protocol::NamedResult>
topic_config_records(const ControllerView& view, const protocol::NewTopic& topic);

}  // namespace klab::controller
