// SPDX-License-Identifier: Apache-2.0
//
// Partition: one partition as one broker hosts it. This file holds the fields and says which rule
// file writes which of them; partition.cc only routes to the rules.
//
//     field                                        written by
//     role, leader, epochs, replicas               become_leader.cc, become_follower.cc
//     isr                                          isr_state.h, through isr_expansion.cc,
//                                                  isr_shrink.cc, alter_partition_outcome.cc, and
//                                                  the two above
//     followers                                    follower_state.h
//     the high watermark (in log)                  high_watermark.cc; clamped by storage
//     the log                                      produce_handling.cc, follower_append.cc,
//                                                  truncation.cc
//
// Owns: nothing by itself. Volatile but for the log.
// Called by: replica_manager.cc and the rule files.
// Kafka: Partition. Simplified: no reassignment state, no future replica, no transactions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/replication/follower_state.h"
#include "model/replication/isr_state.h"
#include "model/replication/replication_types.h"
#include "model/storage/log.h"
#include "model/types/kafka_ids.h"
#include "sim/kernel/context.h"

namespace klab::replication {

enum class Role : std::uint8_t {
    kNone,  ///< hosted, but no metadata applied yet
    kLeader,
    kFollower,
};

/// A parked request that waits for a partition, and the partition's place in that request.
struct Watch {
    std::uint64_t request = 0;
    std::uint32_t place = 0;

    friend bool operator==(const Watch&, const Watch&) = default;
};

struct Partition {
    types::TopicPartition name;
    PartitionKey key;
    std::int64_t trace_name = 0;  ///< name as events carry it, interned once

    Role role = Role::kNone;
    std::optional<types::BrokerId> leader;
    std::optional<types::LeaderEpoch> leader_epoch;  ///< last one applied; never falls
    types::PartitionEpoch partition_epoch;           ///< last one applied; never falls
    std::optional<types::Offset> epoch_start;        ///< leader only: log end when its epoch began
    std::vector<types::BrokerId> replicas;           ///< the assignment, this broker included

    IsrState isr;                     ///< leader only
    std::vector<Follower> followers;  ///< leader only: the other replicas, in assignment order

    std::int32_t min_insync_replicas = 1;  ///< of the topic; see effective_min_isr

    storage::Log log;

    /// Parked requests to look at when this partition changes, oldest first; requests that are over
    /// may linger (purgatory.h).
    std::vector<Watch> parked_produces;
    std::vector<Watch> parked_fetches;
    std::vector<Watch> parked_deletions;

    [[nodiscard]] bool is_leader() const { return role == Role::kLeader; }

    /// min.insync.replicas, but never more than there are replicas.
    [[nodiscard]] std::size_t effective_min_isr() const;

    /// Committed ISR on a leader, nothing elsewhere; for the isr_size field of events.
    [[nodiscard]] std::int64_t isr_size_for_trace() const;

    friend bool operator==(const Partition&, const Partition&) = default;
};

}  // namespace klab::replication
