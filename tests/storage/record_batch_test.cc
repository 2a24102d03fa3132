// SPDX-License-Identifier: Apache-2.0
//
// Record batch v2 against complete batches of other implementations (rows B1 to B14 without the
// compressed ones, which are in compressed_batch_test.cc), sizes, damage and in-place changes. The
// laws are in record_batch_law_test.cc.
#include "model/storage/record_batch.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/storage/control_record.h"
#include "model/storage/crc32c.h"
#include "model/storage/record_batch_builder.h"
#include "tests/storage/hex.h"
#include "tests/storage/record_batch_vectors.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;
using types::ProducerEpoch;
using types::ProducerId;

constexpr std::int64_t kTs = 1700000000000;

RecordBatchView framed(const Bytes& bytes) {
    const auto batch = frame_batch(bytes);
    EXPECT_TRUE(batch.ok());
    EXPECT_TRUE(batch.value().has_value());
    EXPECT_EQ((*batch)->size(), bytes.size());
    return **batch;
}

RecordInput record_of(std::int64_t timestamp, const char* key, const char* value) {
    RecordInput record;
    record.timestamp = timestamp;
    record.key = key == nullptr ? std::nullopt : std::optional(view_of(key));
    record.value = value == nullptr ? std::nullopt : std::optional(view_of(value));
    return record;
}

/// "key=value@offset/timestamp" for each record, "~" for null.
std::vector<std::string> texts_of(const RecordBatchView& batch) {
    const auto text = [](const std::optional<ByteView>& bytes) {
        return bytes ? std::string(text_of(*bytes)) : "~";
    };
    std::vector<std::string> out;
    RecordIterator records(batch);
    while (const auto record = records.next()) {
        out.push_back(fmt::format("{}={}@{}/{}",
                                  text(record->key),
                                  text(record->value),
                                  record->offset,
                                  record->timestamp));
    }
    EXPECT_EQ(records.error(), std::nullopt);
    return out;
}

std::optional<BatchError> error_of(const RecordBatchView& batch) {
    RecordIterator records(batch);
    while (records.next()) {
    }
    return records.error();
}

TEST(RecordBatchRows, B1_TwoRecords) {
    const Bytes expected = from_hex(vectors::kB1);
    RecordBatchBuilder builder;
    builder.append(record_of(283843, "key1", "value1")).append(record_of(1234, "key2", "value2"));
    EXPECT_EQ(to_hex(builder.build()), to_hex(expected));

    const RecordBatchView batch = framed(expected);
    EXPECT_EQ(batch.computed_crc(), 3851219455U);
    EXPECT_TRUE(batch.has_valid_crc());
    EXPECT_EQ(batch.leader_epoch(), std::nullopt);
    EXPECT_EQ(batch.producer_id(), std::nullopt);
    EXPECT_EQ(batch.producer_epoch(), std::nullopt);
    EXPECT_EQ(batch.last_sequence(), std::nullopt);
    EXPECT_EQ(batch.last_offset(), Offset(1));
    EXPECT_EQ(batch.max_timestamp(), 283843);
    EXPECT_EQ(texts_of(batch),
              (std::vector<std::string>{"key1=value1@0/283843", "key2=value2@1/1234"}));
}

TEST(RecordBatchRows, B3_EmptyBatch) {
    const Bytes bytes = from_hex(vectors::kB3);
    const RecordBatchView batch = framed(bytes);
    EXPECT_TRUE(batch.has_valid_crc());
    EXPECT_EQ(batch.stored_crc(), 0x595FB7DDU);
    EXPECT_EQ(batch.producer_id(), ProducerId(0));
    EXPECT_TRUE(texts_of(batch).empty());
}

TEST(RecordBatchRows, B4_EmptyControlBatch) {
    const Bytes bytes = from_hex(vectors::kB4);
    const RecordBatchView batch = framed(bytes);
    EXPECT_TRUE(batch.has_valid_crc());
    EXPECT_TRUE(batch.is_control());
    EXPECT_FALSE(batch.is_transactional());
    EXPECT_EQ(parse_end_transaction_marker(batch), std::nullopt);
}

