// SPDX-License-Identifier: Apache-2.0
//
// Decision: what a rule made of a request. Records to append and an answer to give once they are
// committed; nothing changes before the records are replayed.
//
// Called by: every decide_ function; controller_writes.cc carries decisions out.
// Kafka: ControllerResult.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/metadata/records.h"
#include "sim/base/time.h"

namespace klab::controller {

/// What the controller thought of one replica during an election.
struct CandidateVerdict {
    types::BrokerId broker;
    bool alive = false;
    bool in_isr = false;
    std::int32_t order = 0;  ///< place in the assignment, from 1
    bool chosen = false;
    std::string_view why;  ///< one clause, for people

    friend bool operator==(const CandidateVerdict&, const CandidateVerdict&) = default;
};

/// An election that changed the leader of a partition.
struct ElectionReport {
    metadata::TopicIdPartition id;
    std::vector<CandidateVerdict> candidates;  ///< every replica, in the order of assignment
    std::optional<types::BrokerId> previous;
    std::optional<types::BrokerId> winner;  ///< none: the partition goes offline
    types::LeaderEpoch leader_epoch;        ///< the new one
    metadata::BrokerIds isr;                ///< after the election
    bool unclean = false;

    friend bool operator==(const ElectionReport&, const ElectionReport&) = default;
};

/// What a decision knows of a broker and its records do not say, for the events that tell it.
struct BrokerNote {
    std::string_view fence_reason;    ///< why it is shut out, if it is
    std::optional<Duration> silence;  ///< since its last heartbeat, when that is the reason
    bool clean_registration = false;  ///< its last shutdown was clean

    friend bool operator==(const BrokerNote&, const BrokerNote&) = default;
};

template <typename T>
struct Decision {
    std::vector<metadata::MetadataRecord> records;
    std::vector<ElectionReport> elections;
    std::optional<BrokerNote> broker;
    T result{};
};

}  // namespace klab::controller
