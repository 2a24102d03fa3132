// SPDX-License-Identifier: Apache-2.0
//
// See producer_id_blocks.h.
#include "model/controller/producer_id_blocks.h"

#include <limits>

#include "model/controller/heartbeat_decision.h"

namespace klab::controller {

Decision<protocol::AllocateProducerIdsResponse> decide_allocate_producer_ids(
    const ControllerView& view, const protocol::AllocateProducerIdsRequest& request) {
    Decision<protocol::AllocateProducerIdsResponse> decision;
    decision.result.error = check_broker_epoch(view, request.broker_id, request.broker_epoch);
    if (decision.result.error != types::ErrorCode::kNone) {
        return decision;
    }
    const std::int64_t first =
        view.state.image.next_producer_id.value_or(types::ProducerId(0)).value();
    if (first > std::numeric_limits<std::int64_t>::max() - kProducerIdBlockSize) {
        decision.result.error = types::ErrorCode::kUnknownServerError;
        return decision;
    }
    decision.result.first_id = types::ProducerId(first);
    decision.result.count = kProducerIdBlockSize;
    decision.records.emplace_back(metadata::ProducerIdsRecord{
        request.broker_id, request.broker_epoch, types::ProducerId(first + kProducerIdBlockSize)});
    return decision;
}

}  // namespace klab::controller
