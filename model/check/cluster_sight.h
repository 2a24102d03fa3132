// SPDX-License-Identifier: Apache-2.0
//
// ClusterSight: what a check may look up in the world beside the events. One implementation reads a
// KafkaWorld (kafka_sight.h), another one serves the tests of the rules. It is passed along and
// never kept, so the state of the checks stays a value.
//
// Called by: the rule files of this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types/kafka_ids.h"
#include "model/types/record_name.h"
#include "sim/base/time.h"
#include "sim/trace/event.h"

namespace klab::check {

using BrokerIds = std::vector<types::BrokerId>;

/// A partition as its broker holds it in memory.
struct ReplicaSight {
    bool is_leader = false;
    std::optional<types::LeaderEpoch> leader_epoch;
    types::PartitionEpoch partition_epoch;
    types::Offset start;
    types::Offset end;
    types::Offset high_watermark;
    BrokerIds committed_isr;  ///< leader only
    BrokerIds maximal_isr;    ///< leader only
    std::size_t effective_min_isr = 1;
};

/// A partition in the committed metadata.
struct RegistrationSight {
    std::optional<types::BrokerId> leader;
    types::LeaderEpoch leader_epoch;
    types::PartitionEpoch partition_epoch;
    BrokerIds isr;
    BrokerIds elr;
    BrokerIds replicas;
    BrokerIds offline;  ///< replicas in failed log directories of brokers that run
    bool is_recovering = false;
    bool unclean_enabled = false;  ///< unclean.leader.election.enable of the topic
};

/// One batch on a disk.
struct BatchOnDisk {
    std::int64_t base = 0;
    std::int64_t last = 0;
    std::int32_t epoch = -1;
    std::uint32_t crc = 0;
    std::int64_t producer_id = -1;
    std::int32_t producer_epoch = -1;
    std::int32_t base_sequence = -1;

    friend bool operator==(const BatchOnDisk&, const BatchOnDisk&) = default;
};

/// One record on a disk, by name.
struct RecordOnDisk {
    std::int64_t offset = 0;
    std::optional<types::RecordName> name;
    std::optional<std::string> key{};
};

class ClusterSight {
  public:
    ClusterSight() = default;
    virtual ~ClusterSight() = default;

    // --- interned values of events

    [[nodiscard]] virtual const std::string& text(std::int64_t number) const = 0;
    [[nodiscard]] virtual const std::vector<std::int32_t>& list(std::int64_t number) const = 0;
    /// The number of a text in events, -1 when no event used it.
    [[nodiscard]] virtual std::int64_t find_text(const std::string& text) const = 0;

    [[nodiscard]] types::TopicPartition partition(std::int64_t name) const {
        return {text(sim::unpack_name(name)), sim::unpack_index(name)};
    }

    // --- the cluster; nothing when it is not there

    [[nodiscard]] virtual Time time() const = 0;
    [[nodiscard]] virtual bool is_running(types::BrokerId broker) const = 0;
    /// Does every process run, and is every link open?
    [[nodiscard]] virtual bool is_whole() const = 0;
    [[nodiscard]] virtual std::optional<ReplicaSight> replica(
        const types::TopicPartition& partition, types::BrokerId broker) const = 0;
    [[nodiscard]] virtual std::optional<RegistrationSight> registration(
        const types::TopicPartition& partition) const = 0;
    /// Partitions in the committed metadata.
    [[nodiscard]] virtual std::vector<types::TopicPartition> partitions() const = 0;
    [[nodiscard]] virtual std::vector<BatchOnDisk> batches(const types::TopicPartition& partition,
                                                           types::BrokerId broker) const = 0;
    [[nodiscard]] virtual std::vector<RecordOnDisk> records(const types::TopicPartition& partition,
                                                            types::BrokerId broker) const = 0;
    /// Broker epoch under which the leader last saw the follower fetch.
    [[nodiscard]] virtual std::optional<types::BrokerEpoch> follower_epoch(
        const types::TopicPartition& partition,
        types::BrokerId leader,
        types::BrokerId follower) const = 0;
    /// Leader epoch under which a consumer's position was set.
    [[nodiscard]] virtual std::optional<types::LeaderEpoch> position_epoch(
        sim::NodeId consumer, const types::TopicPartition& partition) const = 0;
    /// Is the broker unfenced in the committed metadata, and stays? Nothing when unregistered.
    [[nodiscard]] virtual std::optional<bool> is_active(types::BrokerId broker) const = 0;
    /// Pairs of nodes whose metadata images stand at one offset and differ (M1), for people.
    [[nodiscard]] virtual std::vector<std::string> differing_images() const = 0;

  protected:
    ClusterSight(const ClusterSight&) = default;
    ClusterSight& operator=(const ClusterSight&) = default;
};

}  // namespace klab::check