TEST(RecordBatchRows, B5_RecordWithHeader) {
    const Bytes bytes = from_hex(vectors::kB5);
    const RecordBatchView batch = framed(bytes);
    EXPECT_TRUE(batch.has_valid_crc());
    RecordIterator records(batch);
    const auto record = records.next();
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->timestamp, 1479847795005);
    EXPECT_EQ(to_hex(*record->key), "01020304");
    EXPECT_EQ(to_hex(*record->value), "050607");
    const auto headers = record->headers();
    ASSERT_EQ(headers.size(), 1U);
    EXPECT_EQ(to_hex(view_of(headers[0].key)), "08090a");
    EXPECT_EQ(to_hex(*headers[0].value), "0b0c");
}

TEST(RecordBatchRows, B9_LeaderStampsOffsetAndEpochOutsideTheCrc) {
    Bytes bytes = from_hex(vectors::kB9);
    BatchOptions options;
    options.leader_epoch = LeaderEpoch(0);
    EXPECT_EQ(RecordBatchBuilder(options).append(record_of(kTs, "k1", "v1")).build(), bytes);

    set_last_offset(bytes, Offset(368801));
    set_leader_epoch(bytes, LeaderEpoch(7));
    Bytes expected = from_hex(vectors::kB9);
    const Bytes offset = from_hex("00 00 00 00 00 05 A0 A1");
    std::copy(offset.begin(), offset.end(), expected.begin());
    expected[15] = 7;
    EXPECT_EQ(to_hex(bytes), to_hex(expected));
    EXPECT_TRUE(framed(bytes).has_valid_crc());
    EXPECT_EQ(framed(bytes).stored_crc(), 0x6BA48E85U);
}

TEST(RecordBatchRows, B9_LogAppendTimeChangesAttributesMaximumAndCrc) {
    Bytes bytes = from_hex(vectors::kB9);
    set_max_timestamp(bytes, TimestampType::kLogAppendTime, kTs + 7);
    const RecordBatchView batch = framed(bytes);
    EXPECT_EQ(batch.attributes(), 0x0008);
    EXPECT_EQ(batch.max_timestamp(), kTs + 7);
    EXPECT_EQ(batch.base_timestamp(), kTs);
    EXPECT_EQ(batch.stored_crc(), 0x15E6BB25U);
    EXPECT_EQ(texts_of(batch), (std::vector<std::string>{"k1=v1@0/1700000000007"}));
}

TEST(RecordBatchRows, B9_SameTimestampTouchesNothing) {
    Bytes bytes = from_hex(vectors::kB9);
    set_max_timestamp(bytes, TimestampType::kCreateTime, kTs);
    EXPECT_EQ(bytes, from_hex(vectors::kB9));
}

TEST(RecordBatchRows, B10_IdempotentBatchWithHeadersAndTombstone) {
    BatchOptions options;
    options.base_offset = Offset(42);
    options.leader_epoch = LeaderEpoch(3);
    options.producer = ProducerStamp{ProducerId(1001), ProducerEpoch(2), 7};
    const RecordHeader headers[] = {{"h1", view_of("x")}, {"h2", std::nullopt}};
    RecordInput first = record_of(kTs, nullptr, "hello");
    first.headers = headers;
    RecordBatchBuilder builder(options);
    builder.append(first).append(record_of(kTs + 5, "key", nullptr));
    const Bytes bytes = builder.build();
    EXPECT_EQ(to_hex(bytes), to_hex(from_hex(vectors::kB10)));
    EXPECT_EQ(framed(bytes).stored_crc(), 0x3D7C50E7U);
    EXPECT_EQ(framed(bytes).last_sequence(), 8);

    options.is_transactional = true;
    RecordBatchBuilder transactional(options);
    transactional.append(first).append(record_of(kTs + 5, "key", nullptr));
    const Bytes with_bit = transactional.build();
    EXPECT_EQ(framed(with_bit).stored_crc(), 0xD4DB9747U);
}

