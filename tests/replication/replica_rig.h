// SPDX-License-Identifier: Apache-2.0
//
// ReplicaRig: a few data planes in one world, without brokers and controller around them. The test
// plays the controller (publish), the producer, the consumer and the follower; fetchers between the
// nodes are real.
//
//     ReplicaRig rig(2);                                   // brokers 1 and 2
//     rig.publish({1, 2}, partition_of({1, 2}, {1, 2}, 1)); // to both: leader 1, epoch 0
//     rig.produce(1, {"a", "b"});
//     rig.run(milliseconds(10));
//     EXPECT_EQ(rig.end(2), 2);
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/replication/replica_manager.h"
#include "model/types/kafka_events.h"
#include "model/types/model_data.h"
#include "sim/kernel/world.h"
#include "tests/replication/surroundings_builder.h"
#include "tests/sim/run_on.h"
#include "tests/storage/log_builder.h"

namespace klab::replication {

struct RigNode;
using RigAction = tests::NodeAction<RigNode>;

/// A broker reduced to its data plane.
struct RigNode {
    types::BrokerId id;
    std::optional<types::BrokerEpoch> epoch;
    bool in_controlled_shutdown = false;
    metadata::MetadataImage image;
    bool has_published = false;  ///< the first image of this process has been applied
    ReplicaManager manager;
    Answers answers;  ///< to requests that the test made
    std::vector<protocol::AlterPartitionRequest> proposals;
    std::optional<StartError> start_error;                 ///< of the first image
    LogDirFailures failures;                               ///< of this process, all together
    std::vector<protocol::DirectoryAssignment> misplaced;  ///< what the controller is to be told

    [[nodiscard]] BrokerView view() const { return {image, id, epoch, in_controlled_shutdown}; }

    friend bool operator==(const RigNode&, const RigNode&) = default;
};

struct RigModel {
    using Node = RigNode;
    using Data = types::ModelData;

    static Node make_node(const Data& data, sim::NodeId id);
    static void step(Node& node, const sim::Input& input, sim::Context& ctx);
};

constexpr types::Uuid kRigTopic{1, 2};
inline const PartitionKey kRigPartition{kRigTopic, 0};

struct RigPartition {
    std::vector<types::BrokerId> replicas;
    std::vector<types::BrokerId> isr;
    std::optional<std::int32_t> leader;
    std::int32_t leader_epoch = 0;
    std::int32_t partition_epoch = 0;
    std::vector<types::Uuid> directories{};  ///< one a replica, or none: migrating
};

class ReplicaRig {
  public:
    explicit ReplicaRig(std::int32_t brokers,
                        types::Rules rules = types::rules_of(types::kDefaultVersion),
                        types::SettingMap config = {});

    // --- the controller

    /// Sets partition t-0 of the metadata and tells these brokers.
    void publish(std::initializer_list<std::int32_t> to, const RigPartition& partition);

    /// Sets partition `index` of topic t as well.
    void publish_partition(std::int32_t to, std::int32_t index, const RigPartition& partition);

    /// Tells a broker that has just booted what it was told before.
    void publish_again(std::int32_t to);

    /// What the metadata of a broker say of metadata.version.
    void set_metadata_level(std::int32_t at, std::int16_t level);

    /// Deletes the topic in the metadata of one broker.
    void publish_deletion(std::int32_t to);

    /// Changes what a broker's metadata say of broker `of`, without a delta for partitions.
    template <typename Change>
    void change_registration(std::int32_t at, std::int32_t of, Change change) {
        change_broker(images_[at], of, change);
        tell(at, images_[at], {});
    }

    /// min.insync.replicas of topic t, or of the cluster's default.
    void set_min_isr(std::int32_t at, std::int32_t min_isr);
    void set_default_min_isr(std::int32_t at, std::int32_t min_isr);

    /// Answers the proposal that is out at this broker.
    void answer_proposal(std::int32_t at, const protocol::AlterPartitionResponse& response);

    /// Grants it: the ISR that was asked for, partition epoch `partition_epoch`.
    void grant_proposal(std::int32_t at, std::int32_t partition_epoch);
    void refuse_proposal(std::int32_t at, types::ErrorCode error);

    // --- clients

