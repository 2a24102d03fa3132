// SPDX-License-Identifier: Apache-2.0
//
// See leader_election.h.
#include "model/controller/leader_election.h"

#include <algorithm>

namespace klab::controller {

using metadata::contains;

namespace {

bool is_eligible(const ElectionInput& input, types::BrokerId replica) {
    return contains(input.isr, replica) || (input.isr.empty() && contains(input.elr, replica));
}

bool is_valid(const ElectionInput& input, types::BrokerId replica) {
    return is_eligible(input, replica) && input.acceptable(replica);
}

bool can_elect_last_known_leader(const ElectionInput& input) {
    const metadata::BrokerIds& last_known = input.partition.last_known_elr;
    return input.last_known_leader_counts && input.isr.empty() && input.elr.empty() &&
           last_known.size() == 1 && input.acceptable(last_known.front());
}

template <typename Predicate>
std::optional<types::BrokerId> first_replica(const ElectionInput& input, Predicate predicate) {
    const auto found = std::ranges::find_if(input.replicas, predicate);
    return found == input.replicas.end() ? std::nullopt : std::optional(*found);
}

std::string_view reason_against(const ElectionInput& input, const CandidateVerdict& candidate) {
    if (!candidate.alive) {
        return "not alive";
    }
    if (!is_eligible(input, candidate.broker)) {
        return input.isr.empty() ? "alive, but never known to be in sync"
                                 : "alive, but not in the ISR";
    }
    return "could lead, but another comes first";
}

std::string_view reason_for(const ElectionInput& input,
                            const ElectionOutcome& outcome,
                            const CandidateVerdict& candidate) {
    if (outcome.unclean) {
        return "nobody in the ISR is alive; the first living replica is taken";
    }
    if (input.isr.empty()) {
        return "the ISR is empty; first living member of the ELR";
    }
    if (input.rule == ElectionRule::kPreferred && candidate.order == 1) {
        return "preferred replica, alive and in the ISR";
    }
    return "first in the assignment that is alive and in the ISR";
}

}  // namespace

ElectionOutcome elect_leader(const ElectionInput& input) {
    const auto valid = [&](types::BrokerId replica) { return is_valid(input, replica); };
    if (input.rule == ElectionRule::kPreferred && !input.replicas.empty() &&
        valid(input.replicas.front())) {
        return {input.replicas.front(), false};
    }
    // A leader that still meets all conditions stays: no change without need.
    if (input.partition.leader && valid(*input.partition.leader)) {
        return {input.partition.leader, false};
    }
    if (const auto replica = first_replica(input, valid)) {
        return {replica, false};
    }
    if (can_elect_last_known_leader(input)) {
        return {input.partition.last_known_elr.front(), true};
    }
    if (input.rule == ElectionRule::kUnclean) {
        if (const auto replica = first_replica(input, input.acceptable)) {
            return {replica, true};
        }
    }
    return {};
}

std::vector<CandidateVerdict> judge_candidates(const ElectionInput& input,
                                               const ElectionOutcome& outcome) {
    std::vector<CandidateVerdict> verdicts;
    for (const types::BrokerId replica : input.replicas) {
        CandidateVerdict verdict;
        verdict.broker = replica;
        verdict.alive = input.acceptable(replica);
        // The ISR of the partition as it stands: a broker that is just being fenced is still in it,
        // and loses for not being alive.
        verdict.in_isr = contains(input.partition.isr, replica);
        verdict.order = static_cast<std::int32_t>(verdicts.size()) + 1;
        verdict.chosen = outcome.leader == replica;
        verdict.why =
            verdict.chosen ? reason_for(input, outcome, verdict) : reason_against(input, verdict);
        verdicts.push_back(verdict);
    }
    return verdicts;
}

}  // namespace klab::controller
