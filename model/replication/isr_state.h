// SPDX-License-Identifier: Apache-2.0
//
// IsrState: the in-sync replicas as the leader knows them, and the change of them that it has
// proposed to the controller. Until the answer comes the leader cannot know which of the two sets
// is in force, so it works with the larger one: the maximal ISR (KIP-497).
//
//     state            committed ISR      maximal ISR          change in flight
//     kCommitted       isr                isr                  no
//     kPendingExpand   isr                isr + joining        yes
//     kPendingShrink   isr                isr (the larger)     yes
//
//     kCommitted --propose_expand--> kPendingExpand --commit--> kCommitted
//     kCommitted --propose_shrink--> kPendingShrink --commit--> kCommitted
//     kPending*  --revert----------> kCommitted (the controller refused)
//     any        --commit----------> kCommitted (new metadata replace whatever was in flight)
//
// Owns: the committed ISR and the proposal in flight; nothing else writes them. Volatile.
// Called by: isr_expansion.cc, isr_shrink.cc, alter_partition_outcome.cc, become_leader.cc,
// become_follower.cc.
// Kafka: PartitionState, CommittedPartitionState, PendingExpandIsr, PendingShrinkIsr. KIP-497
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/types/kafka_ids.h"

namespace klab::replication {

enum class IsrPhase : std::uint8_t { kCommitted, kPendingExpand, kPendingShrink };

/// A change of the ISR that the controller has not answered yet.
struct IsrProposal {
    std::uint64_t number = 0;               ///< of this partition's proposals, from 1
    std::vector<types::BrokerId> isr;       ///< the ISR asked for
    std::vector<types::BrokerId> replicas;  ///< who joins (one), or who leaves

    friend bool operator==(const IsrProposal&, const IsrProposal&) = default;
};

class IsrState {
  public:
    [[nodiscard]] IsrPhase phase() const { return phase_; }

    /// The ISR that the controller is known to have committed.
    [[nodiscard]] const std::vector<types::BrokerId>& committed() const { return isr_; }

    /// Whether the broker counts for the high watermark.
    [[nodiscard]] bool in_maximal_isr(types::BrokerId broker) const;

    [[nodiscard]] bool in_committed_isr(types::BrokerId broker) const;

    [[nodiscard]] std::size_t maximal_size() const;

    /// A copy of the maximal ISR, for pictures and checks.
    [[nodiscard]] std::vector<types::BrokerId> maximal() const;

    [[nodiscard]] bool is_in_flight() const { return phase_ != IsrPhase::kCommitted; }

    /// The proposal in flight, if any.
    [[nodiscard]] const std::optional<IsrProposal>& proposal() const { return proposal_; }

    /// The controller, or new metadata, says what the ISR is. Drops a proposal in flight.
    void commit(std::span<const types::BrokerId> isr);

    /// Back to the last committed ISR.
    void revert();

    /// Requires: nothing in flight, `joining` is not a member.
    const IsrProposal& propose_expand(types::BrokerId joining);

    /// Requires: nothing in flight, `leaving` is not empty and consists of members.
    const IsrProposal& propose_shrink(std::vector<types::BrokerId> leaving);

    /// Asserts what the table above says.
    void check_state() const;

    friend bool operator==(const IsrState&, const IsrState&) = default;

  private:
    IsrPhase phase_ = IsrPhase::kCommitted;
    std::vector<types::BrokerId> isr_;
    std::optional<IsrProposal> proposal_;  // invariant: present exactly while a change is in flight
    std::uint64_t proposals_ = 0;
};

}  // namespace klab::replication
