// SPDX-License-Identifier: Apache-2.0
//
// ProducerIdManager: blocks of ids.
#include "model/broker/producer_id_manager.h"

namespace klab::broker {

std::optional<types::ProducerId> ProducerIdManager::take() {
    if (current_.exhausted()) {
        if (!next_) {
            return std::nullopt;
        }
        current_ = *next_;
        next_.reset();
    }
    return types::ProducerId(current_.first + current_.used++);
}

bool ProducerIdManager::start_request_if_needed() {
    // RPCProducerIdManager asks when it hands out id first + 0.9 * size, the 901st of 1000.
    const bool nearly_used = current_.exhausted() || current_.used * 10 > current_.size * 9;
    if (request_in_flight_ || next_ || !nearly_used) {
        return false;
    }
    request_in_flight_ = true;
    return true;
}

void ProducerIdManager::on_block(
    const std::optional<protocol::AllocateProducerIdsResponse>& response) {
    request_in_flight_ = false;
    if (response && response->error == types::ErrorCode::kNone && response->count > 0) {
        next_ = Block{response->first_id.value(), response->count, 0};
    }
}

}  // namespace klab::broker
