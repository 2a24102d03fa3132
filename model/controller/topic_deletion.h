// SPDX-License-Identifier: Apache-2.0
//
// DeleteTopics: one RemoveTopic record each. Brokers delete their replicas when they apply it;
// nobody waits for that.
//
// Called by: request_dispatch.cc.
// Kafka: ReplicationControlManager.deleteTopics, ControllerApis.deleteTopics.
// Simplified: by name only; no mutation quota.
#pragma once

#include "model/controller/controller_state.h"
#include "model/controller/decision.h"
#include "model/protocol/topic_admin.h"

namespace klab::controller {

/// One result for each name, in order. Errors: kUnknownTopicOrPartition, kInvalidRequest (a name
/// that stands twice).
[[nodiscard]] Decision<protocol::DeleteTopicsResponse> decide_delete_topics(
    const ControllerView& view, const protocol::DeleteTopicsRequest& request);

}  // namespace klab::controller
