// SPDX-License-Identifier: Apache-2.0
//
// Partitioner: which partition a record goes to. A partition that the application names, else the
// hash of the key, else the sticky partition, which changes at a batch boundary once it got
// batch.size bytes, so that records without keys spread evenly in whole batches.
//
// Owns: the sticky partition and the bytes it got (volatile).
// Called by: producer.cc, for each record without a partition.
// Kafka: KafkaProducer.partition, BuiltInPartitioner; KIP-480, KIP-794.
// Simplified: one topic a producer; no partitioner.class.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/client/client_metadata.h"
#include "sim/kernel/context.h"

namespace klab::client {

/// How full the queues are, as cumulative weights: an emptier queue gets more of the draws.
struct LoadStatistics {
    std::vector<std::int64_t> cumulative;  ///< last entry is the total
    std::vector<std::int32_t> partitions;  ///< same length

    friend bool operator==(const LoadStatistics&, const LoadStatistics&) = default;
};

/// Weights from queue sizes (batches waiting, one entry a partition that may be drawn) of a topic
/// of `count` partitions. Nothing when they say nothing: fewer than two partitions, none to draw,
/// or all equal and none left out.
[[nodiscard]] std::optional<LoadStatistics> load_statistics(
    const std::vector<std::int64_t>& queue_sizes,
    const std::vector<std::int32_t>& partitions,
    std::size_t count);

/// The partition that a draw lands on. Requires: 0 <= draw.
[[nodiscard]] std::int32_t partition_for_draw(const LoadStatistics& statistics, std::int64_t draw);

class Partitioner {
  public:
    /// The sticky partition, drawn when there is none: among partitions with a leader, or all when
    /// none has one; by load when statistics are known. Requires: at least one partition.
    [[nodiscard]] std::int32_t sticky(sim::Context& ctx, const CachedTopic& topic);

    /// After a record of `bytes` went to the sticky partition. `enabled`: the partition's last
    /// batch is complete, so a change falls on a batch boundary. Forgets the partition when it had
    /// enough.
    void update(std::int64_t bytes, std::int64_t batch_size, bool enabled);

    void set_statistics(std::optional<LoadStatistics> statistics) {
        statistics_ = std::move(statistics);
    }

    friend bool operator==(const Partitioner&, const Partitioner&) = default;

  private:
    std::optional<std::int32_t> current_;
    std::int64_t produced_ = 0;
    std::optional<LoadStatistics> statistics_;
};

}  // namespace klab::client
