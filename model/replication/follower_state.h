// SPDX-License-Identifier: Apache-2.0
//
// FollowerState: what a leader knows of one follower, learned from the follower's fetches alone. A
// fetch from offset o says "I hold everything below o", so a fetch is also an acknowledgement.
//
// Owns: every field of FollowerState; nothing else writes them. Volatile.
// Called by: partition.cc (a follower's fetch), become_leader.cc (a new epoch), high_watermark.cc,
// isr_expansion.cc, isr_shrink.cc.
// Kafka: Replica.updateFetchStateOrThrow, Replica.resetReplicaState, ReplicaState. KIP-320, KIP-903
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/types/kafka_ids.h"
#include "model/types/rules.h"
#include "sim/base/time.h"
#include "sim/trace/event.h"

namespace klab::replication {

struct FollowerState {
    std::optional<types::Offset> log_start_offset;  ///< of the follower, from its fetch
    std::optional<types::Offset> log_end_offset;    ///< of the follower: its last fetch offset

    /// The leader's log end at the follower's previous fetch: reaching it one fetch later still
    /// counts as having been caught up then. Nothing: any offset counts.
    std::optional<types::Offset> last_fetch_leader_end = types::Offset(0);

    Time last_fetch;      ///< leader's wall clock; the epoch of the clock means never
    Time last_caught_up;  ///< likewise: when the follower last held all the leader had

    /// A fetch has arrived since the last reset. Without one the follower cannot join the ISR.
    bool has_fetched = false;
    std::optional<types::BrokerEpoch> broker_epoch;  ///< from its last fetch, if that named one

    std::optional<sim::EventId> end_offset_event;  ///< the fetch that set log_end_offset

    friend bool operator==(const FollowerState&, const FollowerState&) = default;
};

/// A member of the replica set other than the leader.
struct Follower {
    types::BrokerId broker;
    FollowerState state;

    friend bool operator==(const Follower&, const Follower&) = default;
};

/// The follower with this id, or nullptr. A partition has few.
[[nodiscard]] const Follower* find_follower(std::span<const Follower> followers,
                                            types::BrokerId broker);
[[nodiscard]] Follower* find_follower(std::vector<Follower>& followers, types::BrokerId broker);

/// What one fetch says.
struct FollowerFetch {
    types::Offset fetch_offset;
    std::optional<types::Offset> log_start_offset;
    types::Offset leader_end;  ///< the leader's log end before the log was read for this fetch
    std::optional<types::BrokerEpoch> broker_epoch;
    Time now;  ///< leader's wall clock
};

/// Takes note of a fetch. False, and nothing changed, when the fetch comes from an earlier life of
/// the follower: its broker epoch is below `alive_epoch`, the one the metadata hold for the
/// unfenced broker (KIP-903). The caller answers NOT_LEADER_OR_FOLLOWER then.
[[nodiscard]] bool update_fetch_state(FollowerState& state,
                                      const FollowerFetch& fetch,
                                      std::optional<types::BrokerEpoch> alive_epoch);

/// How a new leader epoch begins, from the point of view of one follower.
struct EpochStart {
    Time now;  ///< leader's wall clock
    types::Offset leader_end;
    bool is_new_leader = false;  ///< this broker did not lead in the epoch before
    bool in_isr = false;         ///< the follower is in the ISR of the new epoch
};

/// Forgets what must not be trusted in a new epoch: a new leader knows nothing of its followers'
/// logs until they fetch from it (KIP-320 rule 3). Members of the ISR get a fresh lag allowance.
void reset_follower_state(FollowerState& state, const EpochStart& start, const types::Rules& rules);

/// Is the follower at the leader's end, or has it been within `lag_max`?
[[nodiscard]] bool is_caught_up(const FollowerState& state,
                                types::Offset leader_end,
                                Time now,
                                Duration lag_max);

}  // namespace klab::replication
