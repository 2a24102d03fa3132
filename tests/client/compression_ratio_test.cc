// SPDX-License-Identifier: Apache-2.0
//
// The estimate of how far batches shrink. Kafka: CompressionRatioEstimatorTest and the rules of
// MemoryRecordsBuilder.
#include "model/client/compression_ratio.h"

#include <string>

#include <gtest/gtest.h>

#include "model/client/producer_batch.h"
#include "tests/client/accumulator_lab.h"

namespace klab::client {
namespace {

using storage::Codec;

storage::RecordBatchBuilder builder_of(Codec codec) {
    storage::BatchOptions options;
    options.compression.codec = codec;
    return storage::RecordBatchBuilder(options);
}

/// A closed batch whose stream has about this share of the records' size.
storage::RecordBatchBuilder closed_with(const std::string& value) {
    storage::RecordBatchBuilder builder = builder_of(Codec::kLz4);
    storage::RecordInput record;
    record.timestamp = 0;
    record.value = storage::view_of(value);
    builder.append(record);
    builder.close();
    return builder;
}

/// Nothing an encoder could find.
std::string noise(std::size_t size) {
    std::string out;
    std::uint32_t state = 1;
    while (out.size() < size) {
        state = state * 1'664'525U + 1'013'904'223U;
        out.push_back(static_cast<char>(state >> 24));
    }
    return out;
}

TEST(CompressionRatio, BeginsWithoutAnyExpectation) {
    EXPECT_EQ(CompressionRatio().estimate(), kRatioOne);
}

TEST(CompressionRatio, ImprovesInSmallStepsAndStopsAtWhatItSaw) {
    CompressionRatio ratio;
    const auto small = closed_with(std::string(10'000, 'x'));
    ratio.observe(small);
    EXPECT_EQ(ratio.estimate(), 995'000);
    ratio.observe(small);
    EXPECT_EQ(ratio.estimate(), 990'000);
    for (int i = 0; i < 300; ++i) {
        ratio.observe(small);
    }
    EXPECT_EQ(ratio.estimate(), ratio_of(small));
    EXPECT_LT(ratio.estimate(), 20'000);
}

TEST(CompressionRatio, DeterioratesAtLeastByFivePercentOrToWhatItSaw) {
    CompressionRatio ratio;
    const auto good = closed_with(std::string(10'000, 'x'));
    for (int i = 0; i < 300; ++i) {
        ratio.observe(good);
    }
    const auto bad = closed_with(noise(10'000));
    EXPECT_GE(ratio_of(bad), kRatioOne) << "framing makes it larger";
    ratio.observe(bad);
    EXPECT_EQ(ratio.estimate(), ratio_of(bad));
    // From just below what it sees, the step is the least.
    CompressionRatio near;
    near.observe(bad);
    EXPECT_EQ(near.estimate(), kRatioOne + 50'000);
}

TEST(CompressionRatio, ASplitForgetsWhatWasLearned) {
    CompressionRatio ratio;
    const auto good = closed_with(std::string(10'000, 'x'));
    ratio.observe(good);
    ratio.reset_after_split(good);
    EXPECT_EQ(ratio.estimate(), kRatioOne);
    const auto bad = closed_with(noise(100));
    ratio.reset_after_split(bad);
    EXPECT_EQ(ratio.estimate(), ratio_of(bad));
}

TEST(EstimatedSize, IsExactWithoutCompressionAndOnceClosed) {
    for (const Codec codec : types::kAllCodecs) {
        storage::RecordBatchBuilder builder = builder_of(codec);
        const std::string value(1'000, 'x');
        storage::RecordInput record;
        record.timestamp = 0;
        record.value = storage::view_of(value);
        builder.append(record);
        const auto records = static_cast<std::int64_t>(builder.records_size());
        const std::int64_t open =
            codec == Codec::kNone ? 61 + records : 61 + records / 2 * 105 / 100;
        EXPECT_EQ(estimated_size(builder, kRatioOne / 2), open) << types::to_text(codec);
        const auto exact = static_cast<std::int64_t>(builder.build().size());
        builder.close();
        EXPECT_EQ(estimated_size(builder, kRatioOne / 2), exact) << types::to_text(codec);
        EXPECT_EQ(static_cast<std::int64_t>(builder.records_size()), records);
    }
}

TEST(ProducerBatchRoom, CountsANewRecordAsIfItDidNotShrink) {
    ProducerBatch batch;
    batch.builder = builder_of(Codec::kGzip);
    batch.ratio = 100'000;
    batch.buffer_bytes = 1'000;
    const std::string value(700, 'x');
    storage::RecordInput record;
    record.timestamp = 0;
    record.value = storage::view_of(value);
    EXPECT_TRUE(has_room(batch, record));
    int taken = 0;
    for (; has_room(batch, record); ++taken) {
        add_record(batch, taken, record);
    }
    // 61 + n * 74 + 706 <= 1000
    EXPECT_EQ(taken, 4);
    EXPECT_FALSE(is_full(batch));
    EXPECT_GT(batch.builder.size(), 2'800U);
}

TEST(ProducerBatchRoom, TheFirstRecordAlwaysFits) {
    ProducerBatch batch;
    const std::string value(700, 'x');
    storage::RecordInput record;
    record.timestamp = 0;
    record.value = storage::view_of(value);
    EXPECT_TRUE(has_room(batch, record));
    EXPECT_FALSE(is_full(batch));
}

/// Appends records of 200 bytes until a second batch begins, and drains the first.
ProducerBatch next_batch(AccumulatorLab& lab) {
    while (lab.accumulator.queued(0) < 2) {
        lab.append(0, 200);
    }
    std::vector<ProducerBatch> drained = lab.drain(1);
    KLAB_ASSERT(drained.size() == 1, "{} batches", drained.size());
    lab.accumulator.release(drained.front());
    return std::move(drained.front());
}

TEST(RecordAccumulator, BatchesHoldMoreOnceTheyAreKnownToShrink) {
    types::ProducerConfig config;
    config.batch_size = 2'000;
    config.compression = Codec::kZstd;
    AccumulatorLab lab(config, topic_of({{1}}));
    const ProducerBatch first = next_batch(lab);
    EXPECT_EQ(first.count(), 8) << "61 + 8 * 209 * 1.05 + 210 does not fit";
    EXPECT_LT(first.builder.size(), 200U);
    std::int32_t count = 0;
    for (int i = 0; i < 150; ++i) {
        count = next_batch(lab).count();
    }
    EXPECT_LT(lab.accumulator.ratio().estimate(), 300'000);
    EXPECT_GT(count, 25) << "more than batch.size of records in one batch";
    // A broker refuses one: back to the beginning.
    lab.accumulator.expect_no_compression(first);
    EXPECT_EQ(lab.accumulator.ratio().estimate(), kRatioOne);
}

TEST(RecordAccumulator, WithoutCompressionNothingIsLearned) {
    AccumulatorLab lab({}, topic_of({{1}}));
    for (int i = 0; i < 3; ++i) {
        const ProducerBatch batch = next_batch(lab);
        EXPECT_LE(batch.builder.size(), 16'384U);
    }
    EXPECT_EQ(lab.accumulator.ratio().estimate(), kRatioOne);
}

}  // namespace
}  // namespace klab::client
