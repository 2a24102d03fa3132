// SPDX-License-Identifier: Apache-2.0
//
// KafkaSight: a ClusterSight of a Kafka world. Const, without effects, without cost in virtual
// time.
//
// Called by: checker.cc.
#pragma once

#include "model/check/cluster_sight.h"
#include "model/kafka_world/kafka_model.h"

namespace klab::check {

class KafkaSight final : public ClusterSight {
  public:
    /// The world must outlive it.
    explicit KafkaSight(const world::KafkaWorld& world) : world_(world) {}

    [[nodiscard]] const std::string& text(std::int64_t number) const override;
    [[nodiscard]] const std::vector<std::int32_t>& list(std::int64_t number) const override;
    [[nodiscard]] std::int64_t find_text(const std::string& text) const override;
    [[nodiscard]] Time time() const override;
    [[nodiscard]] bool is_running(types::BrokerId broker) const override;
    [[nodiscard]] bool is_whole() const override;
    [[nodiscard]] std::optional<ReplicaSight> replica(const types::TopicPartition& partition,
                                                      types::BrokerId broker) const override;
    [[nodiscard]] std::optional<RegistrationSight> registration(
        const types::TopicPartition& partition) const override;
    [[nodiscard]] std::vector<types::TopicPartition> partitions() const override;
    [[nodiscard]] std::vector<BatchOnDisk> batches(const types::TopicPartition& partition,
                                                   types::BrokerId broker) const override;
    [[nodiscard]] std::vector<RecordOnDisk> records(const types::TopicPartition& partition,
                                                    types::BrokerId broker) const override;
    [[nodiscard]] std::optional<types::BrokerEpoch> follower_epoch(
        const types::TopicPartition& partition,
        types::BrokerId leader,
        types::BrokerId follower) const override;
    [[nodiscard]] std::optional<types::LeaderEpoch> position_epoch(
        sim::NodeId consumer, const types::TopicPartition& partition) const override;
    [[nodiscard]] std::optional<bool> is_active(types::BrokerId broker) const override;
    [[nodiscard]] std::vector<std::string> differing_images() const override;

  private:
    const world::KafkaWorld& world_;
};

}  // namespace klab::check