    /// Sends a produce request; returns its number. `acks` -1, 0 or 1.
    std::int32_t produce(std::int32_t to,
                         const std::vector<std::string>& values,
                         std::int16_t acks = 1,
                         std::int32_t timeout_ms = 30'000);
    std::int32_t produce_bytes(std::int32_t to,
                               const Bytes& batch,
                               std::int16_t acks,
                               std::int32_t index = 0);

    std::int32_t fetch(std::int32_t to, const protocol::FetchRequest& request);
    [[nodiscard]] protocol::ListOffsetsPartitionResult list_offset(
        std::int32_t to,
        std::int64_t timestamp,
        std::optional<std::int32_t> replica = std::nullopt,
        std::optional<std::int32_t> current_epoch = std::nullopt);
    [[nodiscard]] protocol::OffsetForLeaderEpochResult end_of_epoch(
        std::int32_t to,
        std::int32_t epoch,
        std::optional<std::int32_t> current_epoch = std::nullopt);

    /// The answer to request `number`, or nothing while it waits.
    [[nodiscard]] std::optional<Answer> answer(std::int32_t to, std::int32_t number) const;
    [[nodiscard]] std::optional<protocol::ProducePartitionResult> produced(
        std::int32_t to, std::int32_t number) const;
    [[nodiscard]] std::optional<protocol::FetchPartitionResult> fetched(std::int32_t to,
                                                                        std::int32_t number) const;

    /// A fetch of t-0 as follower `replica` makes it, answered at once.
    protocol::FetchPartitionResult follower_fetch(
        std::int32_t to,
        std::int32_t replica,
        std::int64_t offset,
        std::optional<std::int32_t> current_epoch = std::nullopt);

    // --- time and faults

    void run(Duration length);

    /// Starts the process; it learns its metadata with the next publish to it.
    void boot(std::int32_t broker);
    void crash(std::int32_t broker);

    /// Connections between two brokers deliver nothing from now on.
    void cut(std::int32_t a, std::int32_t b);
    void heal(std::int32_t a, std::int32_t b);

    /// Runs `action` inside a step of the broker.
    void run_on(std::int32_t broker, RigAction action);

    // --- what is

    [[nodiscard]] const RigNode& node(std::int32_t broker) const {
        return world_.node(node_id(broker));
    }

    /// Partition t-0 at a broker. Requires: hosted.
    [[nodiscard]] const Partition& partition(std::int32_t broker) const;

    [[nodiscard]] bool hosts(std::int32_t broker) const {
        return node(broker).manager.find(kRigPartition) != nullptr;
    }

    [[nodiscard]] std::int64_t end(std::int32_t broker) const {
        return partition(broker).log.log_end_offset().value();
    }

    [[nodiscard]] std::int64_t high_watermark(std::int32_t broker) const {
        return partition(broker).log.high_watermark().value();
    }

    /// Values of the records in t-0, with their epochs: "0:a 0:b 1:c".
    [[nodiscard]] std::string records(std::int32_t broker) const;

    /// The fetch state of t-0 at a follower, or nothing when no fetcher has it.
    [[nodiscard]] std::optional<FollowerFetchState> fetch_state(std::int32_t broker) const;

    /// Events of a kind since the start, with this node or any.
    [[nodiscard]] std::vector<sim::Event> events(sim::EventKind kind,
                                                 std::optional<std::int32_t> broker = {}) const;

    [[nodiscard]] const sim::World<RigModel>& world() const { return world_; }

    [[nodiscard]] sim::World<RigModel>& world() { return world_; }

    static sim::NodeId node_id(std::int32_t broker) {
        return sim::NodeId(static_cast<std::uint32_t>(broker - 1));
    }

  private:
    void collect();
    void set_config(std::int32_t at,
                    const metadata::ConfigResource& resource,
                    std::int32_t min_isr);
    void tell(std::int32_t to,
              const metadata::MetadataImage& image,
              const metadata::MetadataDelta& delta);

    std::int32_t next_request_ = 1;
    std::map<std::int32_t, metadata::MetadataImage> images_;  // by broker: what it was told
    sim::World<RigModel> world_;
    std::vector<sim::Event> events_;
};

// --- shorthands

inline RigPartition partition_of(std::initializer_list<std::int32_t> replicas,
                                 std::initializer_list<std::int32_t> isr,
                                 std::optional<std::int32_t> leader,
                                 std::int32_t leader_epoch = 0,
                                 std::int32_t partition_epoch = 0) {
    return {brokers(replicas), brokers(isr), leader, leader_epoch, partition_epoch};
}

/// A fetch of t-0.
protocol::FetchRequest consumer_fetch(std::int64_t offset, std::int32_t max_wait_ms = 0);
protocol::FetchRequest replica_fetch(std::int32_t replica,
                                     std::int64_t offset,
                                     std::int32_t max_wait_ms = 0);

}  // namespace klab::replication