TEST(RecordBatchRows, B11_CommitMarkerAndItsAbortTwin) {
    const MarkerPlace place{
        Offset(44), LeaderEpoch(3), ProducerId(1001), ProducerEpoch(2), 1700000000010};
    const Bytes commit = build_end_transaction_marker(place, {ControlType::kCommit, 9});
    EXPECT_EQ(to_hex(commit), to_hex(from_hex(vectors::kB11)));
    EXPECT_EQ(parse_end_transaction_marker(framed(commit)),
              (EndTransactionMarker{ControlType::kCommit, 9}));
    const Bytes abort = build_end_transaction_marker(place, {ControlType::kAbort, 9});
    EXPECT_EQ(framed(abort).stored_crc(), 0x126369CEU);
}

TEST(RecordBatchRows, B12_EmptyBatchKeptByCompaction) {
    const Bytes bytes = from_hex(vectors::kB12);
    const RecordBatchView batch = framed(bytes);
    EXPECT_TRUE(batch.has_valid_crc());
    EXPECT_EQ(batch.base_timestamp(), -1);
    EXPECT_EQ(batch.max_timestamp(), kTs + 5);
    EXPECT_EQ(batch.last_offset(), Offset(43));
    EXPECT_EQ(batch.last_sequence(), 8);
    EXPECT_TRUE(texts_of(batch).empty());
}

TEST(RecordBatchRows, B13_TombstoneWithDeleteHorizon) {
    BatchOptions options;
    options.base_offset = Offset(42);
    options.leader_epoch = LeaderEpoch(3);
    options.delete_horizon = 1700086400000;
    const Bytes bytes = RecordBatchBuilder(options).append(record_of(kTs, "k1", nullptr)).build();
    EXPECT_EQ(to_hex(bytes), to_hex(from_hex(vectors::kB13)));
    EXPECT_EQ(framed(bytes).delete_horizon(), 1700086400000);
    EXPECT_EQ(texts_of(framed(bytes)), (std::vector<std::string>{"k1=~@42/1700000000000"}));
}

TEST(RecordBatchRows, B14_LeaderChangeIsAControlRecord) {
    const Bytes bytes = from_hex(vectors::kB14);
    const RecordBatchView batch = framed(bytes);
    EXPECT_TRUE(batch.has_valid_crc());
    EXPECT_TRUE(batch.is_control());
    EXPECT_EQ(batch.leader_epoch(), LeaderEpoch(5));
    RecordIterator records(batch);
    const auto record = records.next();
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(parse_control_type(*record->key), ControlType::kLeaderChange);
    EXPECT_EQ(record->value->size(), 34U);
    EXPECT_EQ(parse_end_transaction_marker(batch), std::nullopt);
}

TEST(RecordSizes, RecordRows) {
    EXPECT_EQ(encoded_record_size(0, 0, record_of(0, "a", "1")), 9U);
    EXPECT_EQ(encoded_record_size(0, 0, record_of(0, "b", nullptr)), 8U);
    EXPECT_EQ(encoded_record_size(0, 0, record_of(0, nullptr, "3")), 8U);
    EXPECT_EQ(encoded_record_size(0, 0, record_of(0, nullptr, nullptr)), 7U);
    const RecordHeader headers[] = {{"k1", view_of("v1")}, {"k2", std::nullopt}};
    RecordInput record = record_of(0, "abc", "0");
    record.headers = headers;
    EXPECT_EQ(encoded_record_size(9998, 5, record), 23U);
}

TEST(RecordSizes, SingleRecordBatchRows) {
    const auto size = [](const char* key, const char* value) {
        const RecordBatchBuilder empty;
        const RecordInput record = record_of(kTs, key, value);
        const std::size_t promised = empty.size_with(record);
        RecordBatchBuilder builder;
        builder.append(record);
        EXPECT_EQ(builder.size(), promised);
        EXPECT_EQ(builder.build().size(), promised);
        return promised;
    };
    EXPECT_EQ(size(nullptr, "1"), 69U);
    EXPECT_EQ(size(nullptr, "test"), 72U);
    EXPECT_EQ(size("k1", "v1"), 72U);
    EXPECT_EQ(size("key1", "val1"), 76U);
    EXPECT_EQ(RecordBatchBuilder().build().size(), 61U);
}

