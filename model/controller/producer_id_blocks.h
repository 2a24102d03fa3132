// SPDX-License-Identifier: Apache-2.0
//
// AllocateProducerIds: brokers get producer ids in blocks, so that each can hand them out alone. A
// block that was given out is never given again, used up or not.
//
// Called by: request_dispatch.cc.
// Kafka: ProducerIdControlManager, ProducerIdsBlock; KIP-730.
#pragma once

#include "model/controller/controller_state.h"
#include "model/controller/decision.h"
#include "model/protocol/init_producer_id.h"

namespace klab::controller {

inline constexpr std::int32_t kProducerIdBlockSize = 1'000;

/// Errors: kStaleBrokerEpoch; kUnknownServerError when all ids are used up.
[[nodiscard]] Decision<protocol::AllocateProducerIdsResponse> decide_allocate_producer_ids(
    const ControllerView& view, const protocol::AllocateProducerIdsRequest& request);

}  // namespace klab::controller
