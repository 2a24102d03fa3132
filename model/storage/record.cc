// SPDX-License-Identifier: Apache-2.0
//
// See record.h.
#include "model/storage/record.h"

#include "model/storage/compression.h"
#include "model/storage/varint.h"

namespace klab::storage {

namespace {

/// A varint length and that many bytes. Any negative length reads as null.
std::optional<ByteView> read_nullable(ByteReader& reader) {
    const std::int32_t length = read_varint(reader);
    return length < 0 ? std::nullopt : std::optional(reader.take(static_cast<std::size_t>(length)));
}

std::size_t size_of_nullable(const std::optional<ByteView>& bytes) {
    return bytes ? size_of_varint(static_cast<std::int32_t>(bytes->size())) + bytes->size()
                 : size_of_varint(-1);
}

void write_nullable(Bytes& out, const std::optional<ByteView>& bytes) {
    if (!bytes) {
        write_varint(out, -1);
        return;
    }
    write_varint(out, static_cast<std::int32_t>(bytes->size()));
    ByteWriter(out).put_bytes(*bytes);
}

/// Header keys are never null: a negative length is an error.
std::optional<RecordHeader> read_header(ByteReader& reader) {
    const std::int32_t key_length = read_varint(reader);
    if (!reader.ok() || key_length < 0) {
        return std::nullopt;
    }
    RecordHeader header;
    header.key = text_of(reader.take(static_cast<std::size_t>(key_length)));
    header.value = read_nullable(reader);
    return reader.ok() ? std::optional(header) : std::nullopt;
}

std::size_t body_size(std::int64_t timestamp_delta,
                      std::int32_t offset_delta,
                      const RecordInput& record) {
    std::size_t size = 1 + size_of_varlong(timestamp_delta) + size_of_varint(offset_delta) +
                       size_of_nullable(record.key) + size_of_nullable(record.value) +
                       size_of_varint(static_cast<std::int32_t>(record.headers.size()));
    for (const RecordHeader& header : record.headers) {
        size += size_of_nullable(view_of(header.key)) + size_of_nullable(header.value);
    }
    return size;
}

}  // namespace

std::vector<RecordHeader> RecordView::headers() const {
    ByteReader reader(header_bytes);
    std::vector<RecordHeader> result;
    for (std::uint32_t i = 0; i < headers_count; ++i) {
        const auto header = read_header(reader);
        KLAB_ASSERT(header.has_value(), "headers were checked when the record was read");
        result.push_back(*header);
    }
    return result;
}

RecordIterator::RecordIterator(const RecordBatchView& batch)
    : batch_(batch),
      reader_(batch.records()),
      left_(batch.records_count()),
      base_sequence_(batch.base_sequence()) {
    if (left_ < 0) {
        error_ = BatchError::kNegativeCount;
    } else {
        error_ = decompress_records();
    }
}

std::optional<BatchError> RecordIterator::decompress_records() {
    const auto codec = batch_.codec();
    if (!codec) {
        return BatchError::kUnknownCodec;
    }
    const bool is_empty = left_ == 0 && batch_.records().empty();
    if (*codec == Codec::kNone || is_empty) {
        return std::nullopt;
    }
    if (!batch_.has_valid_crc()) {
        return BatchError::kBadCrc;
    }
    auto content = decompress(*codec, batch_.records());
    if (!content) {
        return content.error() == DecompressError::kTooLarge ? BatchError::kExpandsTooFar
                                                             : BatchError::kUndecodable;
    }
    content_ = std::move(content).value();
    reader_ = ByteReader(content_);
    return std::nullopt;
}

std::optional<RecordView> RecordIterator::next() {
    // One object, filled where it is returned: this runs once for each record of a log.
    std::optional<RecordView> record;
    const std::optional<BatchError> error = read_next(record);
    if (error) {
        error_ = error;
        record.reset();
    }
    return record;
}

std::optional<BatchError> RecordIterator::read_next(std::optional<RecordView>& record) {
    if (error_) {
        return error_;
    }
    if (left_ == 0) {
        return reader_.remaining() > 0 ? std::optional(BatchError::kLeftoverBytes) : std::nullopt;
    }
    const std::int32_t length = read_varint(reader_);
    if (!reader_.ok()) {
        return reader_.error() == ReadError::kOutOfBytes ? BatchError::kTooFewBytes
                                                         : BatchError::kMalformedRecord;
    }
    if (length < 0) {
        return BatchError::kMalformedRecord;
    }
    if (static_cast<std::size_t>(length) > reader_.remaining()) {
        return BatchError::kTooFewBytes;
    }
    ByteReader body(reader_.take(static_cast<std::size_t>(length)));
    --left_;
    return decode(body, record.emplace()) ? std::nullopt
                                          : std::optional(BatchError::kMalformedRecord);
}

bool RecordIterator::decode(ByteReader& body, RecordView& record) const {
    (void)body.get<std::int8_t>();  // attributes: unused
    const std::int64_t timestamp_delta = read_varlong(body);
    const std::int32_t offset_delta = read_varint(body);
    record.offset = batch_.base_offset() + offset_delta;
    // Wraps like Java when a damaged header makes the sum overflow.
    record.timestamp =
        batch_.timestamp_type() == TimestampType::kLogAppendTime
            ? batch_.max_timestamp()
            : static_cast<std::int64_t>(static_cast<std::uint64_t>(batch_.base_timestamp()) +
                                        static_cast<std::uint64_t>(timestamp_delta));
    if (base_sequence_) {
        record.sequence = increment_sequence(*base_sequence_, offset_delta);
    }
    record.key = read_nullable(body);
    record.value = read_nullable(body);
    const std::int32_t count = read_varint(body);
    if (!body.ok() || count < 0 || static_cast<std::size_t>(count) > body.remaining()) {
        return false;
    }
    record.headers_count = static_cast<std::uint32_t>(count);
    ByteReader rest = body;
    record.header_bytes = rest.take(rest.remaining());
    for (std::int32_t i = 0; i < count; ++i) {
        if (!read_header(body)) {
            return false;
        }
    }
    return body.ok() && body.remaining() == 0;
}

std::size_t encoded_record_size(std::int64_t timestamp_delta,
                                std::int32_t offset_delta,
                                const RecordInput& record) {
    const std::size_t body = body_size(timestamp_delta, offset_delta, record);
    return size_of_varint(static_cast<std::int32_t>(body)) + body;
}

std::size_t encoded_record_size_max(const RecordInput& record) {
    // Length 5, attributes 1, timestamp delta 10, offset delta 5.
    constexpr std::size_t kOverheadMax = 21;
    constexpr std::size_t kOverheadWithoutDeltas = 3;
    return kOverheadMax + body_size(0, 0, record) - kOverheadWithoutDeltas;
}

void encode_record(Bytes& out,
                   std::int64_t timestamp_delta,
                   std::int32_t offset_delta,
                   const RecordInput& record) {
    const std::size_t body = body_size(timestamp_delta, offset_delta, record);
    write_varint(out, static_cast<std::int32_t>(body));
    out.push_back(0);  // attributes: unused
    write_varlong(out, timestamp_delta);
    write_varint(out, offset_delta);
    write_nullable(out, record.key);
    write_nullable(out, record.value);
    write_varint(out, static_cast<std::int32_t>(record.headers.size()));
    for (const RecordHeader& header : record.headers) {
        write_nullable(out, view_of(header.key));
        write_nullable(out, header.value);
    }
}

}  // namespace klab::storage
