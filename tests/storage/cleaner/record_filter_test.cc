// SPDX-License-Identifier: Apache-2.0
//
// How a batch is written when part of it stays: rows F1 to F5 (MemoryRecordsTest) and the vectors
// B12 and B13.
#include "model/storage/cleaner/record_filter.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/storage/record_batch_builder.h"
#include "tests/storage/hex.h"
#include "tests/storage/record_batch_vectors.h"

namespace klab::storage::cleaner {
namespace {

using types::Offset;

constexpr std::int64_t kTs = 1'700'000'000'000;

/// Keeps the records with a key, or what the test says.
class TestFilter final : public RecordFilter {
  public:
    explicit TestFilter(BatchRetention retention = BatchRetention::kDeleteEmpty)
        : retention_(retention) {}

    Result<BatchVerdict, BatchError> judge(const RecordBatchView& batch) override {
        for (const std::int64_t offset : deleted_) {
            if (batch.last_offset() == Offset(offset)) {
                return BatchVerdict{BatchRetention::kDelete, false};
            }
        }
        return BatchVerdict{retention_, marks_empty_};
    }

    bool retains(const RecordBatchView& /*batch*/, const RecordView& record) override {
        return keeps_all_ || (!keeps_none_ && record.key);
    }

    TestFilter& keep_all() {
        keeps_all_ = true;
        return *this;
    }

    TestFilter& keep_none() {
        keeps_none_ = true;
        return *this;
    }

    TestFilter& delete_batches_ending_at(std::vector<std::int64_t> offsets) {
        deleted_ = std::move(offsets);
        return *this;
    }

    TestFilter& markers_of_empty_transactions() {
        marks_empty_ = true;
        return *this;
    }

