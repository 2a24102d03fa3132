// SPDX-License-Identifier: Apache-2.0
//
// See record_batch_builder.h.
#include "model/storage/record_batch_builder.h"

#include <algorithm>
#include <limits>

#include "model/storage/crc32c.h"

namespace klab::storage {

namespace {

std::uint16_t attributes_of(const BatchOptions& options) {
    unsigned bits = static_cast<unsigned>(options.compression.codec);
    bits |= options.log_append_time ? BatchAttribute::kLogAppendTime : 0U;
    bits |= options.is_transactional ? BatchAttribute::kTransactional : 0U;
    bits |= options.is_control ? BatchAttribute::kControl : 0U;
    bits |= options.delete_horizon ? BatchAttribute::kDeleteHorizon : 0U;
    return static_cast<std::uint16_t>(bits);
}

void check_options(const BatchOptions& options) {
    if (options.is_transactional) {
        KLAB_ASSERT(options.producer.has_value(), "a transactional batch needs a producer");
    }
    if (options.producer && !options.is_control) {
        KLAB_ASSERT(options.producer->base_sequence.has_value(), "a producer needs a sequence");
    }
}

}  // namespace

RecordBatchBuilder::RecordBatchBuilder(const BatchOptions& options)
    : options_(options), bytes_(kRecordBatchOverhead), base_timestamp_(options.delete_horizon) {
    check_options(options);
}

RecordBatchBuilder& RecordBatchBuilder::append(const RecordInput& record) {
    return append_at(options_.base_offset + (last_offset_delta_ + 1), record);
}

RecordBatchBuilder& RecordBatchBuilder::append_at(types::Offset offset, const RecordInput& record) {
    KLAB_ASSERT(!is_closed_, "the batch is closed");
    KLAB_ASSERT(record.timestamp >= kNoTimestamp, "timestamp {}", record.timestamp);
    const std::int64_t delta = offset - options_.base_offset;
    KLAB_ASSERT(delta > last_offset_delta_, "offset {} does not ascend", offset);
    KLAB_ASSERT(delta <= std::numeric_limits<std::int32_t>::max(), "offset {} too far", offset);
    if (!base_timestamp_) {
        base_timestamp_ = record.timestamp;
    }
    last_offset_delta_ = static_cast<std::int32_t>(delta);
    encode_record(bytes_, record.timestamp - *base_timestamp_, last_offset_delta_, record);
    records_size_ = bytes_.size() - kRecordBatchOverhead;
    max_timestamp_ = std::max(max_timestamp_, record.timestamp);
    ++count_;
    return *this;
}

RecordBatchBuilder& RecordBatchBuilder::extend_to(types::Offset last_offset) {
    const std::int64_t delta = last_offset - options_.base_offset;
    KLAB_ASSERT(delta >= last_offset_delta_, "offset {} is below the last record", last_offset);
    KLAB_ASSERT(
        delta <= std::numeric_limits<std::int32_t>::max(), "offset {} too far", last_offset);
    last_offset_delta_ = static_cast<std::int32_t>(delta);
    return *this;
}

void RecordBatchBuilder::set_producer(const ProducerStamp& stamp) {
    options_.producer = stamp;
    check_options(options_);
}

void RecordBatchBuilder::close() {
    if (!is_closed_ && options_.compression.codec != Codec::kNone && count_ > 0) {
        const ByteView records = ByteView(bytes_).subspan(kRecordBatchOverhead);
        const Bytes stream = compress(options_.compression, records);
        bytes_.resize(kRecordBatchOverhead);
        bytes_.insert(bytes_.end(), stream.begin(), stream.end());
    }
    is_closed_ = true;
}

std::size_t RecordBatchBuilder::size_with(const RecordInput& record) const {
    const std::int64_t delta = base_timestamp_ ? record.timestamp - *base_timestamp_ : 0;
    return bytes_.size() + encoded_record_size(delta, last_offset_delta_ + 1, record);
}

Bytes RecordBatchBuilder::build() const {
    if (!is_closed_ && options_.compression.codec != Codec::kNone) {
        RecordBatchBuilder closed = *this;
        closed.close();
        return closed.build();
    }
    Bytes out = bytes_;
    std::uint8_t* at = out.data();
    const auto& producer = options_.producer;
    store_be(at + BatchField::kBaseOffset, options_.base_offset.value());
    store_be(at + BatchField::kLength, static_cast<std::int32_t>(out.size() - kLogOverhead));
    store_be(at + BatchField::kLeaderEpoch,
             options_.leader_epoch ? options_.leader_epoch->value() : -1);
    at[BatchField::kMagic] = 2;
    store_be(at + BatchField::kAttributes, attributes_of(options_));
    store_be(at + BatchField::kLastOffsetDelta, std::max(last_offset_delta_, 0));
    store_be(at + BatchField::kBaseTimestamp, base_timestamp_.value_or(kNoTimestamp));
    store_be(at + BatchField::kMaxTimestamp, options_.log_append_time.value_or(max_timestamp_));
    store_be(at + BatchField::kProducerId, producer ? producer->id.value() : std::int64_t{-1});
    store_be(at + BatchField::kProducerEpoch,
             producer ? producer->epoch.value() : std::int16_t{-1});
    store_be(at + BatchField::kBaseSequence,
             producer ? producer->base_sequence.value_or(-1) : std::int32_t{-1});
    store_be(at + BatchField::kRecordsCount, count_);
    const ByteView summed = ByteView(out).subspan(BatchField::kAttributes);
    store_be(at + BatchField::kCrc, crc32c(summed));
    return out;
}

}  // namespace klab::storage
