// SPDX-License-Identifier: Apache-2.0
//
// See legacy_record.h.
#include "model/storage/legacy_record.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <zlib.h>

#include "model/storage/compression.h"

namespace klab::storage {

namespace {

constexpr std::size_t kCrcAt = 12;
constexpr std::size_t kMagicAt = 16;
constexpr std::size_t kAttributesAt = 17;
constexpr std::size_t kTimestampAt = 18;
constexpr std::size_t kKeyAtFormat0 = 18;
constexpr std::size_t kKeyAtFormat1 = 26;
/// The header of format 1 with two empty lengths; format 0 is checked against kSizeFieldMin.
constexpr std::size_t kFormat1Min = kKeyAtFormat1 + 8;

std::optional<ByteView> read_sized(ByteReader& reader) {
    const auto size = reader.get<std::int32_t>();
    return size < 0 ? std::nullopt : std::optional(reader.take(static_cast<std::size_t>(size)));
}

std::optional<Bytes> copy_of(const std::optional<ByteView>& view) {
    return view ? std::optional(Bytes(view->begin(), view->end())) : std::nullopt;
}

Result<Bytes, BatchError> decompress_value(const LegacyMessageView& message, Codec codec) {
    const auto content = message.content();
    if (!content || !content->value) {
        return Error{BatchError::kMalformedRecord};
    }
    DecompressOptions options;
    options.ignores_lz4_header_checksum = message.magic() == 0;
    auto inside = decompress(codec, *content->value, options);
    if (!inside) {
        return Error{inside.error() == DecompressError::kTooLarge ? BatchError::kExpandsTooFar
                                                                  : BatchError::kUndecodable};
    }
    return std::move(inside).value();
}

}  // namespace

LegacyMessageView::LegacyMessageView(ByteView bytes) : bytes_(bytes) {
    KLAB_ASSERT(bytes.size() >= kLogOverhead + static_cast<std::size_t>(kSizeFieldMin),
                "a message of {} bytes",
                bytes.size());
}

types::Offset LegacyMessageView::offset() const {
    return types::Offset(load_be<std::int64_t>(bytes_.data()));
}

std::uint8_t LegacyMessageView::magic() const { return bytes_[kMagicAt]; }

std::uint32_t LegacyMessageView::stored_crc() const {
    return load_be<std::uint32_t>(bytes_.data() + kCrcAt);
}

std::uint32_t LegacyMessageView::computed_crc() const {
    const ByteView summed = bytes_.subspan(kMagicAt);
    return static_cast<std::uint32_t>(crc32(0, summed.data(), static_cast<uInt>(summed.size())));
}

std::optional<Codec> LegacyMessageView::codec() const {
    const auto raw = static_cast<std::uint8_t>(bytes_[kAttributesAt] & BatchAttribute::kCodecMask);
    return raw > static_cast<std::uint8_t>(Codec::kZstd) ? std::nullopt
                                                         : std::optional(static_cast<Codec>(raw));
}

TimestampType LegacyMessageView::timestamp_type() const {
    const bool by_broker = (bytes_[kAttributesAt] & BatchAttribute::kLogAppendTime) != 0;
    return magic() == 1 && by_broker ? TimestampType::kLogAppendTime : TimestampType::kCreateTime;
}

std::optional<std::int64_t> LegacyMessageView::timestamp() const {
    return magic() == 0 ? std::nullopt
                        : std::optional(load_be<std::int64_t>(bytes_.data() + kTimestampAt));
}

std::optional<LegacyMessageView::Content> LegacyMessageView::content() const {
    ByteReader reader(bytes_.subspan(magic() == 0 ? kKeyAtFormat0 : kKeyAtFormat1));
    Content content;
    content.key = read_sized(reader);
    content.value = read_sized(reader);
    return reader.ok() ? std::optional(content) : std::nullopt;
}

Result<std::optional<LegacyMessageView>, BatchError> frame_legacy_message(ByteView bytes) {
    const std::optional<LegacyMessageView> none;
    if (bytes.size() < kLogOverhead) {
        return none;
    }
    const auto length = load_be<std::int32_t>(bytes.data() + BatchField::kLength);
    if (length < kSizeFieldMin) {
        return Error{BatchError::kSizeFieldTooSmall};
    }
    const std::size_t size = kLogOverhead + static_cast<std::size_t>(length);
    if (size > bytes.size()) {
        return none;
    }
    const std::uint8_t magic = bytes[kMagicAt];
    if (magic > 1) {
        return Error{BatchError::kUnsupportedMagic};
    }
    if (magic == 1 && size < kFormat1Min) {
        return Error{BatchError::kSizeFieldTooSmall};
    }
    return std::optional(LegacyMessageView(bytes.first(size)));
}

LegacyRecordIterator::LegacyRecordIterator(const LegacyMessageView& message)
    : message_(message), error_(open()) {}

std::optional<BatchError> LegacyRecordIterator::open() {
    const auto codec = message_.codec();
    if (!codec || *codec == Codec::kZstd) {
        return BatchError::kUnknownCodec;
    }
    if (*codec == Codec::kNone) {
        rest_ = message_.bytes();
        return message_.content() ? std::nullopt : std::optional(BatchError::kMalformedRecord);
    }
    auto inside = decompress_value(message_, *codec);
    if (!inside) {
        return inside.error();
    }
    content_ = std::move(inside).value();
    rest_ = content_;
    is_compressed_ = true;
    return check_inside();
}

/// Looks at all messages inside and finds where their offsets begin: format 1 counts them from 0.
std::optional<BatchError> LegacyRecordIterator::check_inside() {
    std::optional<std::int64_t> last;
    std::int64_t largest = std::numeric_limits<std::int64_t>::min();
    for (ByteView rest = rest_;;) {
        const auto framed = frame_legacy_message(rest);
        if (!framed) {
            return framed.error();
        }
        if (!*framed) {
            break;  // the end; a torn message does not count
        }
        if ((*framed)->codec() != Codec::kNone || !(*framed)->content()) {
            return BatchError::kMalformedRecord;
        }
        last = (*framed)->offset().value();
        largest = std::max(largest, *last);
        rest = rest.subspan((*framed)->size());
    }
    if (!last) {
        return BatchError::kMalformedRecord;
    }
    if (message_.magic() == 0) {
        return std::nullopt;
    }
    const std::int64_t outer = message_.offset().value();
    // Some versions of librdkafka leave 0 outside.
    if (outer != 0 && (*last < 0 || outer < *last)) {
        return BatchError::kMalformedRecord;
    }
    base_ = outer == 0 ? 0 : outer - *last;
    return largest > std::numeric_limits<std::int64_t>::max() - base_
               ? std::optional(BatchError::kMalformedRecord)
               : std::nullopt;
}

std::optional<LegacyRecordView> LegacyRecordIterator::next() {
    if (error_) {
        return std::nullopt;
    }
    const auto framed = frame_legacy_message(rest_);
    if (!framed || !*framed) {
        return std::nullopt;
    }
    const LegacyMessageView& message = **framed;
    rest_ = rest_.subspan(message.size());
    const auto content = message.content();
    KLAB_ASSERT(content.has_value(), "messages were checked when the iterator was made");
    LegacyRecordView record{types::Offset(message.offset().value() + base_),
                            message.timestamp(),
                            content->key,
                            content->value};
    const bool by_broker = message_.timestamp_type() == TimestampType::kLogAppendTime;
    if (is_compressed_ && message.magic() == 1 && by_broker) {
        record.timestamp = message_.timestamp();
    }
    return record;
}

Result<std::vector<LegacyRecord>, BatchError> read_legacy_records(
    const LegacyMessageView& message) {
    std::vector<LegacyRecord> records;
    LegacyRecordIterator it(message);
    while (const auto record = it.next()) {
        records.push_back(
            {record->offset, record->timestamp, copy_of(record->key), copy_of(record->value)});
    }
    if (it.error()) {
        return Error{*it.error()};
    }
    return records;
}

}  // namespace klab::storage
