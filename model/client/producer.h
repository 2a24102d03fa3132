// SPDX-License-Identifier: Apache-2.0
//
// Producer: one producer process. The application calls send() by its plan (producer.cc); the
// sender drains batches, sends them and judges the answers (sender.cc). Both share this value.
//
//     StartClient -> send() at 0, every, 2 x every, ... -> accumulator -> sender -> broker
//     answer -> acknowledged | enqueued again | split | failed
//
// send() blocks the application while it waits for metadata or buffer memory (max.block.ms); sends
// that fall due meanwhile follow at once.
//
// Owns: everything a producer process has in memory (volatile).
// Called by: kafka_world. Kafka: KafkaProducer, Sender.
// Simplified: no transactions, interceptors; one topic.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/client/client_metadata.h"
#include "model/client/idempotence.h"
#include "model/client/network_client.h"
#include "model/client/partitioner.h"
#include "model/client/record_accumulator.h"
#include "model/protocol/produce.h"
#include "model/types/model_data.h"
#include "model/types/producer_config.h"
#include "sim/kernel/context.h"

namespace klab::client {

class Producer {
  public:
    Producer() = default;

    /// Requires: the settings of `spec` are valid.
    Producer(const types::ModelData& data, const types::ClientSpec& spec);

    void step(const sim::Input& input, sim::Context& ctx);

    // --- for checks and pictures

    [[nodiscard]] const types::ProducerConfig& config() const { return config_; }

    [[nodiscard]] const Idempotence& idempotence() const { return idempotence_; }

    [[nodiscard]] const RecordAccumulator& accumulator() const { return accumulator_; }

    /// Every record of the plan has an outcome.
    [[nodiscard]] bool is_done() const { return finished_records_ == spec_.send.count; }

    friend bool operator==(const Producer&, const Producer&) = default;

  private:
    /// A send() that the application is stuck in.
    struct BlockedSend {
        std::int64_t record = 0;
        Time deadline;  // monotonic

        friend bool operator==(const BlockedSend&, const BlockedSend&) = default;
    };

    /// Batches of one Produce request on the wire.
    struct WireRequest {
        types::BrokerId broker;
        std::vector<ProducerBatch> batches;
        std::vector<ProducerBatch> expired;  // by delivery.timeout.ms, while it was out

        friend bool operator==(const WireRequest&, const WireRequest&) = default;
    };

    // producer.cc: the application
    void start(sim::Context& ctx);
    void call_due_sends(sim::Context& ctx);
    [[nodiscard]] bool send(sim::Context& ctx, std::int64_t record);
    [[nodiscard]] std::optional<std::int32_t> choose_partition(const CachedTopic& topic,
                                                               std::int64_t record) const;
    [[nodiscard]] std::int32_t sticky_partition(sim::Context& ctx,
                                                const CachedTopic& topic,
                                                const storage::RecordInput& input);
    void block(sim::Context& ctx, std::int64_t record);
    void fail_record(sim::Context& ctx,
                     std::int64_t record,
                     std::optional<std::int32_t> partition,
                     types::ErrorCode error);
    void stop(sim::Context& ctx);
    [[nodiscard]] std::int64_t trace_name(sim::Context& ctx,
                                          std::optional<std::int32_t> partition) const;
    [[nodiscard]] std::int64_t trace_acks() const;

    // sender.cc: Sender.runOnce and what follows an answer
    void run_sender(sim::Context& ctx);
    void obtain_producer_id(sim::Context& ctx);
    void send_produce(sim::Context& ctx,
                      types::BrokerId broker,
                      std::vector<ProducerBatch> batches);
    void expire_batches(sim::Context& ctx);
    void expire(sim::Context& ctx, const ProducerBatch& batch);
    void rewrite_sequences(const RewrittenSequences& rewritten);
    void arm_wake_up(sim::Context& ctx, std::optional<Duration> look_again);
    void on_completion(sim::Context& ctx, const Completion& completion);
    void on_producer_id(sim::Context& ctx, const Completion& completion);
    void on_produce_answer(sim::Context& ctx,
                           ProducerBatch batch,
                           const protocol::ProducePartitionResult& result);
    [[nodiscard]] protocol::ProducePartitionResult result_of(const Completion& completion,
                                                             std::int32_t partition) const;
    void unmute(const ProducerBatch& batch);
    void retry(sim::Context& ctx, ProducerBatch batch, types::ErrorCode error);
    void split(sim::Context& ctx, const ProducerBatch& batch);
    void acknowledge(sim::Context& ctx,
                     const ProducerBatch& batch,
                     std::optional<types::Offset> base_offset);
    void fail(sim::Context& ctx, const ProducerBatch& batch, types::ErrorCode error, bool definite);

    std::string name_;
    types::ClientSpec spec_;
    types::ProducerConfig config_;
    NetworkClient net_;
    ClientMetadata metadata_;
    RecordAccumulator accumulator_;
    Idempotence idempotence_;
    Partitioner partitioner_;

    // application
    bool started_ = false;
    bool closing_ = false;
    Time started_at_;                    // monotonic
    std::int64_t next_record_ = 0;       // number of the next send()
    std::int64_t finished_records_ = 0;  // with an outcome
    std::optional<BlockedSend> blocked_;

    // sender
    std::int64_t next_token_ = 1;
    std::map<std::int64_t, WireRequest> wire_;  // by token
    bool id_request_in_flight_ = false;
    Time id_retry_at_;  // monotonic
    std::uint32_t id_failures_ = 0;
};

}  // namespace klab::client
