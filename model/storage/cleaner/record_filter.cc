// SPDX-License-Identifier: Apache-2.0
//
// See record_filter.h.
#include "model/storage/cleaner/record_filter.h"

#include <algorithm>
#include <vector>

#include "model/storage/crc32c.h"
#include "model/storage/record_batch_builder.h"

namespace klab::storage::cleaner {

namespace {

/// What looking at the records of one batch gave. The views live as long as the iterator.
struct Survivors {
    std::vector<RecordView> records;
    bool is_complete = true;  ///< no record was dropped
    bool has_tombstone = false;
};

Result<Survivors, BatchError> survivors_of(const RecordBatchView& batch,
                                           RecordIterator& records,
                                           RecordFilter& filter,
                                           FilterResult& result) {
    Survivors survivors;
    while (const auto record = records.next()) {
        ++result.records_read;
        if (!filter.retains(batch, *record)) {
            survivors.is_complete = false;
            continue;
        }
        survivors.has_tombstone |= !record->value;
        survivors.records.push_back(*record);
    }
    if (records.error()) {
        return Error{*records.error()};
    }
    return survivors;
}

/// Header fields of the batch that is written in place of `batch`.
Result<BatchOptions, BatchError> options_of(const RecordBatchView& batch,
                                            std::optional<std::int64_t> horizon) {
    BatchOptions options;
    options.base_offset = batch.base_offset();
    options.leader_epoch = batch.leader_epoch();
    if (batch.timestamp_type() == TimestampType::kLogAppendTime) {
        options.log_append_time = batch.max_timestamp();
    }
    options.delete_horizon = horizon;
    options.is_transactional = batch.is_transactional();
    options.is_control = batch.is_control();
    // The codec of the batch is kept, at its default level, once batches can be compressed.
    if (const auto id = batch.producer_id()) {
        const auto epoch = batch.producer_epoch();
        if (!epoch || (!batch.is_control() && !batch.base_sequence())) {
            return Error{BatchError::kMalformedRecord};
        }
        options.producer = ProducerStamp{*id, *epoch, batch.base_sequence()};
    } else if (batch.is_transactional()) {
        return Error{BatchError::kMalformedRecord};
    }
    return options;
}

/// The horizon that a batch has; a negative one (damage) is none to Kafka's builder.
std::optional<std::int64_t> kept_horizon(const RecordBatchView& batch) {
    const auto horizon = batch.delete_horizon();
    return horizon && *horizon >= 0 ? horizon : std::nullopt;
}

/// Can the builder take the record after one with offset `previous`?
bool can_be_written(const RecordBatchView& batch,
                    std::optional<types::Offset> previous,
                    const RecordView& record) {
    return record.offset >= batch.base_offset() && record.offset <= batch.last_offset() &&
           (!previous || record.offset > *previous) && record.timestamp >= kNoTimestamp;
}

Result<Bytes, BatchError> rebuilt(const RecordBatchView& batch,
                                  const std::vector<RecordView>& survivors,
                                  std::optional<std::int64_t> horizon) {
    const auto options = options_of(batch, horizon);
    if (!options) {
        return Error{options.error()};
    }
    RecordBatchBuilder builder(*options);
    std::optional<types::Offset> previous;
    for (const RecordView& record : survivors) {
        if (!can_be_written(batch, previous, record)) {
            return Error{BatchError::kMalformedRecord};
        }
        const std::vector<RecordHeader> headers = record.headers();
        builder.append_at(record.offset, {record.timestamp, record.key, record.value, headers});
        previous = record.offset;
    }
    // The last sequence of the batch follows from its last offset, so that one must not move.
    builder.extend_to(batch.last_offset());
    return builder.build();
}

void note_written(FilterResult& result,
                  ByteView bytes,
                  types::Offset max_offset,
                  std::size_t records) {
    const RecordBatchView written(bytes);
    result.records.insert(result.records.end(), bytes.begin(), bytes.end());
    result.records_retained += records;
    result.max_timestamp = std::max(result.max_timestamp, written.max_timestamp());
    result.max_offset = std::max(result.max_offset.value_or(max_offset), max_offset);
}

/// Writes what stays of a batch that is not deleted as a whole.
std::optional<BatchError> write_batch(const RecordBatchView& batch,
                                      const BatchVerdict& verdict,
                                      const Survivors& survivors,
                                      const FilterTime& time,
                                      FilterResult& result) {
    if (survivors.records.empty()) {
        if (verdict.retention == BatchRetention::kRetainEmpty) {
            note_written(result, empty_batch_of(batch), batch.last_offset(), 0);
        }
        return std::nullopt;
    }
    const bool needs_horizon =
        (survivors.has_tombstone || verdict.is_marker_of_empty_transaction) &&
        !batch.delete_horizon();
    if (survivors.is_complete && !needs_horizon) {
        note_written(result, batch.bytes(), batch.last_offset(), survivors.records.size());
        return std::nullopt;
    }
    const auto bytes = rebuilt(
        batch, survivors.records, needs_horizon ? time.delete_horizon() : kept_horizon(batch));
    if (!bytes) {
        return bytes.error();
    }
    const types::Offset max_offset = survivors.records.back().offset;
    note_written(result, *bytes, max_offset, survivors.records.size());
    return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> FilterTime::delete_horizon() const {
    const auto sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(now_ms) +
                                               static_cast<std::uint64_t>(delete_retention_ms));
    return sum < 0 ? std::nullopt : std::optional(sum);
}

Bytes empty_batch_of(const RecordBatchView& batch) {
    constexpr unsigned kKept =
        BatchAttribute::kLogAppendTime | BatchAttribute::kTransactional | BatchAttribute::kControl;
    const ByteView header = batch.bytes().first(kRecordBatchOverhead);
    Bytes out(header.begin(), header.end());
    std::uint8_t* at = out.data();
    store_be(at + BatchField::kLength,
             static_cast<std::int32_t>(kRecordBatchOverhead - kLogOverhead));
    store_be(at + BatchField::kAttributes, static_cast<std::uint16_t>(batch.attributes() & kKept));
    store_be(at + BatchField::kBaseTimestamp, kNoTimestamp);
    store_be(at + BatchField::kRecordsCount, std::int32_t{0});
    store_be(at + BatchField::kCrc, crc32c(ByteView(out).subspan(BatchField::kAttributes)));
    return out;
}

Result<FilterResult, BatchError> filter_records(ByteView records,
                                                RecordFilter& filter,
                                                const FilterTime& time) {
    FilterResult result;
    BatchIterator batches(records);
    while (const auto batch = batches.next()) {
        const auto verdict = filter.judge(*batch);
        if (!verdict) {
            return Error{verdict.error()};
        }
        result.bytes_read = batches.position();
        if (verdict->retention == BatchRetention::kDelete) {
            continue;
        }
        RecordIterator iterator(*batch);
        const auto survivors = survivors_of(*batch, iterator, filter, result);
        if (!survivors) {
            return Error{survivors.error()};
        }
        if (const auto error = write_batch(*batch, *verdict, *survivors, time, result)) {
            return Error{*error};
        }
    }
    if (batches.error()) {
        return Error{*batches.error()};
    }
    return result;
}

}  // namespace klab::storage::cleaner
