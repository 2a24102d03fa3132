// SPDX-License-Identifier: Apache-2.0
//
// See record_batch.h.
#include "model/storage/record_batch.h"

#include "model/storage/crc32c.h"

namespace klab::storage {

bool is_corruption(BatchError error) {
    switch (error) {
        case BatchError::kSizeFieldTooSmall:
        case BatchError::kUnsupportedMagic:
        case BatchError::kBadCrc:
            return true;
        case BatchError::kNegativeCount:
        case BatchError::kTooFewBytes:
        case BatchError::kLeftoverBytes:
        case BatchError::kMalformedRecord:
        case BatchError::kUndecodable:
        case BatchError::kExpandsTooFar:
        case BatchError::kUnknownCodec:
            break;
    }
    return false;
}

std::string_view to_text(BatchError error) {
    switch (error) {
        case BatchError::kSizeFieldTooSmall:
            return "size field too small";
        case BatchError::kUnsupportedMagic:
            return "unsupported magic";
        case BatchError::kBadCrc:
            return "bad crc";
        case BatchError::kNegativeCount:
            return "negative record count";
        case BatchError::kTooFewBytes:
            return "records end early";
        case BatchError::kLeftoverBytes:
            return "bytes left after the last record";
        case BatchError::kMalformedRecord:
            return "malformed record";
        case BatchError::kUndecodable:
            return "records cannot be decompressed";
        case BatchError::kExpandsTooFar:
            return "compressed records expand too far";
        case BatchError::kUnknownCodec:
            return "unknown compression codec";
    }
    return "";
}

std::int32_t increment_sequence(std::int32_t sequence, std::int32_t by) {
    return static_cast<std::int32_t>((std::int64_t{sequence} + by) & kSequenceMax);
}

std::int32_t decrement_sequence(std::int32_t sequence, std::int32_t by) {
    return static_cast<std::int32_t>((std::int64_t{sequence} - by) & kSequenceMax);
}

RecordBatchView::RecordBatchView(ByteView bytes) : bytes_(bytes) {
    KLAB_ASSERT(bytes.size() >= kRecordBatchOverhead, "a batch of {} bytes", bytes.size());
}

std::optional<types::LeaderEpoch> RecordBatchView::leader_epoch() const {
    const auto raw = get<std::int32_t>(BatchField::kLeaderEpoch);
    return raw < 0 ? std::nullopt : std::optional(types::LeaderEpoch(raw));
}

std::uint32_t RecordBatchView::computed_crc() const {
    return crc32c(bytes_.subspan(BatchField::kAttributes));
}

std::optional<Codec> RecordBatchView::codec() const {
    const auto raw = static_cast<std::uint8_t>(attributes() & BatchAttribute::kCodecMask);
    return raw > static_cast<std::uint8_t>(Codec::kZstd) ? std::nullopt
                                                         : std::optional(static_cast<Codec>(raw));
}

TimestampType RecordBatchView::timestamp_type() const {
    return has(BatchAttribute::kLogAppendTime) ? TimestampType::kLogAppendTime
                                               : TimestampType::kCreateTime;
}

std::optional<std::int64_t> RecordBatchView::delete_horizon() const {
    return has(BatchAttribute::kDeleteHorizon) ? std::optional(base_timestamp()) : std::nullopt;
}

std::optional<types::ProducerId> RecordBatchView::producer_id() const {
    const auto raw = get<std::int64_t>(BatchField::kProducerId);
    return raw < 0 ? std::nullopt : std::optional(types::ProducerId(raw));
}

std::optional<types::ProducerEpoch> RecordBatchView::producer_epoch() const {
    const auto raw = get<std::int16_t>(BatchField::kProducerEpoch);
    return raw < 0 ? std::nullopt : std::optional(types::ProducerEpoch(raw));
}

std::optional<std::int32_t> RecordBatchView::base_sequence() const {
    const auto raw = get<std::int32_t>(BatchField::kBaseSequence);
    return raw < 0 ? std::nullopt : std::optional(raw);
}

std::optional<std::int32_t> RecordBatchView::last_sequence() const {
    const auto base = base_sequence();
    return base ? std::optional(increment_sequence(*base, last_offset_delta())) : std::nullopt;
}

Result<std::optional<RecordBatchView>, BatchError> frame_batch(ByteView bytes) {
    constexpr std::size_t kUpToMagic = BatchField::kMagic + 1;
    const std::optional<RecordBatchView> none;
    if (bytes.size() < kLogOverhead) {
        return none;
    }
    const auto length = load_be<std::int32_t>(bytes.data() + BatchField::kLength);
    if (length < kSizeFieldMin) {
        return Error{BatchError::kSizeFieldTooSmall};
    }
    if (bytes.size() < kUpToMagic) {
        return none;
    }
    if (bytes[BatchField::kMagic] != 2) {
        return Error{BatchError::kUnsupportedMagic};
    }
    const std::size_t size = kLogOverhead + static_cast<std::size_t>(length);
    if (size < kRecordBatchOverhead) {
        return Error{BatchError::kSizeFieldTooSmall};
    }
    if (size > bytes.size()) {
        return none;
    }
    return std::optional(RecordBatchView(bytes.first(size)));
}

std::optional<RecordBatchView> BatchIterator::next() {
    if (error_) {
        return std::nullopt;
    }
    const auto framed = frame_batch(bytes_.subspan(position_));
    if (!framed) {
        error_ = framed.error();
        return std::nullopt;
    }
    if (*framed) {
        position_ += (*framed)->size();
    }
    return *framed;
}

void set_last_offset(std::span<std::uint8_t> batch, types::Offset last_offset) {
    const auto delta = load_be<std::int32_t>(batch.data() + BatchField::kLastOffsetDelta);
    store_be(batch.data() + BatchField::kBaseOffset, last_offset.value() - delta);
}

void set_leader_epoch(std::span<std::uint8_t> batch, types::LeaderEpoch epoch) {
    store_be(batch.data() + BatchField::kLeaderEpoch, epoch.value());
}

void set_max_timestamp(std::span<std::uint8_t> batch, TimestampType type, std::int64_t timestamp) {
    const RecordBatchView view(batch);
    if (view.timestamp_type() == type && view.max_timestamp() == timestamp) {
        return;
    }
    const auto cleared =
        static_cast<std::uint16_t>(view.attributes() & ~BatchAttribute::kLogAppendTime);
    const auto bit =
        type == TimestampType::kLogAppendTime ? BatchAttribute::kLogAppendTime : std::uint16_t{0};
    store_be(batch.data() + BatchField::kAttributes, static_cast<std::uint16_t>(cleared | bit));
    store_be(batch.data() + BatchField::kMaxTimestamp, timestamp);
    store_be(batch.data() + BatchField::kCrc, view.computed_crc());
}

}  // namespace klab::storage
