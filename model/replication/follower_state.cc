// SPDX-License-Identifier: Apache-2.0
//
// See follower_state.h.
#include "model/replication/follower_state.h"

#include <algorithm>

namespace klab::replication {

const Follower* find_follower(std::span<const Follower> followers, types::BrokerId broker) {
    for (const Follower& follower : followers) {
        if (follower.broker == broker) {
            return &follower;
        }
    }
    return nullptr;
}

Follower* find_follower(std::vector<Follower>& followers, types::BrokerId broker) {
    for (Follower& follower : followers) {
        if (follower.broker == broker) {
            return &follower;
        }
    }
    return nullptr;
}

bool update_fetch_state(FollowerState& state,
                        const FollowerFetch& fetch,
                        std::optional<types::BrokerEpoch> alive_epoch) {
    if (fetch.broker_epoch && alive_epoch && *alive_epoch > *fetch.broker_epoch) {
        return false;
    }
    if (fetch.fetch_offset >= fetch.leader_end) {
        state.last_caught_up = std::max(state.last_caught_up, fetch.now);
    } else if (!state.last_fetch_leader_end || fetch.fetch_offset >= *state.last_fetch_leader_end) {
        // It now has all the leader had at its previous fetch: it was caught up at that time.
        state.last_caught_up = std::max(state.last_caught_up, state.last_fetch);
    }
    state.log_start_offset = fetch.log_start_offset;
    state.log_end_offset = fetch.fetch_offset;
    state.last_fetch_leader_end =
        std::max(fetch.leader_end, state.last_fetch_leader_end.value_or(fetch.leader_end));
    state.last_fetch = fetch.now;
    state.has_fetched = true;
    state.broker_epoch = fetch.broker_epoch;
    return true;
}

void reset_follower_state(FollowerState& state,
                          const EpochStart& start,
                          const types::Rules& rules) {
    state.last_caught_up = start.in_isr ? start.now : Time{};
    // Mutant follower-state-not-reset: a new leader goes on from what it knew in an earlier term.
    const bool forget =
        start.is_new_leader && !rules.mutated(types::Mutant::kFollowerStateNotReset);
    if (forget) {
        state.log_start_offset.reset();
        state.log_end_offset.reset();
        state.last_fetch_leader_end.reset();
        state.last_fetch = Time{};
        state.has_fetched = false;
        state.broker_epoch.reset();
        state.end_offset_event.reset();
        return;
    }
    state.last_fetch_leader_end = start.leader_end;
    state.last_fetch = start.in_isr ? start.now : Time{};
}

bool is_caught_up(const FollowerState& state,
                  types::Offset leader_end,
                  Time now,
                  Duration lag_max) {
    return state.log_end_offset == leader_end || now - state.last_caught_up <= lag_max;
}

}  // namespace klab::replication
