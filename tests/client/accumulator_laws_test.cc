// SPDX-License-Identifier: Apache-2.0
//
// Laws of the record accumulator under random appends, drains, failures, mutes and time: every
// record comes out once, in order within its partition; batches keep to batch.size; muted
// partitions are left alone; what is old expires; a batch that is put back keeps its place.
#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/client/accumulator_lab.h"

namespace klab::client {
namespace {

constexpr std::int32_t kPartitions = 4;
constexpr std::size_t kValueBytesMax = 400;
constexpr Duration kBackoff = milliseconds(5);

types::ProducerConfig any_config() {
    types::ProducerConfig config;
    config.batch_size = *rc::gen::inRange<std::int64_t>(1, 600);
    config.linger_ms = *rc::gen::inRange<std::int64_t>(0, 20);
    config.max_request_bytes = *rc::gen::inRange<std::int64_t>(600, 2000);
    config.buffer_memory_bytes = *rc::gen::inRange<std::int64_t>(2'000, 10'000);
    config.delivery_timeout_ms = *rc::gen::inRange<std::int64_t>(50, 200);
    return config;
}

/// Everything that happens to an accumulator, with what must be true of it.
class Chaos {
  public:
    explicit Chaos(bool idempotent)
        : config_(any_config()),
          lab_(config_, topic_of({{1}, {1}, {2}, {2}})),
          idempotent_(idempotent) {
        if (idempotent) {
            lab_.idempotence = Idempotence(true);
            lab_.idempotence.set_id(types::ProducerId(1), types::ProducerEpoch(0));
        }
    }

    void step() {
        switch (*rc::gen::inRange(0, 8)) {
            case 0:
            case 1:
            case 2:
                append();
                break;
            case 3:
                drain();
                break;
            case 4:
                finish(true);
                break;
            case 5:
                finish(false);
                break;
            case 6:
                toggle_mute();
                break;
            default:
                pass_time();
        }
    }

    /// Whatever is still inside comes out.
    void empty_out() {
        for (std::int32_t p = 0; p < kPartitions; ++p) {
            lab_.accumulator.unmute(p);
            muted_[p] = false;
        }
        while (!lab_.accumulator.empty() || !in_flight_.empty()) {
            lab_.now = lab_.now + milliseconds(config_.linger_ms) + kBackoff;
            RC_ASSERT(lab_.accumulator.empty() || !in_flight_.empty() ||
                      !lab_.ready(true).brokers.empty());
            drain();
            while (!in_flight_.empty()) {
                finish(true);
            }
        }
        for (std::int32_t p = 0; p < kPartitions; ++p) {
            RC_ASSERT(done_[p] == appended_[p]);
        }
    }

  private:
    void append() {
        const auto partition = *rc::gen::inRange(0, kPartitions);
        const auto bytes = *rc::gen::inRange<std::size_t>(1, kValueBytesMax);
        const std::int64_t number = next_++;
        const Bytes value(bytes, 'x');
        storage::RecordInput record;
        record.timestamp = 0;
        record.value = ByteView(value);
        const std::size_t before = lab_.accumulator.queued(partition);
        const AppendOutcome outcome =
            lab_.accumulator.append(partition, number, record, lab_.now, sim::EventId(1));
        const std::size_t grown = outcome.how == Appended::kNewBatch ? 1 : 0;
        RC_ASSERT(lab_.accumulator.queued(partition) == before + grown);
        if (outcome.how != Appended::kNoMemory) {
            RC_ASSERT(outcome.bytes > static_cast<std::int64_t>(bytes));
            appended_[partition].push_back(number);
            bytes_at_most_[number] = bytes_at_most(record);
        }
    }

