// SPDX-License-Identifier: Apache-2.0
//
// RecordAccumulator: appending, readiness, draining, putting back.
#include "model/client/record_accumulator.h"

#include <algorithm>
#include <utility>

namespace klab::client {

namespace {

bool backing_off(const ProducerBatch& batch, const CachedPartition& partition, Time now) {
    const bool newer_leader =
        partition.leader_epoch &&
        (!batch.leader_epoch || *partition.leader_epoch > *batch.leader_epoch);
    return batch.attempts > 0 && !newer_leader && now - batch.last_attempt < batch.backoff;
}

/// The partition as cached, without leader when the topic has become smaller.
const CachedPartition& cached_partition(const CachedTopic& topic, std::int32_t partition) {
    static const CachedPartition kUnknown;
    const auto index = static_cast<std::size_t>(partition);
    return index < topic.partitions.size() ? topic.partitions[index] : kUnknown;
}

}  // namespace

void RecordAccumulator::close_unless_room(std::int32_t partition,
                                          const storage::RecordInput& record) {
    const auto queue = queues_.find(partition);
    if (queue != queues_.end() && !queue->second.empty() &&
        !has_room(queue->second.back(), record)) {
        queue->second.back().closed = true;
    }
}

AppendOutcome RecordAccumulator::append(std::int32_t partition,
                                        std::int64_t number,
                                        const storage::RecordInput& record,
                                        Time now,
                                        sim::EventId cause) {
    close_unless_room(partition, record);
    std::vector<ProducerBatch>& queue = queues_[partition];
    if (!queue.empty() && !queue.back().closed) {
        ProducerBatch& last = queue.back();
        const std::int64_t before = estimated_size(last.builder, last.ratio);
        add_record(last, number, record);
        return {Appended::kToBatch, estimated_size(last.builder, last.ratio) - before};
    }
    ProducerBatch batch;
    batch.buffer_bytes = std::max(config_.batch_size, bytes_at_most(record));
    if (used_bytes_ + batch.buffer_bytes > config_.buffer_memory_bytes) {
        return {Appended::kNoMemory, 0};
    }
    used_bytes_ += batch.buffer_bytes;
    batch.partition = partition;
    batch.created = now;
    batch.cause = cause;
    batch.ratio = ratio_.estimate();
    storage::BatchOptions options;
    options.compression.codec = config_.compression;
    batch.builder = storage::RecordBatchBuilder(options);
    add_record(batch, number, record);
    const std::int64_t bytes = estimated_size(batch.builder, batch.ratio);
    queue.push_back(std::move(batch));
    return {Appended::kNewBatch, bytes};
}

bool RecordAccumulator::has_incomplete_batch(std::int32_t partition) const {
    const auto queue = queues_.find(partition);
    return queue != queues_.end() && !queue->second.empty() && !is_full(queue->second.back());
}

Readiness RecordAccumulator::ready(const CachedTopic& topic, Time now, bool closing) const {
    Readiness result;
    for (const auto& [partition, queue] : queues_) {
        if (queue.empty()) {
            continue;
        }
        const CachedPartition& cached = cached_partition(topic, partition);
        if (!cached.leader) {
            result.unknown_leader = true;
            continue;
        }
        if (muted_.contains(partition)) {
            continue;
        }
        const ProducerBatch& first = queue.front();
        const bool waits_for_retry = backing_off(first, cached, now);
        const Duration waited = now - (first.attempts > 0 ? first.last_attempt : first.created);
        const Duration to_wait = waits_for_retry ? first.backoff : milliseconds(config_.linger_ms);
        const bool full = queue.size() > 1 || is_full(first);
        const bool sendable = full || waited >= to_wait || waiters_ || closing;
        if (sendable && !waits_for_retry) {
            result.brokers.insert(*cached.leader);
        } else {
            const Duration left = std::max(to_wait - waited, nanoseconds(1));
            result.look_again = result.look_again ? std::min(*result.look_again, left) : left;
        }
    }
    return result;
}

std::optional<LoadStatistics> RecordAccumulator::load(const CachedTopic& topic) const {
    if (queues_.size() < topic.partitions.size()) {
        return std::nullopt;
    }
    std::vector<std::int64_t> sizes;
    std::vector<std::int32_t> partitions;
    for (const auto& [partition, queue] : queues_) {
        if (cached_partition(topic, partition).leader) {
            sizes.push_back(static_cast<std::int64_t>(queue.size()));
            partitions.push_back(partition);
        }
    }
    return load_statistics(sizes, partitions, queues_.size());
}

std::vector<ProducerBatch> RecordAccumulator::drain(types::BrokerId broker,
                                                    const CachedTopic& topic,
                                                    Time now,
                                                    const Idempotence& idempotence) {
    std::vector<std::int32_t> led;
    for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
        if (topic.partitions[i].leader == broker) {
            led.push_back(static_cast<std::int32_t>(i));
        }
    }
    std::vector<ProducerBatch> drained;
    if (led.empty()) {
        return drained;
    }
    std::size_t& index = drain_index_[broker];
    std::int64_t size = 0;
    const std::size_t start = index % led.size();
    for (std::size_t i = 0; i < led.size(); ++i) {
        // Remembering the one looked at last: a drain that stops goes on there next time.
        index = (start + i) % led.size();
        const std::int32_t partition = led[index];
        const auto queue = queues_.find(partition);
        if (muted_.contains(partition) || queue == queues_.end() || queue->second.empty()) {
            continue;
        }
        ProducerBatch& first = queue->second.front();
        if (backing_off(first, topic.partitions[static_cast<std::size_t>(partition)], now)) {
            continue;
        }
        // Compressed only when taken: a batch that compresses badly may exceed the limit.
        const std::int64_t expected = estimated_size(first.builder, first.ratio);
        if (size + expected > config_.max_request_bytes && !drained.empty()) {
            break;
        }
        if (!idempotence.may_drain(first)) {
            break;
        }
        first.builder.close();
        ratio_.observe(first.builder);
        size += static_cast<std::int64_t>(first.builder.size());
        first.closed = true;
        first.rewritten = false;
        first.leader_epoch = topic.partitions[static_cast<std::size_t>(partition)].leader_epoch;
        drained.push_back(std::move(first));
        queue->second.erase(queue->second.begin());
    }
    return drained;
}

