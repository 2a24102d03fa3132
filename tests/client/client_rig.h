// SPDX-License-Identifier: Apache-2.0
//
// ClientRig: one real producer or consumer against brokers that the test plays. Brokers answer
// metadata and InitProducerId by themselves and hold everything else until the test answers. All
// choices are calm: jitter is its lowest (0.8), a packet takes 0.5 ms, draws are 0.
//
//     ClientRig rig(producer_spec({.count = 2, .every = milliseconds(10)}), 1);
//     rig.start();                          // leader of t-0 is broker 1, epoch 0
//     rig.run(milliseconds(30));
//     EXPECT_EQ(rig.on_wire(1), "p0 r0 e0 s0, p0 r1 e0 s1");
//     rig.answer(1, {.base_offset = 0});    // the oldest request
//     EXPECT_EQ(rig.outcomes(), "r0@0");
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/client/consumer.h"
#include "model/client/producer.h"
#include "model/types/kafka_events.h"
#include "sim/kernel/world.h"
#include "tests/sim/run_on.h"

namespace klab::client {

struct RigNode;
using RigAction = tests::NodeAction<RigNode>;

/// A request that waits for the test's answer.
struct HeldRequest {
    sim::ConnectionId connection;
    std::int32_t correlation = 0;
    sim::MessageRef message;

    friend bool operator==(const HeldRequest&, const HeldRequest&) = default;
};

struct RigBroker {
    protocol::MetadataResponse metadata;
    bool answers_metadata = true;
    bool answers_producer_id = true;
    std::int64_t producer_id = 1000;
    std::vector<sim::ConnectionId> connections;
    std::vector<HeldRequest> held;  ///< oldest first
    std::vector<Time> metadata_asked;

    friend bool operator==(const RigBroker&, const RigBroker&) = default;
};

struct RigNode {
    std::optional<RigBroker> broker;
    std::optional<Producer> producer;
    std::optional<Consumer> consumer;

    friend bool operator==(const RigNode&, const RigNode&) = default;
};

struct RigModel {
    using Node = RigNode;
    using Data = types::ModelData;

    static Node make_node(const Data& data, sim::NodeId id);
    static void step(Node& node, const sim::Input& input, sim::Context& ctx);
};

/// Leader of a partition as metadata tell it.
struct RigLeader {
    std::optional<std::int32_t> broker;
    std::int32_t epoch = 0;
};

/// What a broker says of a produce request, for each of its partitions.
struct ProduceAnswer {
    types::ErrorCode error = types::ErrorCode::kNone;
    std::optional<std::int64_t> base_offset = std::nullopt;
    std::optional<std::int64_t> log_start_offset = std::nullopt;
    std::optional<RigLeader> hint = std::nullopt;  ///< KIP-951
};

/// What a broker says of a fetch of t-0.
struct FetchAnswer {
    types::ErrorCode error = types::ErrorCode::kNone;
    std::int64_t base_offset = 0;
    std::int32_t leader_epoch = 0;
    std::int64_t records = 0;  ///< one batch of so many, or nothing
    std::int32_t batches = 1;  ///< that batch again and again, each behind the one before
    types::Codec codec = types::Codec::kNone;
    bool is_damaged = false;  ///< the last batch: a timestamp, or the end of the compressed stream
    std::optional<std::int64_t> high_watermark = std::nullopt;
    std::optional<RigLeader> hint = std::nullopt;
};

constexpr types::Uuid kRigTopic{1, 2};

class ClientRig {
  public:
    /// Partition p of topic t is led by broker p mod `brokers` + 1, epoch 0.
    explicit ClientRig(const types::ClientSpec& client,
                       std::int32_t brokers = 1,
                       std::int32_t partitions = 1,
                       const types::Rules& rules = types::rules_of(types::kDefaultVersion));

    // --- the cluster

    /// What metadata say from now on. Clients learn it when they ask.
    void set_leaders(const std::vector<RigLeader>& leaders);

    /// The topic is unknown from now on.
    void forget_topic();
    void hold_metadata(bool hold);
    void hold_producer_id(bool hold);

    /// The broker's process dies and is back at once: connections are reset, requests are lost.
    void restart(std::int32_t broker);
    void crash(std::int32_t broker);

    /// The machine is gone: packets to it vanish.
    void power_off(std::int32_t broker);

    // --- the client

    /// Boots all and tells the client to begin.
    void start();
    void stop_client();
    void run(Duration length);

    [[nodiscard]] const Producer& producer() const { return *node(client_).producer; }

    [[nodiscard]] const Consumer& consumer() const { return *node(client_).consumer; }

    [[nodiscard]] const FetchPosition& position(std::size_t place = 0) const {
        return consumer().positions().at(place);
    }