    void drain() {
        for (const std::int32_t broker : {1, 2}) {
            std::vector<ProducerBatch> batches = lab_.drain(broker);
            std::int64_t size = 0;
            std::vector<std::int32_t> partitions;
            for (ProducerBatch& batch : batches) {
                RC_ASSERT(!muted_[batch.partition]);
                RC_ASSERT(batch.partition / 2 + 1 == broker);
                RC_ASSERT(batch.attempts == 0 || lab_.now - batch.last_attempt >= batch.backoff);
                partitions.push_back(batch.partition);
                const auto bytes = static_cast<std::int64_t>(batch.builder.size());
                size += bytes;
                // Beyond batch.size only for the sake of a first record that needs it.
                RC_ASSERT(bytes <=
                          std::max(config_.batch_size, bytes_at_most_.at(batch.records.front())));
                RC_ASSERT(static_cast<std::size_t>(batch.count()) == batch.records.size());
                lab_.idempotence.stamp(batch);
                in_flight_.push_back(std::move(batch));
            }
            RC_ASSERT(batches.size() <= 1 || size <= config_.max_request_bytes);
            std::ranges::sort(partitions);
            RC_ASSERT(std::ranges::adjacent_find(partitions) == partitions.end());
        }
    }

    /// The oldest batch in flight of some partition succeeds or fails.
    void finish(bool success) {
        if (in_flight_.empty()) {
            return;
        }
        // Any batch may fail; answers of the broker come in order.
        const bool fails = !success && idempotent_;
        const auto place =
            fails ? *rc::gen::inRange<std::size_t>(0, in_flight_.size()) : std::size_t{0};
        ProducerBatch batch = std::move(in_flight_[place]);
        in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(place));
        if (fails || (idempotent_ && !is_next(batch))) {  // or OUT_OF_ORDER_SEQUENCE_NUMBER
            lab_.fail(std::move(batch), kBackoff);
            return;
        }
        lab_.idempotence.on_acked(batch, std::nullopt);
        lab_.accumulator.release(batch);
        auto& done = done_[batch.partition];
        done.insert(done.end(), batch.records.begin(), batch.records.end());
    }

    [[nodiscard]] bool is_next(const ProducerBatch& batch) const {
        const auto acked = lab_.idempotence.last_acked_sequence(batch.partition);
        return *batch.base_sequence() == (acked ? *acked + 1 : 0);
    }

    void toggle_mute() {
        const auto partition = *rc::gen::inRange(0, kPartitions);
        muted_[partition] = !muted_[partition];
        if (muted_[partition]) {
            lab_.accumulator.mute(partition);
        } else {
            lab_.accumulator.unmute(partition);
        }
    }

    void pass_time() { lab_.now = lab_.now + milliseconds(*rc::gen::inRange(0, 10)); }

