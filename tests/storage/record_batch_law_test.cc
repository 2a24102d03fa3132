// SPDX-License-Identifier: Apache-2.0
//
// Laws of the record batch codec: decoding undoes encoding, damage under the checksum is noticed,
// and no bytes can make the reader go wrong.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/storage/record_batch_builder.h"
#include "tests/storage/hex.h"
#include "tests/storage/record_batch_vectors.h"

namespace klab::storage {
namespace {

using types::Offset;
using types::ProducerEpoch;
using types::ProducerId;

/// A record with bytes of its own, for generated batches.
struct OwnedRecord {
    std::int64_t timestamp = 0;
    std::optional<Bytes> key;
    std::optional<Bytes> value;
    std::vector<std::pair<std::string, std::optional<Bytes>>> headers;

    friend bool operator==(const OwnedRecord&, const OwnedRecord&) = default;
};

std::optional<ByteView> maybe_view(const std::optional<Bytes>& bytes) {
    return bytes ? std::optional(ByteView(*bytes)) : std::nullopt;
}

std::optional<Bytes> maybe_copy(const std::optional<ByteView>& view) {
    return view ? std::optional(Bytes(view->begin(), view->end())) : std::nullopt;
}

std::optional<Bytes> arbitrary_bytes() {
    const bool is_null = *rc::gen::inRange(0, 4) == 0;
    return is_null ? std::nullopt : std::optional(*rc::gen::arbitrary<Bytes>());
}

OwnedRecord arbitrary_record() {
    OwnedRecord record;
    record.timestamp = *rc::gen::inRange<std::int64_t>(-1, 1'000'000'000'000);
    record.key = arbitrary_bytes();
    record.value = arbitrary_bytes();
    const auto headers = *rc::gen::inRange(0, 3);
    for (int i = 0; i < headers; ++i) {
        auto key = *rc::gen::arbitrary<std::string>();
        record.headers.emplace_back(std::move(key), arbitrary_bytes());
    }
    return record;
}

void append_to(RecordBatchBuilder& builder, const OwnedRecord& record) {
    std::vector<RecordHeader> headers;
    for (const auto& [key, value] : record.headers) {
        headers.push_back({key, maybe_view(value)});
    }
    const RecordInput input{
        record.timestamp, maybe_view(record.key), maybe_view(record.value), headers};
    const std::size_t promised = builder.size_with(input);
    builder.append(input);
    RC_ASSERT(builder.size() == promised);
}

OwnedRecord owned(const RecordView& view) {
    OwnedRecord record{view.timestamp, maybe_copy(view.key), maybe_copy(view.value), {}};
    for (const RecordHeader& header : view.headers()) {
        record.headers.emplace_back(std::string(header.key), maybe_copy(header.value));
    }
    return record;
}

RC_GTEST_PROP(RecordBatchLaw, DecodeUndoesEncode, ()) {
    BatchOptions options;
    options.base_offset = Offset(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000));
    const std::int32_t sequence = *rc::gen::inRange(0, 2147483647);
    options.producer = ProducerStamp{ProducerId(5), ProducerEpoch(3), sequence};
    std::vector<OwnedRecord> records;
    RecordBatchBuilder builder(options);
    const auto count = *rc::gen::inRange(1, 8);
    for (int i = 0; i < count; ++i) {
        records.push_back(arbitrary_record());
        append_to(builder, records.back());
    }
    const Bytes bytes = builder.build();
    const auto frame = frame_batch(bytes);
    RC_ASSERT(frame.ok() && frame->has_value());
    const RecordBatchView batch = **frame;
    RC_ASSERT(batch.has_valid_crc());
    RC_ASSERT(batch.next_offset() == options.base_offset + count);
    std::vector<OwnedRecord> decoded;
    RecordIterator it(batch);
    while (const auto view = it.next()) {
        const auto index = static_cast<std::int32_t>(decoded.size());
        RC_ASSERT(view->offset == options.base_offset + index);
        RC_ASSERT(view->sequence == increment_sequence(sequence, index));
        decoded.push_back(owned(*view));
    }
    RC_ASSERT(!it.error().has_value());
    RC_ASSERT(decoded == records);
}

RC_GTEST_PROP(RecordBatchLaw,
              AnyDamageUnderTheCrcIsNoticed,
              (std::uint32_t where, std::uint8_t how)) {
    Bytes bytes = from_hex(vectors::kB10);
    const std::size_t at = BatchField::kCrc + where % (bytes.size() - BatchField::kCrc);
    RC_PRE(how != 0);
    bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ how);
    RC_ASSERT(!RecordBatchView(bytes).has_valid_crc());
}

RC_GTEST_PROP(RecordBatchLaw,
              ArbitraryRecordBytesNeverCrash,
              (const Bytes& junk, std::int32_t count)) {
    // A batch may carry any bytes under a valid checksum: a client computes it over what it likes.
    Bytes bytes = RecordBatchBuilder().build();
    bytes.insert(bytes.end(), junk.begin(), junk.end());
    store_be(bytes.data() + BatchField::kLength,
             static_cast<std::int32_t>(bytes.size() - kLogOverhead));
    store_be(bytes.data() + BatchField::kRecordsCount, count % 10);
    RecordIterator records{RecordBatchView(bytes)};
    std::int32_t seen = 0;
    while (const auto record = records.next()) {
        ++seen;
        (void)record->headers();
    }
    RC_ASSERT(records.error().has_value() || seen == count % 10);
}

}  // namespace
}  // namespace klab::storage
