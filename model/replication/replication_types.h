// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary between the data plane of a broker and its facade: which request is answered, with
// what, what the broker knows of the cluster, and the lanes on which replication runs.
//
// Called by: replica_manager.h and the files behind it, model/broker.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/metadata/image.h"
#include "model/types/broker_config.h"
#include "model/types/kafka_ids.h"
#include "model/types/rules.h"
#include "sim/base/time.h"
#include "sim/kernel/input.h"
#include "sim/kernel/message.h"
#include "sim/trace/event.h"

namespace klab::replication {

/// The label of a follower's connection to a leader (Context::connect, Connected::purpose).
inline constexpr std::uint32_t kFetcherPurpose = 2;

/// Which request an answer belongs to.
struct RequestHandle {
    sim::ConnectionId connection;
    std::int32_t correlation = 0;
    sim::EventId received;  ///< the event of its arrival: a cause of the answer

    friend bool operator==(const RequestHandle&, const RequestHandle&) = default;
};

/// An answer to send. Requests that must wait are answered later, by whatever completes them.
struct Answer {
    RequestHandle to;
    sim::MessageRef response{};     ///< empty: acks=0, the request just ends
    bool close_connection = false;  ///< acks=0 and something failed: the only feedback there is
    std::optional<sim::EventId> because{};  ///< what completed a parked request (hw.advanced, ...)

    friend bool operator==(const Answer&, const Answer&) = default;
};

using Answers = std::vector<Answer>;

/// A partition by topic id: survives neither deletion nor recreation of the topic.
using PartitionKey = metadata::TopicIdPartition;

/// What the broker knows at this moment. `image` is the metadata it has published.
struct BrokerView {
    const metadata::MetadataImage& image;
    types::BrokerId id;
    std::optional<types::BrokerEpoch> epoch;  ///< none before the first registration
    bool in_controlled_shutdown = false;
};

/// What a rule may look at besides the partition it is about. Made once for each step.
struct Surroundings {
    const types::Rules& rules;
    const metadata::MetadataImage& image;
    types::BrokerId self;
    std::optional<types::BrokerEpoch> self_epoch;
    Time wall;         ///< the broker's wall clock: Kafka measures replica lag with it
    Duration lag_max;  ///< replica.lag.time.max.ms
};

/// Threads on which replication runs. A fetcher has lane fetcher_first + its place, where the place
/// of fetcher f towards the broker at position p of the cluster is p * num.replica.fetchers + f.
struct ReplicationLanes {
    sim::Lane background;     ///< ISR checks, checkpoints, expiry of parked requests
    sim::Lane fetcher_first;  ///< this one and those above it belong to fetchers
    sim::Lane cleaner_first;  ///< likewise to the threads of the log cleaner

    [[nodiscard]] sim::Lane cleaner(std::uint32_t thread) const {
        return sim::Lane(static_cast<std::uint16_t>(cleaner_first.value() + thread));
    }

    friend bool operator==(const ReplicationLanes&, const ReplicationLanes&) = default;
};

/// What a broker's data plane is made with; constant for the life of the process.
struct ReplicationOptions {
    types::BrokerId broker;
    types::BrokerConfig config;
    ReplicationLanes lanes;

    friend bool operator==(const ReplicationOptions&, const ReplicationOptions&) = default;
};

}  // namespace klab::replication