    // --- requests

    /// Produce requests that wait at a broker: "p0 r0 e0 s0, p0 r1-2 e0 s1"; batches of one request
    /// are joined by " + ", without idempotence only "p0 r0".
    [[nodiscard]] std::string on_wire(std::int32_t broker) const;

    /// How many requests wait at a broker.
    [[nodiscard]] std::size_t held(std::int32_t broker) const {
        return broker_state(broker).held.size();
    }

    /// The oldest request of this type that waits at the broker. Requires: there is one.
    template <typename T>
    [[nodiscard]] const T& oldest(std::int32_t broker) const {
        const HeldRequest* request = held_of<T>(broker);
        KLAB_ASSERT(request != nullptr, "no such request waits at broker {}", broker);
        return request->message.template as<T>();
    }

    template <typename T>
    [[nodiscard]] std::size_t count_held(std::int32_t broker) const {
        std::size_t count = 0;
        for (const HeldRequest& request : broker_state(broker).held) {
            count += request.message.is<T>() ? 1U : 0U;
        }
        return count;
    }

    /// Answers the oldest produce request and lets the answer arrive (0.5 ms).
    void answer(std::int32_t broker, const ProduceAnswer& answer);

    /// The same with one answer a partition.
    void answer_each(std::int32_t broker, const std::map<std::int32_t, ProduceAnswer>& answers);

    /// Answers the oldest fetch, ListOffsets or OffsetForLeaderEpoch of t-0.
    void answer_fetch(std::int32_t broker, const FetchAnswer& answer);
    void answer_list_offsets(std::int32_t broker, const protocol::ListOffsetsPartitionResult& in);
    void answer_epoch_end(std::int32_t broker, const protocol::OffsetForLeaderEpochResult& in);

    /// Answers the oldest request of type T with `response`.
    template <typename T>
    void reply(std::int32_t broker, sim::MessageRef response) {
        const HeldRequest* request = held_of<T>(broker);
        KLAB_ASSERT(request != nullptr, "no such request waits at broker {}", broker);
        reply_to(broker, *request, std::move(response));
    }

    // --- what happened

    /// Outcomes in order: "r0@0 r1:REQUEST_TIMED_OUT r2@-" (no offset).
    [[nodiscard]] std::string outcomes() const;

    /// Records handed to the application: "0 1 2".
    [[nodiscard]] std::string polled() const;

    /// position.reset events: "-1>0 initial, 5>3 truncation".
    [[nodiscard]] std::string resets() const;
    [[nodiscard]] std::vector<sim::Event> events(sim::EventKind kind) const;

    [[nodiscard]] const RigBroker& broker_state(std::int32_t broker) const {
        return *node(node_id(broker)).broker;
    }

    [[nodiscard]] sim::World<RigModel>& world() { return world_; }

    [[nodiscard]] sim::NodeId client_node() const { return client_; }

    /// Runs `action` inside a step of the client's process, past its own routing.
    void with_context(const std::function<void(sim::Context&)>& action);

    /// The client's draws at a site, in order; later ones are calm.
    void set_draws(sim::ChoiceSite site, const std::vector<std::uint32_t>& picks);

    static sim::NodeId node_id(std::int32_t broker) {
        return sim::NodeId(static_cast<std::uint32_t>(broker - 1));
    }

  private:
    [[nodiscard]] const RigNode& node(sim::NodeId id) const { return world_.node(id); }

    template <typename T>
    [[nodiscard]] const HeldRequest* held_of(std::int32_t broker) const {
        for (const HeldRequest& request : broker_state(broker).held) {
            if (request.message.is<T>()) {
                return &request;
            }
        }
        return nullptr;
    }

    void reply_to(std::int32_t broker, HeldRequest request, sim::MessageRef response);
    void on_brokers(const std::function<void(RigBroker&)>& change);
    void run_on(sim::NodeId node, RigAction action);
    void collect();

    std::int32_t brokers_ = 0;
    sim::NodeId client_;
    protocol::MetadataResponse metadata_;
    sim::World<RigModel> world_;
    std::vector<sim::Event> events_;
};

// --- shorthands

/// A producer of topic t whose batches are its single records: linger.ms 0.
types::ClientSpec producer_spec(const types::SendPlan& plan, types::SettingMap config = {});

/// A plan for partition 0.
types::SendPlan sends(std::int64_t count, Duration every = milliseconds(10));

/// A consumer of t-0 (or more partitions).
types::ClientSpec consumer_spec(types::SettingMap config = {}, std::int32_t partitions = 1);

/// A key that goes to `partition` of `count`.
std::string key_for(std::int32_t partition, std::int32_t count);

}  // namespace klab::client
