// SPDX-License-Identifier: Apache-2.0
//
// RecordAccumulator: records that wait to be sent, in batches, one queue a partition.
//
//     append -> last batch of the queue, or a new one -> ready? -> drain (one batch a partition and
//     request) -> in flight -> done, or enqueued again at its old place
//
// A batch is sendable when it is full, when linger.ms is over, when another batch is behind it,
// when memory is short or when the producer closes; one that failed waits for its backoff unless
// the leader changed.
//
// Owns: queues, drain positions, expected compression, used buffer memory, muted partitions
// (volatile).
// Called by: sender.cc, producer.cc. Kafka: RecordAccumulator, BufferPool.
// Simplified: the jitter of a backoff is drawn once for each failed attempt.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/client/client_metadata.h"
#include "model/client/compression_ratio.h"
#include "model/client/idempotence.h"
#include "model/client/partitioner.h"
#include "model/client/producer_batch.h"
#include "model/types/producer_config.h"

namespace klab::client {

/// What append() did.
enum class Appended : std::uint8_t {
    kToBatch,   ///< into the last batch
    kNewBatch,  ///< a batch was begun; the sender should look
    kNoMemory   ///< buffer.memory is used up; nothing happened
};

/// The same, and by how many bytes the batches of the partition grew.
struct AppendOutcome {
    Appended how = Appended::kNoMemory;
    std::int64_t bytes = 0;
};

/// Which brokers have something to send, and when to look again.
struct Readiness {
    std::set<types::BrokerId> brokers;
    bool unknown_leader = false;         ///< a partition with batches has no known leader
    std::optional<Duration> look_again;  ///< shortest wait of a batch that is not ready
};

class RecordAccumulator {
  public:
    RecordAccumulator() = default;

    explicit RecordAccumulator(const types::ProducerConfig& config) : config_(config) {}

    /// Adds a record. Requires: bytes_at_most(record) is not above max.request.size.
    [[nodiscard]] AppendOutcome append(std::int32_t partition,
                                       std::int64_t number,
                                       const storage::RecordInput& record,
                                       Time now,
                                       sim::EventId cause);

    /// Closes the partition's last batch when the record does not fit: what append() does first.
    void close_unless_room(std::int32_t partition, const storage::RecordInput& record);

    /// Has the partition's queue an incomplete last batch?
    [[nodiscard]] bool has_incomplete_batch(std::int32_t partition) const;

    [[nodiscard]] Readiness ready(const CachedTopic& topic, Time now, bool closing) const;

    /// How full the queues of partitions with a leader are, for the partitioner (KIP-794). Nothing
    /// before each partition had a batch, or when it would say nothing.
    [[nodiscard]] std::optional<LoadStatistics> load(const CachedTopic& topic) const;

    /// Takes at most one batch of each partition that `broker` leads, up to max.request.size. A
    /// batch that idempotence holds back stops the drain of its broker.
    [[nodiscard]] std::vector<ProducerBatch> drain(types::BrokerId broker,
                                                   const CachedTopic& topic,
                                                   Time now,
                                                   const Idempotence& idempotence);

    /// Puts a failed batch back: to the front, or by its sequence.
    void enqueue_again(ProducerBatch batch, Time now);

    /// Puts the parts of a batch that was too large in its place. They have their stamps.
    void enqueue_split(const ProducerBatch& whole, std::vector<ProducerBatch> parts);

    /// What compression is expected to leave of the next batch's records.
    [[nodiscard]] const CompressionRatio& ratio() const { return ratio_; }

    /// A batch was too large (closed): nothing is expected of compression for a while.
    void expect_no_compression(const ProducerBatch& too_large) {
        ratio_.reset_after_split(too_large.builder);
    }

    /// Removes the batches at the heads of queues that are older than delivery.timeout.ms.
    [[nodiscard]] std::vector<ProducerBatch> take_expired(Time now);

    /// When the first queued batch expires.
    [[nodiscard]] std::optional<Time> next_expiry() const;

    /// Removes everything (fatal error, close).
    [[nodiscard]] std::vector<ProducerBatch> take_all();

    /// Gives the buffer memory of a finished batch back.
    void release(const ProducerBatch& batch) {
        used_bytes_ -= batch.is_split ? 0 : batch.buffer_bytes;
    }

    void set_waiting_for_memory(bool waiting) { waiters_ = waiting; }

    /// Strict order (max.in.flight 1): no batch of a muted partition is drained.
    void mute(std::int32_t partition) { muted_.insert(partition); }

    void unmute(std::int32_t partition) { muted_.erase(partition); }

    [[nodiscard]] bool is_muted(std::int32_t partition) const { return muted_.contains(partition); }

    /// Batches waiting, by partition; for load statistics and tests.
    [[nodiscard]] std::size_t queued(std::int32_t partition) const;
    [[nodiscard]] bool empty() const;

    /// For rewriting of sequences: calls f for each queued batch of the partition, in order.
    template <typename F>
    void for_each_batch(std::int32_t partition, F&& f) {
        for (ProducerBatch& batch : queues_[partition]) {
            f(batch);
        }
    }

    friend bool operator==(const RecordAccumulator&, const RecordAccumulator&) = default;

  private:
    types::ProducerConfig config_;
    std::map<std::int32_t, std::vector<ProducerBatch>> queues_;  // first batch is the oldest
    std::map<types::BrokerId, std::size_t> drain_index_;
    std::set<std::int32_t> muted_;
    CompressionRatio ratio_;
    std::int64_t used_bytes_ = 0;
    bool waiters_ = false;
};

}  // namespace klab::client