    types::ProducerConfig config_;
    AccumulatorLab lab_;
    bool idempotent_;
    std::int64_t next_ = 0;
    std::map<std::int64_t, std::int64_t> bytes_at_most_;  // of a batch of this record alone
    std::map<std::int32_t, bool> muted_;
    std::map<std::int32_t, std::vector<std::int64_t>> appended_;
    std::map<std::int32_t, std::vector<std::int64_t>> done_;
    std::vector<ProducerBatch> in_flight_;
};

RC_GTEST_PROP(AccumulatorLaws, WhatIsAppendedComesOutOnceAndInOrder, ()) {
    Chaos chaos(false);
    const auto steps = *rc::gen::inRange(1, 120);
    for (int i = 0; i < steps; ++i) {
        chaos.step();
    }
    chaos.empty_out();
}

RC_GTEST_PROP(AccumulatorLaws, WithSequencesRetriesKeepTheOrder, ()) {
    // Batches in flight fail in any order and are put back: every partition's records are
    // acknowledged in the order of appending, since a batch out of order is refused.
    Chaos chaos(true);
    const auto steps = *rc::gen::inRange(1, 200);
    for (int i = 0; i < steps; ++i) {
        chaos.step();
    }
    chaos.empty_out();
}

RC_GTEST_PROP(AccumulatorLaws, PutBackInAnyOrderTheQueueIsSortedBySequence, ()) {
    types::ProducerConfig config;
    config.batch_size = 1;
    config.linger_ms = 0;
    AccumulatorLab lab(config, topic_of({{1}}));
    lab.idempotence = Idempotence(true);
    lab.idempotence.set_id(types::ProducerId(1), types::ProducerEpoch(0));
    const auto sent = *rc::gen::inRange(1, 6);
    const auto fresh = *rc::gen::inRange(0, 4);
    std::vector<ProducerBatch> in_flight;
    for (int i = 0; i < sent; ++i) {
        lab.append(0, 100);
        std::vector<ProducerBatch> drained = lab.drain(1);
        lab.idempotence.stamp(drained.at(0));
        in_flight.push_back(std::move(drained[0]));
    }
    for (int i = 0; i < fresh; ++i) {
        lab.append(0, 100);
    }
    while (!in_flight.empty()) {
        const auto place = *rc::gen::inRange<std::size_t>(0, in_flight.size());
        lab.fail(std::move(in_flight[place]), {});
        in_flight.erase(in_flight.begin() + static_cast<std::ptrdiff_t>(place));
    }
    std::vector<std::int64_t> order;
    lab.accumulator.for_each_batch(
        0, [&](const ProducerBatch& batch) { order.push_back(batch.records.at(0)); });
    std::vector<std::int64_t> expected;
    for (std::int64_t i = 0; i < sent + fresh; ++i) {
        expected.push_back(i);
    }
    RC_ASSERT(order == expected);
}

RC_GTEST_PROP(AccumulatorLaws, ExactlyTheOldBatchesExpire, ()) {
    types::ProducerConfig config;
    config.batch_size = *rc::gen::inRange<std::int64_t>(1, 300);
    config.delivery_timeout_ms = *rc::gen::inRange<std::int64_t>(1, 60);
    AccumulatorLab lab(config, topic_of({{1}, {1}}));
    std::map<std::int64_t, Time> created;  // of each record's batch
    std::map<std::int32_t, std::int64_t> first_of_last_batch;
    const auto count = *rc::gen::inRange(1, 40);
    for (int i = 0; i < count; ++i) {
        lab.now = lab.now + milliseconds(*rc::gen::inRange(0, 5));
        const auto partition = *rc::gen::inRange(0, 2);
        const std::size_t before = lab.accumulator.queued(partition);
        const std::int64_t number = lab.append(partition, 30);
        if (lab.accumulator.queued(partition) > before) {
            first_of_last_batch[partition] = number;
            created[number] = lab.now;
        } else {
            created[number] = created[first_of_last_batch[partition]];
        }
    }
    if (*rc::gen::arbitrary<bool>()) {
        lab.accumulator.mute(0);
    }
    lab.now = lab.now + milliseconds(*rc::gen::inRange(0, 80));
    const Duration limit = milliseconds(config.delivery_timeout_ms);
    std::vector<std::int64_t> expired;
    for (const ProducerBatch& batch : lab.accumulator.take_expired(lab.now)) {
        expired.insert(expired.end(), batch.records.begin(), batch.records.end());
    }
    std::ranges::sort(expired);
    std::vector<std::int64_t> expected;
    std::optional<Time> next;
    for (const auto& [number, when] : created) {
        if (lab.now - when >= limit) {
            expected.push_back(number);
        } else {
            next = next ? std::min(*next, when + limit) : when + limit;
        }
    }
    RC_ASSERT(expired == expected);
    RC_ASSERT(lab.accumulator.next_expiry() == next);
}

RC_GTEST_PROP(AccumulatorLaws, MemoryIsGivenBack, ()) {
    // When all batches are done the pool is whole again: a batch of its full size fits.
    types::ProducerConfig config;
    config.batch_size = *rc::gen::inRange<std::int64_t>(100, 500);
    config.buffer_memory_bytes = *rc::gen::inRange<std::int64_t>(1000, 3000);
    config.linger_ms = 0;
    AccumulatorLab lab(config, topic_of({{1}, {1}}));
    std::int64_t held = 0;
    const auto count = *rc::gen::inRange(1, 60);
    for (int i = 0; i < count; ++i) {
        const std::size_t bytes = *rc::gen::inRange<std::size_t>(1, kValueBytesMax);
        const Bytes value(bytes, 'x');
        storage::RecordInput record;
        record.timestamp = 0;
        record.value = ByteView(value);
        const std::int64_t needed = std::max(config.batch_size, bytes_at_most(record));
        const Appended how = lab.try_append(*rc::gen::inRange(0, 2), bytes);
        held += how == Appended::kNewBatch ? needed : 0;
        RC_ASSERT(held <= config.buffer_memory_bytes);
        if (how == Appended::kNoMemory) {
            RC_ASSERT(held + needed > config.buffer_memory_bytes);
            for (const ProducerBatch& batch : lab.drain(1)) {
                lab.accumulator.release(batch);
                held -= batch.buffer_bytes;
            }
        }
    }
}

}  // namespace
}  // namespace klab::client
