// SPDX-License-Identifier: Apache-2.0
//
// Who leads a partition. Pure: from the target ISR and ELR, the order of assignment and a predicate
// that says who may lead at all.
//
//     ONLINE     the current leader if it still may; else the first replica in order that may;
//     UNCLEAN    the same; when nobody may, the first replica in order that is alive at all
//     PREFERRED  the first replica of the assignment if it may; else as ONLINE
//
// "May lead" = alive, and in the ISR (or in the ELR when the ISR is empty).
//
// Called by: partition_change_builder.cc.
// Kafka: PartitionChangeBuilder.electLeader; KIP-966 for ELR and the last known leader.
#pragma once

#include <functional>

#include "model/controller/decision.h"
#include "model/metadata/partition_registration.h"

namespace klab::controller {

enum class ElectionRule : std::uint8_t { kOnline, kPreferred, kUnclean };

/// May this broker lead or be led to at all: registered, unfenced, not shutting down, and the log
/// directory of its replica not offline.
// tidy: allow(std-function): argument of one call, never stored
using AcceptableLeader = std::function<bool(types::BrokerId)>;

struct ElectionInput {
    const metadata::PartitionRegistration& partition;
    const metadata::BrokerIds& replicas;  ///< target, in the order of assignment
    const metadata::BrokerIds& isr;       ///< target
    const metadata::BrokerIds& elr;       ///< target
    const AcceptableLeader& acceptable;
    ElectionRule rule = ElectionRule::kOnline;
    bool last_known_leader_counts = false;  ///< ELR on, and its flag
};

struct ElectionOutcome {
    std::optional<types::BrokerId> leader;
    bool unclean = false;

    friend bool operator==(const ElectionOutcome&, const ElectionOutcome&) = default;
};

[[nodiscard]] ElectionOutcome elect_leader(const ElectionInput& input);

/// Every replica with what spoke for or against it.
[[nodiscard]] std::vector<CandidateVerdict> judge_candidates(const ElectionInput& input,
                                                             const ElectionOutcome& outcome);

}  // namespace klab::controller
