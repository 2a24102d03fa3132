// SPDX-License-Identifier: Apache-2.0
//
// AlterPartitionManager: the queue of ISR proposals on their way to the controller. One request is
// in flight per broker and carries every proposal not sent yet; a partition has at most one
// proposal in the queue. There is no deadline: a proposal stays until it is answered.
//
//     submit ----> queued ----next_request----> in flight ----answer----> gone
//                     ^                            |
//                     +--- failure (after 50 ms), or missing from the answer
//
// Owns: the queue. Volatile: a restarted broker proposes afresh.
// Called by: replica_manager.cc; partition.cc submits.
// Kafka: DefaultAlterPartitionManager. KIP-497
// Simplified: the channel below (a facade's business) hides disconnects and NOT_CONTROLLER, as in
// Kafka's NodeToControllerChannelManager.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/protocol/alter_partition.h"
#include "model/replication/replication_types.h"
#include "sim/base/cow_map.h"

namespace klab::replication {

/// Pause before proposals are sent again after the whole request failed.
inline constexpr Duration kAlterPartitionRetryBackoff = milliseconds(50);

class AlterPartitionManager {
  public:
    /// Has the partition a proposal that the controller has not answered?
    [[nodiscard]] bool has(const PartitionKey& key) const { return queue_.contains(key); }

    /// Adds a proposal; `number` tells the partition later which one an answer is about. False when
    /// the partition has one in the queue already (Kafka: OPERATION_NOT_ATTEMPTED).
    [[nodiscard]] bool submit(protocol::AlterPartitionItem item, std::uint64_t number);

    /// A request with everything queued, or nothing when one is in flight, when a resend waits for
    /// its timer, or when the queue is empty.
    [[nodiscard]] std::optional<protocol::AlterPartitionRequest> next_request(
        types::BrokerId broker, types::BrokerEpoch broker_epoch);

    /// One answered proposal, removed from the queue.
    struct Answered {
        PartitionKey key;
        std::uint64_t number = 0;  ///< of the proposal
        protocol::AlterPartitionResult result;
    };

    /// The answered proposals in the order of the answer. A proposal that was sent and is not in
    /// the answer stays in the queue. Requires: a request was in flight, no top-level error.
    [[nodiscard]] std::vector<Answered> on_response(
        const protocol::AlterPartitionResponse& response);

    /// The whole request failed: everything stays queued, and nothing is sent until on_retry_timer.
    void on_failure();

    void on_retry_timer() { waiting_ = false; }

    [[nodiscard]] bool is_in_flight() const { return !in_flight_.empty(); }

    /// Proposals that the controller has not answered.
    [[nodiscard]] std::uint64_t queued() const { return queue_.size(); }

    friend bool operator==(const AlterPartitionManager&, const AlterPartitionManager&) = default;

  private:
    struct Queued {
        protocol::AlterPartitionItem item;
        std::uint64_t number = 0;

        friend bool operator==(const Queued&, const Queued&) = default;
    };

    CowMap<PartitionKey, Queued> queue_;
    std::vector<PartitionKey> in_flight_;  // sorted; empty: no request is out
    bool waiting_ = false;                 // for the retry timer
};

}  // namespace klab::replication
