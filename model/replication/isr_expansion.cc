// SPDX-License-Identifier: Apache-2.0
//
// See isr_expansion.h.
#include "model/replication/isr_expansion.h"

namespace klab::replication {

using types::Mutant;

std::optional<types::BrokerEpoch> alive_broker_epoch(const metadata::MetadataImage& image,
                                                     types::BrokerId broker) {
    const metadata::BrokerRegistration* registration = image.broker(broker);
    if (registration == nullptr || registration->fenced) {
        return std::nullopt;
    }
    return registration->epoch;
}

bool is_isr_eligible(const Follower& follower, const Surroundings& around) {
    const metadata::BrokerRegistration* registration = around.image.broker(follower.broker);
    if (registration == nullptr || !registration->is_active()) {
        return false;
    }
    // Mutant broker-epoch-unchecked: any life of the broker will do.
    if (!around.rules.isr_join_checks_broker_epoch ||
        around.rules.mutated(Mutant::kBrokerEpochUnchecked)) {
        return true;
    }
    const FollowerState& state = follower.state;
    return state.has_fetched && (!state.broker_epoch || *state.broker_epoch == registration->epoch);
}

bool is_follower_in_sync(const FollowerState& state,
                         const InSyncBar& bar,
                         const types::Rules& rules) {
    if (!state.log_end_offset) {
        return false;
    }
    // Mutant isr-expand-too-early: the first fetch suffices, wherever it is.
    if (rules.mutated(Mutant::kIsrExpandTooEarly)) {
        return true;
    }
    // Mutant expand-below-hw: the start of the epoch alone decides.
    const bool at_high_watermark =
        *state.log_end_offset >= bar.high_watermark || rules.mutated(Mutant::kExpandBelowHw);
    // KAFKA-7128: a new leader's high watermark may be behind what was committed before it, but
    // nothing committed lies above the start of its epoch.
    const bool at_epoch_start = !rules.isr_join_needs_epoch_start ||
                                (bar.epoch_start && *state.log_end_offset >= *bar.epoch_start);
    return at_high_watermark && at_epoch_start;
}

bool should_expand_isr(const IsrState& isr,
                       const Follower& follower,
                       const InSyncBar& bar,
                       const Surroundings& around) {
    return !isr.is_in_flight() && !isr.in_maximal_isr(follower.broker) &&
           is_follower_in_sync(follower.state, bar, around.rules) &&
           is_isr_eligible(follower, around);
}

}  // namespace klab::replication
