// SPDX-License-Identifier: Apache-2.0
//
// Consumer: one consumer process with partitions of its own choice. The application polls, works on
// each record, polls again; behind it positions are reset and validated and data is fetched ahead.
//
//     consumer.cc         routing, the application's loop
//     offset_reset.cc     positions without a value: ListOffsets by auto.offset.reset
//     position_validation.cc   positions after a new leader epoch: OffsetForLeaderEpoch (KIP-320)
//     consumer_fetch.cc   fetch requests, answers, errors, handing out of records
//
// Owns: everything a consumer process has in memory (volatile).
// Called by: kafka_world. Kafka: KafkaConsumer, Fetcher, FetchCollector, OffsetFetcher,
// SubscriptionState.
// Simplified: no groups and commits yet, no fetch sessions, no follower fetching, no transactions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/client/client_metadata.h"
#include "model/client/fetch_position.h"
#include "model/client/network_client.h"
#include "model/protocol/fetch.h"
#include "model/protocol/list_offsets.h"
#include "model/protocol/offset_for_leader_epoch.h"
#include "model/storage/record.h"
#include "model/types/consumer_config.h"
#include "model/types/model_data.h"
#include "sim/kernel/context.h"

namespace klab::client {

class Consumer {
  public:
    Consumer() = default;

    /// Requires: the settings of `spec` are valid.
    Consumer(const types::ModelData& data, const types::ClientSpec& spec);

    void step(const sim::Input& input, sim::Context& ctx);

    // --- for checks and pictures

    [[nodiscard]] const std::vector<FetchPosition>& positions() const { return positions_; }

    [[nodiscard]] const types::ConsumerConfig& config() const { return config_; }

    /// An error that the application cannot pass: it has stopped polling.
    [[nodiscard]] bool has_failed() const { return failed_; }

    friend bool operator==(const Consumer&, const Consumer&) = default;

  private:
    /// A record in the application's hands.
    struct PolledRecord {
        std::size_t place = 0;  // of its partition in positions_
        types::Offset offset;
        std::optional<types::LeaderEpoch> leader_epoch;
        std::int64_t producer = sim::kAbsent;  // node
        std::int64_t record = sim::kAbsent;
        std::int64_t high_watermark = sim::kAbsent;
        sim::EventId received;
        sim::EventId polled;

        friend bool operator==(const PolledRecord&, const PolledRecord&) = default;
    };

    /// What a request on the wire is about.
    struct WireRequest {
        enum class Kind : std::uint8_t { kFetch, kReset, kValidate } kind = Kind::kFetch;
        types::BrokerId broker;
        std::vector<std::size_t> places;     // partitions it names
        std::vector<types::Offset> offsets;  // fetch offsets or positions, per place

        friend bool operator==(const WireRequest&, const WireRequest&) = default;
    };

    // consumer.cc
    void start(sim::Context& ctx);
    void run(sim::Context& ctx);
    void on_completion(sim::Context& ctx, const Completion& completion);
    void arm_wake_up(sim::Context& ctx);
    void application(sim::Context& ctx);
    void finish_record(sim::Context& ctx, const PolledRecord& record);
    void fail(sim::Context& ctx,
              const FetchPosition& position,
              types::ErrorCode error,
              types::ApiKey api);
    [[nodiscard]] std::int64_t trace_name(sim::Context& ctx, const FetchPosition& position) const;
    [[nodiscard]] std::optional<types::BrokerId> leader_of(const FetchPosition& position) const;
    void ask_again_later(sim::Context& ctx, FetchPosition& position) const;
    void move_to(sim::Context& ctx,
                 FetchPosition& position,
                 types::Offset offset,
                 std::optional<types::LeaderEpoch> epoch,
                 const std::string& reason) const;

    // offset_reset.cc
    void begin_reset(sim::Context& ctx,
                     FetchPosition& position,
                     const std::string& reason,
                     types::ErrorCode without_policy,
                     types::ApiKey api);
    void send_resets(sim::Context& ctx);
    void on_reset_answer(sim::Context& ctx,
                         const WireRequest& request,
                         const std::optional<sim::MessageRef>& response);

    // position_validation.cc
    void notice_new_epochs();
    void send_validations(sim::Context& ctx);
    void on_validation_answer(sim::Context& ctx,
                              const WireRequest& request,
                              const std::optional<sim::MessageRef>& response);
    void on_epoch_end(sim::Context& ctx,
                      FetchPosition& position,
                      const protocol::OffsetForLeaderEpochResult& result);

    // consumer_fetch.cc
    void send_fetches(sim::Context& ctx);
    void on_fetch_answer(sim::Context& ctx,
                         const WireRequest& request,
                         const std::optional<sim::MessageRef>& response);
    void on_fetch_result(sim::Context& ctx,
                         FetchPosition& position,
                         types::Offset fetch_offset,
                         const protocol::FetchPartitionResult& result);
    [[nodiscard]] std::vector<PolledRecord> poll(sim::Context& ctx);
    void take_records(sim::Context& ctx,
                      std::size_t place,
                      std::size_t most,
                      std::vector<PolledRecord>& out);
    /// False when the batch is not through: `most` is reached, or its records cannot be read.
    [[nodiscard]] bool take_batch(sim::Context& ctx,
                                  std::size_t place,
                                  const storage::RecordBatchView& batch,
                                  const FetchedData& data,
                                  std::size_t most,
                                  std::vector<PolledRecord>& out);
    [[nodiscard]] PolledRecord hand_out(sim::Context& ctx,
                                        std::size_t place,
                                        const storage::RecordView& record,
                                        const storage::RecordBatchView& batch,
                                        const FetchedData& data);

    types::ClientSpec spec_;
    types::ConsumerConfig config_;
    NetworkClient net_;
    ClientMetadata metadata_;
    std::vector<FetchPosition> positions_;
    std::vector<std::size_t> order_;  // places in turn: a drained partition goes to the end
    bool started_ = false;
    bool failed_ = false;
    std::int64_t next_token_ = 1;
    std::map<std::int64_t, WireRequest> wire_;  // by token
    std::vector<PolledRecord> in_hand_;  // polled, not yet worked on; the first is being worked on
    bool working_ = false;               // timer kWork is set for in_hand_.front()
};

}  // namespace klab::client
