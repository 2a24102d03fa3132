// SPDX-License-Identifier: Apache-2.0
//
// AccumulatorLab: a record accumulator with a topic, a clock and records of given sizes, without a
// world around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/client/record_accumulator.h"

namespace klab::client {

struct LabLeader {
    std::optional<std::int32_t> broker;
    std::int32_t epoch = 0;
};

inline CachedTopic topic_of(const std::vector<LabLeader>& leaders) {
    CachedTopic topic;
    for (const LabLeader& leader : leaders) {
        CachedPartition partition;
        if (leader.broker) {
            partition.leader = types::BrokerId(*leader.broker);
        }
        partition.leader_epoch = types::LeaderEpoch(leader.epoch);
        topic.partitions.push_back(partition);
    }
    return topic;
}

class AccumulatorLab {
  public:
    AccumulatorLab(const types::ProducerConfig& config, CachedTopic leaders)
        : accumulator(config), topic(std::move(leaders)) {}

    /// Appends a record whose value has so many bytes; returns its number.
    std::int64_t append(std::int32_t partition, std::size_t value_bytes = 10) {
        static_cast<void>(try_append(partition, value_bytes));
        return next_record_ - 1;
    }

    [[nodiscard]] Appended try_append(std::int32_t partition, std::size_t value_bytes) {
        const Bytes value(value_bytes, 'x');
        storage::RecordInput record;
        record.timestamp = 0;
        record.value = ByteView(value);
        return accumulator.append(partition, next_record_++, record, now, sim::EventId(1)).how;
    }

    [[nodiscard]] std::vector<ProducerBatch> drain(std::int32_t broker) {
        return accumulator.drain(types::BrokerId(broker), topic, now, idempotence);
    }

    /// Partitions drained for a broker, "0 2", with their batches given back to the pool.
    [[nodiscard]] std::string drained(std::int32_t broker) {
        std::string text;
        for (const ProducerBatch& batch : drain(broker)) {
            text += text.empty() ? "" : " ";
            text += std::to_string(batch.partition);
            accumulator.release(batch);
        }
        return text;
    }

    [[nodiscard]] Readiness ready(bool closing = false) const {
        return accumulator.ready(topic, now, closing);
    }

    /// Brokers that are ready, "1 2".
    [[nodiscard]] std::string ready_brokers() const {
        std::string text;
        for (const types::BrokerId broker : ready().brokers) {
            text += text.empty() ? "" : " ";
            text += std::to_string(broker.value());
        }
        return text;
    }

    void fail(ProducerBatch batch, Duration backoff) {
        batch.backoff = backoff;
        accumulator.enqueue_again(std::move(batch), now);
    }

    RecordAccumulator accumulator;
    CachedTopic topic;
    Idempotence idempotence;
    Time now;

  private:
    std::int64_t next_record_ = 0;
};

/// Bytes of a batch that holds one record with a value of this size.
inline std::int64_t one_record_batch_bytes(std::size_t value_bytes) {
    const Bytes value(value_bytes, 'x');
    storage::RecordInput record;
    record.timestamp = 0;
    record.value = ByteView(value);
    return static_cast<std::int64_t>(storage::RecordBatchBuilder().size_with(record));
}

}  // namespace klab::client
