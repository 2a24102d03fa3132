// SPDX-License-Identifier: Apache-2.0
//
// CheckRig: a made-up cluster for the tests of the checks. Three brokers b1..b3 (nodes 0..2), one
// controller k1 (3), a producer p1 (4), a consumer c1 (5), one partition t-0 with
// min.insync.replicas
// 2. Each verb makes the events that the model would emit and gives them to a Checker; what a check
// looks up in the world is answered from fields that a test may set.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/check/checker.h"
#include "sim/trace/interner.h"

namespace klab::check {

/// What the checks find when they look up.
class FakeSight final : public ClusterSight {
  public:
    [[nodiscard]] const std::string& text(std::int64_t number) const override;
    [[nodiscard]] const std::vector<std::int32_t>& list(std::int64_t number) const override;
    [[nodiscard]] std::int64_t find_text(const std::string& text) const override;

    [[nodiscard]] Time time() const override { return now; }

    [[nodiscard]] bool is_running(types::BrokerId broker) const override;

    [[nodiscard]] bool is_whole() const override { return whole; }

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

    [[nodiscard]] std::vector<std::string> differing_images() const override { return images; }

    sim::Interner interner;
    Time now;
    bool whole = true;
    std::map<std::int32_t, ReplicaSight> replicas;
    std::map<std::int32_t, std::vector<BatchOnDisk>> disks;
    std::map<std::int32_t, std::vector<RecordOnDisk>> names;
    std::optional<RegistrationSight> committed;
    std::map<std::int32_t, std::int64_t> follower_epochs;
    std::optional<std::int32_t> reader_epoch;
    std::map<std::int32_t, bool> active;
    std::vector<std::string> images;
};

class CheckRig {
  public:
    using Ids = std::vector<std::int32_t>;

    /// The cluster of the file comment; `with` may change the data before the checker sees them.
    template <typename F>
    explicit CheckRig(F with) {
        types::ModelData data = make_data();
        with(data);
        start(data);
    }

    CheckRig() : CheckRig([](types::ModelData&) {}) {}

    static types::ModelData make_data();

    // --- the nodes

    void boot(std::int32_t broker);
    void crash(std::int32_t broker);
    void power_off(std::int32_t broker);
    void wipe(std::int32_t broker);
    void registered(std::int32_t broker, std::int64_t epoch);
    void unfenced(std::int32_t broker);
    void fenced(std::int32_t broker);
    void leaving(std::int32_t broker);

    // --- the controller

    struct Change {
        std::int32_t leader = -1;
        std::int32_t leader_epoch = 0;
        std::int32_t partition_epoch = 0;
        Ids isr;
        bool unclean = false;
        bool recovering = false;
    };

    void changed(const Change& change);

    // --- replicas

    void leads(std::int32_t broker,
               std::int32_t leader_epoch,
               std::int32_t partition_epoch,
               std::int64_t start,
               const Ids& isr,
               std::int64_t high_watermark);
    void follows(std::int32_t broker,
                 std::int32_t leader,
                 std::int32_t leader_epoch,
                 std::int32_t partition_epoch,
                 std::int64_t end,
                 std::int64_t high_watermark);
    /// One batch [base, last] of an epoch; its content follows from base and epoch, or from `crc`.
    void appends(std::int32_t broker,
                 std::int64_t base,
                 std::int64_t last,
                 std::int32_t epoch,
                 bool as_leader,
                 std::int64_t crc = -1);
    /// The same by an idempotent producer.
    void appends_sequence(std::int32_t broker,
                          std::int64_t base,
                          std::int32_t epoch,
                          std::int64_t producer,
                          std::int32_t sequence);
    void cuts(std::int32_t broker,
              std::int64_t from,
              std::int64_t to,
              std::int64_t high_watermark,
              const std::string& reason = "diverging epoch");
    void recovers(std::int32_t broker, std::int64_t end, std::int64_t high_watermark);
    void raises(std::int32_t broker,
                std::int64_t from,
                std::int64_t to,
                bool as_leader,
                std::int64_t end,
                std::int32_t leader_epoch,
                std::int32_t isr_size);
    void proposes(std::int32_t broker,
                  const Ids& isr,
                  std::int32_t leader_epoch,
                  std::int32_t partition_epoch,
                  bool expand,
                  std::int32_t replica,
                  std::int64_t replica_end,
                  std::int64_t high_watermark,
                  std::int64_t epoch_start);
    void isr_in_force(std::int32_t broker,
                      const Ids& isr,
                      std::int32_t partition_epoch,
                      std::int32_t leader_epoch,
                      bool grew);
    void waits(std::int32_t broker, std::int64_t required);
    void answers(std::int32_t broker, std::int64_t base, std::int64_t last, std::int32_t acks = -1);

    // --- clients

    void sends(std::int64_t record);
    void acked(std::int64_t record, std::int64_t offset, std::int32_t acks = -1);
    void failed(std::int64_t record, types::ErrorCode error);
    void retried(std::int64_t record, types::ErrorCode error);
    void polled(std::int64_t offset,
                std::int64_t record,
                std::int32_t epoch,
                std::int64_t high_watermark);
    void reset(std::int64_t from, std::int64_t offset, const std::string& reason);

    // --- whole stories

    /// Three running brokers, unfenced; t-0 led by b1 in epoch 0, everybody in the ISR.
    void cluster();
    /// Record `n` is sent with acks=all, written by all, committed, answered, acknowledged.
    void write(std::int64_t n);

    /// Any event of t-0's fields; `node` -1 for none.
    void emit(sim::EventKind kind, std::int32_t node, std::initializer_list<std::int64_t> fields);

    /// Events between the two belong to one step.
    void begin_step() { in_step_ = true; }

    void end_step();

    [[nodiscard]] std::int64_t partition() const { return partition_; }

    /// Breaches of a check: allowed ones, or the others.
    [[nodiscard]] std::size_t broken(CheckId check) const;
    [[nodiscard]] std::size_t excused(CheckId check) const;
    /// All breaches that nothing allows, as text; empty means silence.
    [[nodiscard]] std::string unexcused() const;

    FakeSight sight;
    Checker checker;

  private:
    void start(const types::ModelData& data);
    [[nodiscard]] std::int64_t text(const std::string& text);
    [[nodiscard]] std::int64_t list(const Ids& ids);

    std::int64_t partition_ = 0;
    std::uint64_t next_event_ = 1;
    bool in_step_ = false;
    std::vector<sim::Event> step_;
};

}  // namespace klab::check
