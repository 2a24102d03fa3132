// SPDX-License-Identifier: Apache-2.0
//
// See compacted_log.h.
#include "tests/storage/cleaner/compacted_log.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "model/storage/control_record.h"

namespace klab::storage::cleaner {

namespace {

/// Calls f(batch) for each batch.
template <typename F>
void each_batch(const Bytes& bytes, const F& f) {
    BatchIterator batches(bytes);
    while (const auto batch = batches.next()) {
        f(*batch);
    }
    KLAB_ASSERT(batches.position() == bytes.size(), "a segment of whole batches");
}

/// Calls f(batch, record) for each record.
template <typename F>
void each_record(const Bytes& bytes, const F& f) {
    each_batch(bytes, [&](const RecordBatchView& batch) {
        RecordIterator records(batch);
        while (const auto record = records.next()) {
            f(batch, *record);
        }
        KLAB_ASSERT(!records.error(), "a batch that can be read");
    });
}

}  // namespace

Bytes CompactedLog::batch_of(const BatchOptions& options, const Keys& keys) const {
    RecordBatchBuilder builder(options);
    for (const std::int32_t key : keys) {
        const std::string text = std::to_string(key);
        RecordInput record;
        record.timestamp = std::min(now_ms_, kLateMs);
        record.key = view_of(text);
        record.value = view_of(text);
        builder.append(record);
    }
    return builder.build();
}

BatchOptions CompactedLog::options_of(std::int64_t producer,
                                      bool is_transactional,
                                      std::size_t count) {
    BatchOptions options;
    options.base_offset = types::Offset(end_);
    options.leader_epoch = types::LeaderEpoch(0);
    options.is_transactional = is_transactional;
    options.producer = ProducerStamp{
        types::ProducerId(producer), types::ProducerEpoch(0), next_sequence_[producer]};
    next_sequence_[producer] += static_cast<std::int32_t>(count);
    return options;
}

CompactedLog& CompactedLog::append(const Bytes& bytes) {
    const RecordBatchView batch(bytes);
    Segment& active = segments_.back();
    active.bytes.insert(active.bytes.end(), bytes.begin(), bytes.end());
    end_ = batch.next_offset().value();
    if (const auto producer = batch.producer_id()) {
        ProducerAppend change = producers_.prepare(*producer, AppendOrigin::kReplication);
        KLAB_ASSERT(!change.add(batch), "the test log refused a batch");
        producers_.apply(change);
        if (change.completed() && change.completed()->is_aborted) {
            const CompletedTransaction& done = *change.completed();
            active.aborted.push_back(
                {done.producer_id,
                 done.first_offset,
                 done.marker_offset,
                 types::Offset(last_stable_after(done.marker_offset.value()))});
        }
    }
    return *this;
}

std::int64_t CompactedLog::last_stable_after(std::int64_t marker) const {
    std::int64_t stable = marker + 1;
    producers_.for_each([&](types::ProducerId, const ProducerEntry& entry) {
        if (const auto open = entry.open_transaction()) {
            stable = std::min(stable, open->value());
        }
    });
    return stable;
}

CompactedLog& CompactedLog::put(std::int32_t key) { return put_at(end_, key); }

CompactedLog& CompactedLog::put_at(std::int64_t offset, std::int32_t key) {
    BatchOptions options;
    options.base_offset = types::Offset(offset);
    return append(batch_of(options, {key}));
}

CompactedLog& CompactedLog::tombstone(std::int32_t key) {
    BatchOptions options;
    options.base_offset = types::Offset(end_);
    const std::string text = std::to_string(key);
    RecordInput record;
    record.timestamp = 0;  // old: the age of a tombstone does not count
    record.key = view_of(text);
    return append(RecordBatchBuilder(options).append(record).build());
}

CompactedLog& CompactedLog::unkeyed() {
    BatchOptions options;
    options.base_offset = types::Offset(end_);
    RecordInput record;
    record.value = view_of("value");
    return append(RecordBatchBuilder(options).append(record).build());
}

CompactedLog& CompactedLog::produce(std::int64_t producer, const Keys& keys) {
    return append(batch_of(options_of(producer, false, keys.size()), keys));
}

CompactedLog& CompactedLog::transact(std::int64_t producer, const Keys& keys) {
    return append(batch_of(options_of(producer, true, keys.size()), keys));
}

CompactedLog& CompactedLog::transact_key(std::int64_t producer, const Bytes& key) {
    RecordInput record;
    record.timestamp = now_ms_;
    record.key = key;
    record.value = view_of("foo");
    return append(RecordBatchBuilder(options_of(producer, true, 1)).append(record).build());
}

CompactedLog& CompactedLog::restart_sequences(std::int64_t producer) {
    next_sequence_.erase(producer);
    return *this;
}

CompactedLog& CompactedLog::mark(std::int64_t producer, ControlType type) {
    MarkerPlace place;
    place.base_offset = types::Offset(end_);
    place.leader_epoch = types::LeaderEpoch(0);
    place.producer_id = types::ProducerId(producer);
    place.timestamp = std::min(now_ms_, kLateMs);
    return append(build_end_transaction_marker(place, {type, 0}));
}

CompactedLog& CompactedLog::commit(std::int64_t producer) {
    return mark(producer, ControlType::kCommit);
}

CompactedLog& CompactedLog::abort(std::int64_t producer) {
    return mark(producer, ControlType::kAbort);
}

CompactedLog& CompactedLog::roll() { return roll_at(end_); }

CompactedLog& CompactedLog::roll_at(std::int64_t base) {
    segments_.push_back({base, {}, {}});
    end_ = base;
    return *this;
}

CompactedLog& CompactedLog::at(std::int64_t now_ms) {
    now_ms_ = now_ms;
    return *this;
}

CompactedLog& CompactedLog::delete_retention(std::int64_t ms) {
    retention_ms_ = ms;
    return *this;
}

CompactedLog& CompactedLog::usable(std::uint64_t keys) {
    map_size_ = {keys + 1, keys};
    return *this;
}

CompactedLog& CompactedLog::under(const types::Rules& rules) {
    rules_ = rules;
    return *this;
}

OffsetMapBuilder CompactedLog::build_map(std::int64_t first_dirty, std::int64_t end) const {
    OffsetMapBuilder builder(
        map_size_, types::Offset(first_dirty), aborted_between(first_dirty, end));
    // No broker cleans a log without a dirty part. Where Kafka's tests do, their map remembers how
    // far the cleaning before came.
    builder.end_segment(types::Offset(first_dirty));
    for (std::size_t i = 0; i < segments_.size() && segments_[i].base < end; ++i) {
        const std::int64_t next = i + 1 < segments_.size() ? segments_[i + 1].base : end_;
        if (next <= first_dirty) {
            continue;
        }
        const auto read = builder.add(segments_[i].bytes);
        KLAB_ASSERT(read.ok(), "the map cannot be built");
        if (read->is_full) {
            break;
        }
        builder.end_segment(types::Offset(std::min(next, end)));
    }
    return builder;
}

Cleaned CompactedLog::clean(std::int64_t first_dirty) {
    const std::int64_t upper = active_base();
    const OffsetMapBuilder builder = build_map(first_dirty, upper);
    Cleaned outcome;
    outcome.next_dirty = builder.end_offset().value();
    outcome.map_records = builder.records_read();
    std::vector<SegmentExtent> extents = this->extents();
    std::erase_if(extents, [&](const SegmentExtent& extent) {
        return extent.base_offset >= builder.end_offset();
    });
    Round round{&builder.map(), types::Offset(upper), {}, active_producers()};
    std::size_t at = 0;
    for (const auto& group :
         group_segments(extents, {1U << 30U, 10U << 20U, types::Offset(upper)})) {
        replace(at, group.size(), filtered(at, group.size(), round, outcome));
        ++at;
    }
    return outcome;
}

Cleaned CompactedLog::clean_twice(std::int64_t first_dirty, std::int64_t now_ms) {
    at(now_ms).clean(first_dirty);
    return at(now_ms + kRetentionMs + 1).clean(first_dirty);
}

Cleaned CompactedLog::clean_by(const OffsetMap& map) {
    Cleaned outcome;
    Round round{&map, types::Offset(active_base()), {}, active_producers()};
    const std::size_t count = segments_.size() - 1;
    replace(0, count, filtered(0, count, round, outcome));
    return outcome;
}

CompactedLog::Segment CompactedLog::filtered(std::size_t first,
                                             std::size_t count,
                                             Round& round,
                                             Cleaned& outcome) const {
    Segment out;
    out.base = segments_[first].base;
    CleanerFilter filter(
        {*round.map, round.producers, round.upper_bound, {now_ms_, retention_ms_}, rules_},
        round.transactions);
    for (std::size_t i = first; i < first + count; ++i) {
        round.transactions.add_aborted(
            aborted_between(segments_[i].base, segments_.at(i + 1).base));
        const auto result = filter_records(segments_[i].bytes, filter, {now_ms_, retention_ms_});
        KLAB_ASSERT(result.ok(), "the segment cannot be cleaned");
        KLAB_ASSERT(result->bytes_read == segments_[i].bytes.size(), "read to the end");
        out.bytes.insert(out.bytes.end(), result->records.begin(), result->records.end());
        outcome.bytes_read += result->bytes_read;
        outcome.bytes_written += result->records.size();
        outcome.records_read += result->records_read;
        outcome.records_written += result->records_retained;
    }
    outcome.invalid += filter.invalid_records();
    out.aborted = round.transactions.take_kept();
    return out;
}

void CompactedLog::replace(std::size_t first, std::size_t count, Segment by) {
    const auto at = segments_.begin() + static_cast<std::ptrdiff_t>(first);
    segments_.erase(at, at + static_cast<std::ptrdiff_t>(count));
    segments_.insert(segments_.begin() + static_cast<std::ptrdiff_t>(first), std::move(by));
}

std::vector<AbortedTransaction> CompactedLog::aborted_between(std::int64_t from,
                                                              std::int64_t to) const {
    std::vector<AbortedTransaction> found;
    for (const AbortedTransaction& transaction : aborted()) {
        if (transaction.last_offset.value() >= from && transaction.first_offset.value() < to) {
            found.push_back(transaction);
        }
    }
    return found;
}

ActiveProducers CompactedLog::active_producers() const {
    ActiveProducers active;
    producers_.for_each([&](types::ProducerId id, const ProducerEntry& entry) {
        active[id] = {entry.last_offset(), entry.epoch()};
    });
    return active;
}

Keys CompactedLog::keys() const {
    Keys out;
    for (const Segment& segment : segments_) {
        each_record(segment.bytes, [&](const RecordBatchView& batch, const RecordView& record) {
            if (!batch.is_control() && record.key && record.value) {
                out.push_back(std::stoi(std::string(text_of(*record.key))));
            }
        });
    }
    return out;
}

Offsets CompactedLog::offsets() const {
    Offsets out;
    for (const Segment& segment : segments_) {
        each_record(segment.bytes, [&](const RecordBatchView&, const RecordView& record) {
            if (record.key && record.value) {
                out.push_back(record.offset.value());
            }
        });
    }
    return out;
}

Offsets CompactedLog::batch_bases() const {
    Offsets out;
    for (const Segment& segment : segments_) {
        each_batch(segment.bytes, [&](const RecordBatchView& batch) {
            out.push_back(batch.base_offset().value());
        });
    }
    return out;
}

Offsets CompactedLog::batch_ends() const {
    Offsets out;
    for (const Segment& segment : segments_) {
        each_batch(segment.bytes, [&](const RecordBatchView& batch) {
            out.push_back(batch.last_offset().value());
        });
    }
    return out;
}

Offsets CompactedLog::segment_bases() const {
    Offsets out;
    for (const Segment& segment : segments_) {
        out.push_back(segment.base);
    }
    return out;
}

std::vector<std::size_t> CompactedLog::segment_sizes() const {
    std::vector<std::size_t> out;
    for (const Segment& segment : segments_) {
        out.push_back(segment.bytes.size());
    }
    return out;
}

std::vector<SegmentExtent> CompactedLog::extents() const {
    std::vector<SegmentExtent> out;
    for (const Segment& segment : segments_) {
        out.push_back({types::Offset(segment.base), segment.bytes.size(), 0, 0});
    }
    return out;
}

Sequences CompactedLog::last_sequences() const {
    Sequences out;
    for (const Segment& segment : segments_) {
        each_batch(segment.bytes, [&](const RecordBatchView& batch) {
            if (!batch.is_control() && batch.producer_id()) {
                out[batch.producer_id()->value()] = batch.last_sequence().value_or(-1);
            }
        });
    }
    return out;
}

std::vector<AbortedTransaction> CompactedLog::aborted() const {
    std::vector<AbortedTransaction> out;
    for (const Segment& segment : segments_) {
        out.insert(out.end(), segment.aborted.begin(), segment.aborted.end());
    }
    return out;
}

std::optional<std::pair<std::int64_t, std::int64_t>> CompactedLog::place_of_retry(
    std::int64_t producer, const Keys& keys, std::int32_t sequence) const {
    ProducerStates rebuilt;
    for (const Segment& segment : segments_) {
        each_batch(segment.bytes, [&](const RecordBatchView& batch) { rebuilt.replay(batch); });
    }
    BatchOptions options;
    options.producer =
        ProducerStamp{types::ProducerId(producer), types::ProducerEpoch(0), sequence};
    const Bytes retry = batch_of(options, keys);
    const auto found = rebuilt.find_duplicate(RecordBatchView(retry));
    return found
               ? std::optional(std::pair(found->first_offset().value(), found->last_offset.value()))
               : std::nullopt;
}

std::size_t CompactedLog::size() const {
    std::size_t sum = 0;
    for (const Segment& segment : segments_) {
        sum += segment.bytes.size();
    }
    return sum;
}

}  // namespace klab::storage::cleaner
