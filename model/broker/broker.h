// SPDX-License-Identifier: Apache-2.0
//
// Broker: one broker process. It only routes inputs to the parts that know what they mean:
//
//     connections, requests --> request_pipeline --> kafka_apis --> replication, metadata_answer,
//     ... replies, timers ------> the part that owns the connection or timer calls of the operator
//     -> lifecycle
//
// Start: register; follow the metadata; once the controller says that it has caught up with its own
// registration, publish for the first time: open the logs, become leader or follower, open the
// doors, ask to be unfenced. Stop: controlled shutdown, flush, marker, exit.
//
// Owns: the parts below, all volatile; the disk is the only thing that survives.
// Called by: kafka_world. Kafka: BrokerServer, KafkaApis, BrokerMetadataPublisher.
#pragma once

#include <cstdint>
#include <optional>

#include "model/broker/broker_lanes.h"
#include "model/broker/broker_lifecycle_manager.h"
#include "model/broker/controller_channel.h"
#include "model/broker/metadata_follower.h"
#include "model/broker/producer_id_manager.h"
#include "model/broker/request_pipeline.h"
#include "model/replication/replica_manager.h"
#include "model/types/model_data.h"
#include "sim/kernel/context.h"

namespace klab::broker {

class Broker {
  public:
    Broker() = default;

    /// A process that has not booted. Requires: the settings of `spec` are valid.
    Broker(const types::ModelData& data, const types::BrokerSpec& spec);

    void step(const sim::Input& input, sim::Context& ctx);

    // --- for checks and pictures

    [[nodiscard]] types::BrokerId id() const { return id_; }

    [[nodiscard]] BrokerState state() const { return lifecycle_.state(); }

    [[nodiscard]] std::optional<types::BrokerEpoch> epoch() const { return lifecycle_.epoch(); }

    [[nodiscard]] const replication::ReplicaManager& replicas() const { return replicas_; }

    [[nodiscard]] const metadata::MetadataImage& image() const { return follower_.image(); }

    [[nodiscard]] const RequestPipeline& pipeline() const { return pipeline_; }

    friend bool operator==(const Broker&, const Broker&) = default;

  private:
    [[nodiscard]] replication::BrokerView view() const;
    void halt_if_log_dir_failed(sim::Context& ctx);
    void boot(sim::Context& ctx);
    void on_connected(const sim::Connected& input, sim::Context& ctx);
    void on_disconnected(const sim::Disconnected& input, sim::Context& ctx);
    void on_delivered(const sim::Delivered& input,
                      sim::Context& ctx,
                      replication::Answers& answers);
    void on_timer(const sim::TimerFired& input, sim::Context& ctx, replication::Answers& answers);
    void on_call(const sim::AppCall& input, sim::Context& ctx);
    void publish(const metadata::MetadataDelta& change,
                 sim::Context& ctx,
                 replication::Answers& answers);
    void maybe_publish_first(sim::Context& ctx, replication::Answers& answers);
    /// Says whether the logs could be loaded.
    [[nodiscard]] bool first_publish(sim::Context& ctx, replication::Answers& answers);
    void handle_request(const QueuedRequest& request,
                        sim::Context& ctx,
                        replication::Answers& answers);
    void init_producer_id(const QueuedRequest& request,
                          sim::Context& ctx,
                          replication::Answers& answers);
    void forward(const QueuedRequest& request, sim::Context& ctx);
    void take_outcome(const std::optional<ControllerChannel::Outcome>& outcome,
                      std::uint32_t purpose,
                      sim::Context& ctx,
                      replication::Answers& answers);
    void on_forwarded(const ControllerChannel::Outcome& outcome, replication::Answers& answers);
    void obey(BrokerLifecycleManager::Effect effect, sim::Context& ctx);
    void send_isr_proposals(sim::Context& ctx);

    types::BrokerId id_;
    BrokerLanes lanes_;
    RequestPipeline pipeline_;
    BrokerLifecycleManager lifecycle_;
    ControllerChannel heartbeat_channel_;
    ControllerChannel alter_partition_channel_;
    ControllerChannel forwarding_channel_;
    MetadataFollower follower_;
    ProducerIdManager producer_ids_;
    replication::ReplicaManager replicas_;
    bool published_ = false;      // the first publish has happened
    bool shutting_down_ = false;  // the operator asked for it
    bool halting_ = false;        // the log directory failed: nothing is done any more
    std::int64_t next_token_ = 1;
    CowMap<std::int64_t, QueuedRequest> forwarded_;  // by token of the channel
};

}  // namespace klab::broker
