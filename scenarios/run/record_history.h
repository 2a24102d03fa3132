// SPDX-License-Identifier: Apache-2.0
//
// What producers were promised and consumers have seen, against what lies in the logs: lost,
// doubled, reordered and vanished records. It knows records by their names in the log ("p1:7"), so
// nothing of the model's own bookkeeping is trusted.
//
// Owns: acknowledgements and reads of the run. Called by: Director, WorldRunView.
// Simplified: a record is "there" when it is below the high watermark of the leader's log; without
// a leader the log of the first replica of the ISR counts.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/kafka_world/kafka_model.h"
#include "sim/trace/event.h"

namespace klab::scenario {

class RecordHistory {
  public:
    static void want(sim::KindSet& kinds);

    void add(const sim::Event& event);

    /// Acknowledged records of the producer that are not in the committed part of the logs.
    [[nodiscard]] std::int64_t lost_acked(const world::KafkaWorld& world,
                                          sim::NodeId producer) const;

    /// Copies beyond the first of its records.
    [[nodiscard]] std::int64_t duplicates(const world::KafkaWorld& world,
                                          sim::NodeId producer) const;

    /// Records that stand behind one of the same producer and partition that was sent later.
    [[nodiscard]] std::int64_t reordered(const world::KafkaWorld& world,
                                         sim::NodeId producer) const;

    /// Records that this consumer (or, of this producer, any consumer) has read and that are gone.
    [[nodiscard]] std::int64_t vanished(const world::KafkaWorld& world, sim::NodeId client) const;

    /// The consumer was given a record at or above the high watermark of the same answer.
    [[nodiscard]] bool read_above_hw(sim::NodeId consumer) const {
        return read_above_.count(consumer) > 0;
    }

    friend bool operator==(const RecordHistory&, const RecordHistory&) = default;

  private:
    struct Acked {
        sim::NodeId producer;
        std::int64_t record = 0;

        friend bool operator==(const Acked&, const Acked&) = default;
    };

    struct Polled {
        sim::NodeId consumer;
        std::int64_t producer = sim::kAbsent;  // node
        std::int64_t record = sim::kAbsent;

        friend bool operator==(const Polled&, const Polled&) = default;
    };

    Cow<std::vector<Acked>> acked_;
    Cow<std::vector<Polled>> polled_;
    std::set<sim::NodeId> read_above_;
};

/// True when all replicas that run hold the same batches: offsets, epochs and content.
[[nodiscard]] bool logs_are_equal(const world::KafkaWorld& world,
                                  const types::TopicPartition& partition);

}  // namespace klab::scenario
