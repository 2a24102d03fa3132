// SPDX-License-Identifier: Apache-2.0
//
// ProducerIdManager: gives producer ids out of a block that the controller allocated to this
// broker, and asks for the next block in good time.
//
// Owns: the current and the next block (volatile: ids of a lost block are never used).
// Called by: kafka_apis.cc. Kafka: RPCProducerIdManager; KIP-730.
#pragma once

#include <cstdint>
#include <optional>

#include "model/protocol/init_producer_id.h"
#include "model/types/kafka_ids.h"

namespace klab::broker {

class ProducerIdManager {
  public:
    /// The next id, or nothing while no block is here (COORDINATOR_LOAD_IN_PROGRESS for the client,
    /// which tries again).
    [[nodiscard]] std::optional<types::ProducerId> take();

    /// Should a block be asked for now? True once more than 90 % of the current block is used and
    /// no request is under way; marks the request as under way.
    [[nodiscard]] bool start_request_if_needed();

    /// The controller's answer, or nothing when the request failed.
    void on_block(const std::optional<protocol::AllocateProducerIdsResponse>& response);

    friend bool operator==(const ProducerIdManager&, const ProducerIdManager&) = default;

  private:
    struct Block {
        std::int64_t first = 0;
        std::int64_t size = 0;
        std::int64_t used = 0;

        [[nodiscard]] bool exhausted() const { return used >= size; }

        friend bool operator==(const Block&, const Block&) = default;
    };

    Block current_;
    std::optional<Block> next_;
    bool request_in_flight_ = false;
};

}  // namespace klab::broker
