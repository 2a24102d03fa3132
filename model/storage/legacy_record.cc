// SPDX-License-Identifier: Apache-2.0
//
// See legacy_record.h.
#include "model/storage/legacy_record.h"

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

/// What messages inside take from the one around them.
struct Wrapper {
    TimestampType timestamp_type = TimestampType::kCreateTime;
    std::optional<std::int64_t> timestamp;
};

/// Errors: as read_legacy_records.
Result<LegacyRecord, BatchError> read_plain(const LegacyMessageView& message) {
    const auto content = message.content();
    if (!content) {
        return Error{BatchError::kMalformedRecord};
    }
    return LegacyRecord{
        message.offset(), message.timestamp(), copy_of(content->key), copy_of(content->value)};
}

/// The messages in a decompressed value, with their offsets as they stand. A torn one at the end
/// does not count.
Result<std::vector<LegacyRecord>, BatchError> read_inside(ByteView content,
                                                          const Wrapper& wrapper) {
    std::vector<LegacyRecord> records;
    while (true) {
        const auto framed = frame_legacy_message(content);
        if (!framed) {
            return Error{framed.error()};
        }
        if (!*framed) {
            return records;
        }
        const LegacyMessageView& message = **framed;
        if (message.codec() != Codec::kNone) {
            return Error{BatchError::kMalformedRecord};
        }
        auto record = read_plain(message);
        if (!record) {
            return Error{record.error()};
        }
        const bool by_broker = wrapper.timestamp_type == TimestampType::kLogAppendTime;
        if (message.magic() == 1 && by_broker) {
            record->timestamp = wrapper.timestamp;
        }
        content = content.subspan(message.size());
        records.push_back(std::move(record).value());
    }
}

/// Format 1: from offsets that count from 0 to real ones. False when they do not fit.
bool place_records(std::vector<LegacyRecord>& records, types::Offset last_offset) {
    const std::int64_t last = records.back().offset.value();
    const std::int64_t outer = last_offset.value();
    // Some versions of librdkafka leave 0 outside.
    if (outer != 0 && (last < 0 || outer < last)) {
        return false;
    }
    const std::int64_t base = outer == 0 ? 0 : outer - last;
    for (LegacyRecord& record : records) {
        if (record.offset.value() > std::numeric_limits<std::int64_t>::max() - base) {
            return false;
        }
        record.offset = types::Offset(record.offset.value() + base);
    }
    return true;
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

Result<std::vector<LegacyRecord>, BatchError> read_legacy_records(
    const LegacyMessageView& message) {
    const auto codec = message.codec();
    if (!codec || *codec == Codec::kZstd) {
        return Error{BatchError::kUnknownCodec};
    }
    if (*codec == Codec::kNone) {
        auto record = read_plain(message);
        if (!record) {
            return Error{record.error()};
        }
        return std::vector<LegacyRecord>{std::move(record).value()};
    }
    const auto inside = decompress_value(message, *codec);
    if (!inside) {
        return Error{inside.error()};
    }
    const Wrapper wrapper{message.timestamp_type(), message.timestamp()};
    auto records = read_inside(*inside, wrapper);
    if (!records) {
        return Error{records.error()};
    }
    const bool is_placed =
        !records->empty() && (message.magic() == 0 || place_records(*records, message.offset()));
    return is_placed ? std::move(records) : Error{BatchError::kMalformedRecord};
}

}  // namespace klab::storage
