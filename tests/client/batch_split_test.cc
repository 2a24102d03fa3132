// SPDX-License-Identifier: Apache-2.0
//
// Splitting of batches that were too large. Kafka: ProducerBatchTest and RecordAccumulatorTest
// (testSplitBatchOffAccumulator), KAFKA-8350.
#include "model/client/batch_split.h"

#include <string>

#include <gtest/gtest.h>

#include "model/client/compression_ratio.h"

namespace klab::client {
namespace {

using storage::Codec;

/// A closed batch of `count` records with values of 1000 bytes that only compress in a batch.
ProducerBatch batch_of(int count, Codec codec) {
    ProducerBatch batch;
    storage::BatchOptions options;
    options.compression.codec = codec;
    batch.builder = storage::RecordBatchBuilder(options);
    for (int i = 0; i < count; ++i) {
        const std::string value = fmt::format("{}{:x<999}", i, "");
        storage::RecordInput record;
        record.timestamp = i;
        record.value = storage::view_of(value);
        add_record(batch, 100 + i, record);
    }
    batch.builder.close();
    return batch;
}

/// "100-101 102": the records of each part.
std::string parts_text(const std::vector<ProducerBatch>& parts) {
    std::string text;
    for (const ProducerBatch& part : parts) {
        text += text.empty() ? "" : " ";
        text += part.count() == 1 ? std::to_string(part.records.front())
                                  : fmt::format("{}-{}", part.records.front(), part.records.back());
    }
    return text;
}

TEST(BatchSplit, PartsAreAsLargeAsTheTargetAllows) {
    for (const Codec codec : {Codec::kNone, Codec::kGzip}) {
        const ProducerBatch batch = batch_of(5, codec);
        const auto parts = split_batch(batch, 2'200, kRatioOne);
        EXPECT_EQ(parts_text(parts), "100-101 102-103 104") << types::to_text(codec);
        for (const ProducerBatch& part : parts) {
            EXPECT_TRUE(part.closed);
            EXPECT_TRUE(part.is_split);
            EXPECT_EQ(part.attempts, 0U);
            EXPECT_EQ(part.builder.options().compression.codec, codec);
        }
    }
}

TEST(BatchSplit, ARecordAboveTheTargetGoesAlone) {
    EXPECT_EQ(parts_text(split_batch(batch_of(3, Codec::kNone), 10, kRatioOne)), "100 101 102");
}

TEST(BatchSplit, RecordsStayWhatTheyWere) {
    const ProducerBatch batch = batch_of(3, Codec::kZstd);
    const auto parts = split_batch(batch, 10, kRatioOne);
    std::int64_t expected = 0;
    for (const ProducerBatch& part : parts) {
        const Bytes bytes = part.builder.build();
        storage::RecordIterator records{storage::RecordBatchView(bytes)};
        const auto record = records.next();
        ASSERT_TRUE(record.has_value());
        EXPECT_EQ(record->timestamp, expected);
        EXPECT_EQ(storage::text_of(*record->value).substr(0, 2), std::to_string(expected) + "x");
        ++expected;
    }
}

TEST(BatchSplit, EveryVersionOfTheTableAimsAtBatchSizeAgainAndAgain) {
    types::Rules rules;
    ProducerBatch batch = batch_of(4, Codec::kNone);
    EXPECT_EQ(split_target(rules, batch, 16'384), 16'384);
    EXPECT_EQ(parts_text(split_batch(batch, 16'384, kRatioOne)), "100-103") << "nothing was won";
    batch.is_split = true;
    EXPECT_EQ(split_target(rules, batch, 16'384), 16'384);
}

TEST(BatchSplit, KAFKA_8350_HalvesAPartButNotBelowItsLargestRecord) {
    types::Rules rules;
    rules.producer_split_shrinks = true;
    ProducerBatch batch = batch_of(4, Codec::kNone);
    EXPECT_EQ(split_target(rules, batch, 16'384), 16'384) << "the first time";
    batch.is_split = true;
    EXPECT_EQ(split_target(rules, batch, 16'384),
              static_cast<std::int64_t>(batch.builder.size()) / 2);
    ProducerBatch single = batch_of(1, Codec::kNone);
    single.is_split = true;
    EXPECT_EQ(split_target(rules, single, 16'384), single.record_bytes_max);
}

}  // namespace
}  // namespace klab::client