TEST(SequenceArithmetic, Rows) {
    EXPECT_EQ(increment_sequence(5, 5), 10);
    EXPECT_EQ(increment_sequence(kSequenceMax, 1), 0);
    EXPECT_EQ(increment_sequence(kSequenceMax - 5, 10), 4);
    EXPECT_EQ(decrement_sequence(5, 5), 0);
    EXPECT_EQ(decrement_sequence(0, 1), kSequenceMax);
}

TEST(BatchFraming, TornTailIsTheEnd) {
    const Bytes whole = from_hex(vectors::kB9);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto framed_part = frame_batch(ByteView(whole).first(size));
        ASSERT_TRUE(framed_part.ok()) << size;
        EXPECT_FALSE(framed_part->has_value()) << size;
    }
}

TEST(BatchFraming, SizeFieldBelowTheLeastIsDamage) {
    EXPECT_EQ(frame_batch(Bytes(100, 0)).error(), BatchError::kSizeFieldTooSmall);
    Bytes bytes = from_hex(vectors::kB9);
    store_be(bytes.data() + BatchField::kLength, std::int32_t{48});
    EXPECT_EQ(frame_batch(bytes).error(), BatchError::kSizeFieldTooSmall);
    store_be(bytes.data() + BatchField::kLength, std::int32_t{-1});
    EXPECT_EQ(frame_batch(bytes).error(), BatchError::kSizeFieldTooSmall);
}

TEST(BatchFraming, OtherFormatsAreRefused) {
    Bytes bytes = from_hex(vectors::kB9);
    bytes[BatchField::kMagic] = 1;
    EXPECT_EQ(frame_batch(bytes).error(), BatchError::kUnsupportedMagic);
}

TEST(BatchFraming, IteratorStopsAtDamageAndSaysWhere) {
    Bytes bytes = from_hex(vectors::kB9);
    const std::size_t one = bytes.size();
    const Bytes second = bytes;
    bytes.insert(bytes.end(), second.begin(), second.end());
    bytes.insert(bytes.end(), 20, 0);
    BatchIterator batches(bytes);
    EXPECT_TRUE(batches.next().has_value());
    EXPECT_TRUE(batches.next().has_value());
    EXPECT_FALSE(batches.next().has_value());
    EXPECT_EQ(batches.error(), BatchError::kSizeFieldTooSmall);
    EXPECT_EQ(batches.position(), 2 * one);
    EXPECT_FALSE(batches.next().has_value());
}

Bytes with_count(std::int32_t count) {
    Bytes bytes = from_hex(vectors::kB1);
    store_be(bytes.data() + BatchField::kRecordsCount, count);
    return bytes;
}

TEST(RecordErrors, V20_CountTooHighOrTooLow) {
    const Bytes high = with_count(3);
    EXPECT_EQ(error_of(framed(high)), BatchError::kTooFewBytes);
    const Bytes low = with_count(1);
    EXPECT_EQ(error_of(framed(low)), BatchError::kLeftoverBytes);
    const Bytes negative = with_count(-1);
    EXPECT_EQ(error_of(framed(negative)), BatchError::kNegativeCount);
}

TEST(RecordErrors, V21_FlippedCrcByte) {
    Bytes bytes = from_hex(vectors::kB1);
    bytes[BatchField::kCrc] ^= 1;
    EXPECT_FALSE(framed(bytes).has_valid_crc());
}

TEST(RecordErrors, UnknownCodecNumber) {
    Bytes bytes = from_hex(vectors::kB1);
    bytes[BatchField::kAttributes + 1] = 5;
    EXPECT_EQ(framed(bytes).codec(), std::nullopt);
    EXPECT_EQ(error_of(framed(bytes)), BatchError::kUnknownCodec);
}