void RecordAccumulator::enqueue_again(ProducerBatch batch, Time now) {
    ++batch.attempts;
    batch.last_attempt = now;
    std::vector<ProducerBatch>& queue = queues_[batch.partition];
    auto place = queue.begin();
    if (batch.base_sequence()) {
        while (place != queue.end() && place->base_sequence() &&
               *place->base_sequence() < *batch.base_sequence()) {
            ++place;
        }
    }
    queue.insert(place, std::move(batch));
}

void RecordAccumulator::enqueue_split(const ProducerBatch& whole,
                                      std::vector<ProducerBatch> parts) {
    std::vector<ProducerBatch>& queue = queues_[whole.partition];
    auto place = queue.begin();
    while (whole.base_sequence() && place != queue.end() && place->base_sequence() &&
           *place->base_sequence() < *whole.base_sequence()) {
        ++place;
    }
    queue.insert(
        place, std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
}

std::vector<ProducerBatch> RecordAccumulator::take_expired(Time now) {
    std::vector<ProducerBatch> expired;
    const Duration limit = milliseconds(config_.delivery_timeout_ms);
    for (auto& [partition, queue] : queues_) {
        while (!queue.empty() && now - queue.front().created >= limit) {
            expired.push_back(std::move(queue.front()));
            queue.erase(queue.begin());
        }
    }
    return expired;
}

std::optional<Time> RecordAccumulator::next_expiry() const {
    std::optional<Time> next;
    for (const auto& [partition, queue] : queues_) {
        if (!queue.empty()) {
            const Time expiry = queue.front().created + milliseconds(config_.delivery_timeout_ms);
            next = next ? std::min(*next, expiry) : expiry;
        }
    }
    return next;
}

std::vector<ProducerBatch> RecordAccumulator::take_all() {
    std::vector<ProducerBatch> all;
    for (auto& [partition, queue] : queues_) {
        for (ProducerBatch& batch : queue) {
            all.push_back(std::move(batch));
        }
        queue.clear();
    }
    return all;
}

std::size_t RecordAccumulator::queued(std::int32_t partition) const {
    const auto queue = queues_.find(partition);
    return queue == queues_.end() ? 0 : queue->second.size();
}

bool RecordAccumulator::empty() const {
    return std::ranges::all_of(queues_, [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace klab::client
