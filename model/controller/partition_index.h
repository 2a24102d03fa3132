// SPDX-License-Identifier: Apache-2.0
//
// PartitionIndex: which partitions to look at when something happens to a broker, so that no rule
// walks all partitions of the cluster.
//
// Owns: the sets below; a function of the image alone.
// Called by: controller_state.cc (keeps it up to date), the rules that react to brokers.
// Kafka: BrokersToIsrs, ReplicationControlManager.imbalancedPartitions, directoriesToPartitions.
#pragma once

#include <cstdint>
#include <vector>

#include "model/metadata/image.h"
#include "sim/base/cow_map.h"

namespace klab::controller {

class PartitionIndex {
  public:
    /// A partition was made (before nullptr), changed or removed (after nullptr).
    void update(const metadata::TopicIdPartition& id,
                const metadata::PartitionRegistration* before,
                const metadata::PartitionRegistration* after);

    /// Partitions with the broker in the ISR, in order of (topic id, partition).
    [[nodiscard]] std::vector<metadata::TopicIdPartition> in_isr_of(types::BrokerId broker) const;

    /// Partitions with the broker in the ELR.
    [[nodiscard]] std::vector<metadata::TopicIdPartition> in_elr_of(types::BrokerId broker) const;

    /// Partitions with a replica in the log directory of that id. Reserved ids name none.
    [[nodiscard]] std::vector<metadata::TopicIdPartition> in_directory(
        const types::Uuid& directory) const;

    [[nodiscard]] std::vector<metadata::TopicIdPartition> leaderless() const;

    /// Partitions that another replica than the preferred one leads, or nobody.
    [[nodiscard]] std::vector<metadata::TopicIdPartition> imbalanced() const;

    [[nodiscard]] std::uint64_t leaderships(types::BrokerId broker) const;

    friend bool operator==(const PartitionIndex&, const PartitionIndex&) = default;

  private:
    struct Present {
        friend bool operator==(Present, Present) = default;
    };

    using PartitionSet = CowMap<metadata::TopicIdPartition, Present>;

    struct OfBroker {
        PartitionSet in_isr;
        PartitionSet in_elr;
        std::uint64_t leaderships = 0;

        friend bool operator==(const OfBroker&, const OfBroker&) = default;
    };

    void update_directories(const metadata::TopicIdPartition& id,
                            const std::vector<types::Uuid>& before,
                            const std::vector<types::Uuid>& after);
    static void put(PartitionSet& set, const metadata::TopicIdPartition& id, bool present);

    CowMap<types::BrokerId, OfBroker> brokers_;
    CowMap<types::Uuid, PartitionSet> directories_;
    PartitionSet leaderless_;
    PartitionSet imbalanced_;
};

}  // namespace klab::controller