  private:
    BatchRetention retention_;
    std::vector<std::int64_t> deleted_;
    bool keeps_all_ = false;
    bool keeps_none_ = false;
    bool marks_empty_ = false;
};

RecordInput record_of(std::int64_t timestamp, const char* key, const char* value) {
    RecordInput record;
    record.timestamp = timestamp;
    record.key = key == nullptr ? std::nullopt : std::optional(view_of(key));
    record.value = value == nullptr ? std::nullopt : std::optional(view_of(value));
    return record;
}

BatchOptions at(std::int64_t base) {
    BatchOptions options;
    options.base_offset = Offset(base);
    return options;
}

FilterResult filtered(const Bytes& bytes, RecordFilter& filter, FilterTime time = {}) {
    auto result = filter_records(bytes, filter, time);
    EXPECT_TRUE(result.ok());
    return std::move(result).value();
}

Bytes joined(const std::vector<Bytes>& batches) {
    Bytes out;
    for (const Bytes& batch : batches) {
        out.insert(out.end(), batch.begin(), batch.end());
    }
    return out;
}

/// "key@offset/timestamp" of each record.
std::vector<std::string> records_in(ByteView bytes) {
    std::vector<std::string> out;
    RecordIterator records{RecordBatchView(bytes)};
    while (const auto record = records.next()) {
        out.push_back(fmt::format("{}@{}/{}",
                                  record->key ? text_of(*record->key) : "~",
                                  record->offset,
                                  record->timestamp));
    }
    EXPECT_EQ(records.error(), std::nullopt);
    return out;
}

TEST(RecordFilterRows, F1_AnEmptyBatchKeepsItsHeader) {
    for (const bool is_transactional : {true, false}) {
        BatchOptions options = at(3);
        options.leader_epoch = types::LeaderEpoch(293);
        options.is_transactional = is_transactional;
        options.producer = ProducerStamp{types::ProducerId(23), types::ProducerEpoch(5), 10};
        RecordBatchBuilder builder(options);
        builder.append(record_of(11, "2", "b")).append(record_of(12, "3", "c"));
        const Bytes bytes = builder.build();
        TestFilter filter(BatchRetention::kRetainEmpty);
        const FilterResult result = filtered(bytes, filter.keep_none());
        EXPECT_EQ(result.records_read, 2U);
        EXPECT_EQ(result.bytes_read, bytes.size());
        EXPECT_EQ(result.max_offset, Offset(4));
        EXPECT_EQ(result.max_timestamp, 12);
        EXPECT_EQ(result.records_retained, 0U);
        ASSERT_EQ(result.records.size(), kRecordBatchOverhead);
        const RecordBatchView batch(result.records);
        EXPECT_TRUE(batch.has_valid_crc());
        EXPECT_EQ(batch.records_count(), 0);
        EXPECT_EQ(batch.base_offset(), Offset(3));
        EXPECT_EQ(batch.last_offset(), Offset(4));
        EXPECT_EQ(batch.base_sequence(), 10);
        EXPECT_EQ(batch.last_sequence(), 11);
        EXPECT_EQ(batch.producer_id(), types::ProducerId(23));
        EXPECT_EQ(batch.producer_epoch(), types::ProducerEpoch(5));
        EXPECT_EQ(batch.leader_epoch(), types::LeaderEpoch(293));
        EXPECT_EQ(batch.is_transactional(), is_transactional);
        EXPECT_EQ(batch.base_timestamp(), kNoTimestamp);
        EXPECT_EQ(batch.max_timestamp(), 12);
    }
}

TEST(RecordFilterRows, F2_ATombstoneGivesItsBatchAHorizon) {
    RecordBatchBuilder builder(at(0));
    builder.append(record_of(5, "0", "0"));
    builder.append(record_of(10, "1", nullptr));
    builder.append(record_of(15, "2", "2"));
    constexpr std::int64_t kHorizon = std::numeric_limits<std::int32_t>::max() / 2;
    TestFilter filter(BatchRetention::kRetainEmpty);
    const FilterResult result = filtered(builder.build(), filter.keep_all(), {kHorizon - 1, 1});
    EXPECT_EQ(RecordBatchView(result.records).delete_horizon(), kHorizon);
    EXPECT_EQ(records_in(result.records), (std::vector<std::string>{"0@0/5", "1@1/10", "2@2/15"}));
    EXPECT_EQ(RecordBatchView(result.records).max_timestamp(), 15);

    // Once set, the horizon stays, and the batch is copied as it is.
    const FilterResult again = filtered(result.records, filter, {kHorizon + 5, 100});
    EXPECT_EQ(again.records, result.records);
}

TEST(RecordFilterRows, F3_WholeBatchesAreDropped) {
    std::vector<Bytes> batches;
    for (const auto& [base, count] : {std::pair{0, 1}, {1, 2}, {3, 3}, {6, 1}}) {
        RecordBatchBuilder builder(at(base));
        for (int i = 0; i < count; ++i) {
            builder.append(record_of(10 + base + i, "k", "v"));
        }
        batches.push_back(builder.build());
    }
    TestFilter filter;
    const FilterResult result =
        filtered(joined(batches), filter.keep_all().delete_batches_ending_at({2, 6}));
    EXPECT_EQ(result.records, joined({batches[0], batches[2]}));
    EXPECT_EQ(result.bytes_read, joined(batches).size());
    EXPECT_EQ(result.records_read, 4U);
}

TEST(RecordFilterRows, F4_GapsAndBoundsOfACompactedBatch) {
    RecordBatchBuilder builder(at(0));
    builder.append_at(Offset(5), record_of(10, nullptr, "a"));
    builder.append_at(Offset(8), record_of(11, "1", "b"));
    builder.append_at(Offset(10), record_of(12, nullptr, "c"));
    TestFilter filter;
    const FilterResult result = filtered(builder.build(), filter);
    const RecordBatchView batch(result.records);
    EXPECT_EQ(batch.base_offset(), Offset(0));
    EXPECT_EQ(batch.last_offset(), Offset(10));
    EXPECT_EQ(records_in(result.records), (std::vector<std::string>{"1@8/11"}));
    EXPECT_EQ(result.max_offset, Offset(8));
    EXPECT_EQ(batch.max_timestamp(), 11);
}

TEST(RecordFilterRows, F5_SequencesFollowFromTheOffsets) {
    BatchOptions options = at(3);
    options.producer = ProducerStamp{types::ProducerId(23), types::ProducerEpoch(5), 10};
    RecordBatchBuilder builder(options);
    builder.append(record_of(13, nullptr, "d"));
    builder.append(record_of(14, "4", "e"));
    builder.append(record_of(15, "5", "f"));
    TestFilter filter;
    const FilterResult result = filtered(builder.build(), filter);
    const RecordBatchView batch(result.records);
    EXPECT_EQ(batch.records_count(), 2);
    EXPECT_EQ(batch.base_sequence(), 10);
    EXPECT_EQ(batch.last_sequence(), 12);
    RecordIterator records(batch);
    EXPECT_EQ(records.next()->sequence, 11);
    EXPECT_EQ(records.next()->sequence, 12);
    EXPECT_EQ(batch.producer_id(), types::ProducerId(23));
}

TEST(RecordFilterRows, B12_TheHeaderLeftOfB10) {
    const Bytes b10 = from_hex(vectors::kB10);
    TestFilter filter(BatchRetention::kRetainEmpty);
    EXPECT_EQ(filtered(b10, filter.keep_none()).records, from_hex(vectors::kB12));
}

TEST(RecordFilterRows, B13_ATombstoneWithItsHorizon) {
    RecordBatchBuilder builder([] {
        BatchOptions options = at(42);
        options.leader_epoch = types::LeaderEpoch(3);
        return options;
    }());
    builder.append(record_of(kTs, "k1", nullptr));
    TestFilter filter;
    const FilterResult result = filtered(builder.build(), filter.keep_all(), {kTs, 86'400'000});
    EXPECT_EQ(result.records, from_hex(vectors::kB13));
}

TEST(RecordFilter, CopiesUntouchedBatchesByteForByte) {
    // Even a wrong checksum: the cleaner does not look at it.
    Bytes bytes = from_hex(vectors::kB9);
    bytes[BatchField::kCrc] = static_cast<std::uint8_t>(bytes[BatchField::kCrc] ^ 0xFFU);
    TestFilter filter;
    EXPECT_EQ(filtered(bytes, filter.keep_all(), {kTs, 1}).records, bytes);
}

TEST(RecordFilter, AMarkerOfAnEmptyTransactionGetsAHorizon) {
    const Bytes marker = from_hex(vectors::kB11);
    TestFilter filter;
    filter.keep_all().markers_of_empty_transactions();
    const FilterResult result = filtered(marker, filter, {kTs, 1000});
    const RecordBatchView batch(result.records);
    EXPECT_EQ(batch.delete_horizon(), kTs + 1000);
    EXPECT_TRUE(batch.is_control());
    EXPECT_TRUE(batch.is_transactional());
    EXPECT_EQ(batch.base_sequence(), std::nullopt);
    EXPECT_EQ(batch.max_timestamp(), RecordBatchView(marker).max_timestamp());
}

TEST(RecordFilter, LogAppendTimeStaysThatOfTheBatch) {
    // All records of such a batch have the batch's time, whichever of them stay.
    BatchOptions options = at(0);
    options.log_append_time = 99;
    RecordBatchBuilder builder(options);
    builder.append(record_of(50, "k", "v")).append(record_of(70, nullptr, "w"));
    TestFilter filter;
    const FilterResult result = filtered(builder.build(), filter);
    const RecordBatchView batch(result.records);
    EXPECT_EQ(batch.timestamp_type(), TimestampType::kLogAppendTime);
    EXPECT_EQ(batch.max_timestamp(), 99);
    EXPECT_EQ(records_in(result.records), (std::vector<std::string>{"k@0/99"}));
}

TEST(RecordFilter, HeadersStayWithTheirRecord) {
    const Bytes b10 = from_hex(vectors::kB10);

    class First final : public RecordFilter {
      public:
        Result<BatchVerdict, BatchError> judge(const RecordBatchView& /*batch*/) override {
            return BatchVerdict{};
        }

        bool retains(const RecordBatchView& batch, const RecordView& record) override {
            return record.offset == batch.base_offset();
        }
    } filter;

    const FilterResult result = filtered(b10, filter);
    RecordIterator before{RecordBatchView(b10)};
    RecordIterator after{RecordBatchView(result.records)};
    const auto headers = after.next()->headers();
    ASSERT_EQ(headers.size(), 2U);
    EXPECT_EQ(headers[0].key, before.next()->headers()[0].key);
    EXPECT_EQ(headers[1].value, std::nullopt);
}

TEST(RecordFilter, ATornTailIsLeft) {
    const Bytes whole = from_hex(vectors::kB9);
    Bytes bytes = whole;
    bytes.insert(bytes.end(), whole.begin(), whole.begin() + 40);
    TestFilter filter;
    const FilterResult result = filtered(bytes, filter.keep_all());
    EXPECT_EQ(result.bytes_read, whole.size());
    EXPECT_EQ(result.records, whole);
}

TEST(RecordFilter, WhatCannotBeWrittenAgainIsAnError) {
    // Kafka's builder throws; the log is then uncleanable. Copied as it is, the batch is no
    // problem.
    BatchOptions options = at(0);
    options.producer = ProducerStamp{types::ProducerId(1), types::ProducerEpoch(0), 0};
    RecordBatchBuilder builder(options);
    builder.append(record_of(1, "a", "x")).append(record_of(2, "b", "y"));
    Bytes bytes = builder.build();
    store_be(bytes.data() + BatchField::kProducerEpoch, std::int16_t{-1});
    TestFilter filter;
    EXPECT_EQ(filtered(bytes, filter.keep_all()).records, bytes);

    class Second final : public RecordFilter {
      public:
        Result<BatchVerdict, BatchError> judge(const RecordBatchView& /*batch*/) override {
            return BatchVerdict{};
        }

        bool retains(const RecordBatchView& batch, const RecordView& record) override {
            return record.offset != batch.base_offset();
        }
    } second;

    EXPECT_EQ(filter_records(bytes, second, {}).error(), BatchError::kMalformedRecord);
}

}  // namespace
}  // namespace klab::storage::cleaner