/// B9 with one byte of its record changed; the record starts at 61 with its length.
std::optional<BatchError> error_with(std::size_t at, std::uint8_t value) {
    Bytes bytes = from_hex(vectors::kB9);
    bytes[at] = value;
    return error_of(framed(bytes));
}

TEST(RecordErrors, BodyMustBeExactlyAsLongAsItSays) {
    EXPECT_EQ(error_with(61, 0x16), BatchError::kTooFewBytes);      // longer than what is there
    EXPECT_EQ(error_with(61, 0x12), BatchError::kMalformedRecord);  // shorter than its fields
    EXPECT_EQ(error_with(61, 0x01), BatchError::kMalformedRecord);  // negative
    EXPECT_EQ(error_with(65, 0x02), BatchError::kMalformedRecord);  // key one byte shorter
    EXPECT_EQ(error_with(71, 0x01), BatchError::kMalformedRecord);  // header count -1
    EXPECT_EQ(error_with(71, 0x02), BatchError::kMalformedRecord);  // more headers than bytes
}

TEST(RecordErrors, NegativeHeaderKeyLength) {
    Bytes bytes = from_hex(vectors::kB5);
    ASSERT_EQ(bytes[75], 0x06);  // the header's key length
    bytes[75] = 0x01;
    EXPECT_EQ(error_of(framed(bytes)), BatchError::kMalformedRecord);
}

TEST(RecordErrors, CorruptionAndInvalidityAreDifferentThings) {
    EXPECT_TRUE(is_corruption(BatchError::kBadCrc));
    EXPECT_FALSE(is_corruption(BatchError::kMalformedRecord));
    EXPECT_EQ(to_text(BatchError::kBadCrc), "bad crc");
}

TEST(ControlKeys, InvalidAndUnknown) {
    EXPECT_EQ(parse_control_type(from_hex("00 00 00")), std::nullopt);
    EXPECT_EQ(parse_control_type(from_hex("FF FF 00 00")), std::nullopt);
    EXPECT_EQ(parse_control_type(from_hex("00 05 00 01")), ControlType::kCommit);
    EXPECT_EQ(parse_control_type(from_hex("00 00 00 63")), ControlType::kUnknown);
}

TEST(RecordBatchBuilder, PreconditionsAreAsserted) {
    BatchOptions options;
    options.is_transactional = true;
    EXPECT_THROW(RecordBatchBuilder{options}, AssertionFailure);
    options.producer = ProducerStamp{ProducerId(1), ProducerEpoch(0), std::nullopt};
    EXPECT_THROW(RecordBatchBuilder{options}, AssertionFailure);
    RecordBatchBuilder builder;
    EXPECT_THROW(builder.append(record_of(-2, "k", "v")), AssertionFailure);
}

TEST(RecordBatchBuilder, StampSetLateIsTheStampSetEarly) {
    const ProducerStamp stamp{ProducerId(7), ProducerEpoch(1), 12};
    BatchOptions options;
    options.producer = stamp;
    RecordBatchBuilder early(options);
    early.append(record_of(5, "k", "v"));
    RecordBatchBuilder late;
    late.append(record_of(5, "k", "v"));
    late.set_producer(stamp);
    EXPECT_EQ(early.build(), late.build());
    EXPECT_EQ(early, late);
}

TEST(RecordBatchBuilder, GapsAndKeptLastOffset) {
    BatchOptions options;
    options.base_offset = Offset(10);
    RecordBatchBuilder builder(options);
    builder.append_at(Offset(12), record_of(1, "a", "1")).extend_to(Offset(15));
    const Bytes bytes = builder.build();
    EXPECT_EQ(framed(bytes).last_offset(), Offset(15));
    EXPECT_EQ(framed(bytes).base_offset(), Offset(10));
    EXPECT_EQ(texts_of(framed(bytes)), (std::vector<std::string>{"a=1@12/1"}));
}

}  // namespace
}  // namespace klab::storage
