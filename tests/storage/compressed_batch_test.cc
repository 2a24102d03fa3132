// SPDX-License-Identifier: Apache-2.0
//
// Compressed batches: complete ones of other implementations (rows B2, B6, B7, B8), what a leader
// does with them (rows V7 to V9, V14, V20) and how a log reads them (U36).
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/storage/control_record.h"
#include "model/storage/log_reader.h"
#include "model/storage/log_validator.h"
#include "model/storage/record_batch_builder.h"
#include "tests/storage/hex.h"
#include "tests/storage/log_builder.h"
#include "tests/storage/record_batch_vectors.h"

namespace klab::storage {
namespace {

using types::LeaderEpoch;
using types::Offset;
using types::ProducerEpoch;
using types::ProducerId;

constexpr std::int64_t kNow = 1'700'000'000'000;
constexpr Codec kCompressing[] = {Codec::kGzip, Codec::kSnappy, Codec::kLz4, Codec::kZstd};

RecordInput record_of(std::string_view key, std::string_view value, std::int64_t timestamp = kNow) {
    RecordInput record;
    record.timestamp = timestamp;
    record.key = view_of(key);
    record.value = view_of(value);
    return record;
}

RecordBatchBuilder builder_of(Codec codec, Encoder encoder = Encoder::kLab) {
    BatchOptions options;
    options.compression = {codec, encoder, std::nullopt};
    return RecordBatchBuilder(options);
}

/// Two records with keys k0, k1 and values v0, v1.
Bytes batch_with(Codec codec, Encoder encoder = Encoder::kLab) {
    return builder_of(codec, encoder)
        .append(record_of("k0", "v0", kNow))
        .append(record_of("k1", "v1", kNow + 1))
        .build();
}

/// Makes the checksum right again after a change.
void sign(Bytes& bytes) {
    store_be(bytes.data() + BatchField::kCrc, RecordBatchView(bytes).computed_crc());
}

/// "offset key=value" for each record.
std::vector<std::string> texts_of(const RecordBatchView& batch) {
    std::vector<std::string> out;
    RecordIterator records(batch);
    while (const auto record = records.next()) {
        out.push_back(fmt::format("{} {}={}",
                                  record->offset,
                                  record->key ? text_of(*record->key) : "~",
                                  record->value ? text_of(*record->value) : "~"));
    }
    EXPECT_EQ(records.error(), std::nullopt);
    return out;
}

std::optional<BatchError> error_of(const Bytes& bytes) {
    RecordIterator records{RecordBatchView(bytes)};
    while (records.next()) {
    }
    return records.error();
}

Result<ValidatedBatch, ValidationFailure> validate(const Bytes& bytes,
                                                   const LogConfig& config = {},
                                                   AppendOrigin origin = AppendOrigin::kClient) {
    return validate_batch(RecordBatchView(bytes), config, origin, kNow);
}

LogConfig topic_with(Codec codec) {
    LogConfig config;
    config.compression = codec;
    return config;
}

TEST(CompressedBatchRows, B2_Lz4) {
    const Bytes expected = from_hex(vectors::kB2);
    const RecordBatchView batch(expected);
    EXPECT_EQ(batch.computed_crc(), 2745969314U);
    EXPECT_EQ(batch.codec(), Codec::kLz4);
    EXPECT_EQ(texts_of(batch), (std::vector<std::string>{"0 key1=value1", "1 key2=value2"}));
    // Too short to shrink, so it is stored and both encoders write Kafka's bytes.
    for (const Encoder encoder : {Encoder::kLab, Encoder::kLibrary}) {
        RecordBatchBuilder builder = builder_of(Codec::kLz4, encoder);
        builder.append(record_of("key1", "value1", 283843));
        builder.append(record_of("key2", "value2", 1234));
        EXPECT_EQ(to_hex(builder.build()), to_hex(expected));
    }
}

TEST(CompressedBatchRows, B6_B7_B8_HoldTheRecordOfB5) {
    const Bytes plain = from_hex(vectors::kB5);
    RecordIterator plain_records{RecordBatchView(plain)};
    const auto expected = plain_records.next();
    ASSERT_TRUE(expected.has_value());
    const std::pair<const char*, Codec> rows[] = {
        {vectors::kB6, Codec::kGzip}, {vectors::kB7, Codec::kSnappy}, {vectors::kB8, Codec::kLz4}};
    for (const auto& [hex, codec] : rows) {
        const Bytes bytes = from_hex(hex);
        const RecordBatchView batch(bytes);
        EXPECT_TRUE(batch.has_valid_crc());
        EXPECT_EQ(batch.codec(), codec);
        RecordIterator records(batch);
        const auto record = records.next();
        ASSERT_TRUE(record.has_value()) << to_text(codec);
        EXPECT_EQ(record->timestamp, expected->timestamp);
        EXPECT_EQ(to_hex(*record->key), to_hex(*expected->key));
        EXPECT_EQ(to_hex(*record->value), to_hex(*expected->value));
        EXPECT_EQ(to_hex(record->header_bytes), to_hex(expected->header_bytes));
        EXPECT_EQ(records.next(), std::nullopt);
        EXPECT_EQ(records.error(), std::nullopt);
    }
}

TEST(CompressedBatch, HeaderTellsCountOffsetsAndTimesWithoutDecompression) {
    for (const Codec codec : kCompressing) {
        const Bytes bytes = batch_with(codec);
        const RecordBatchView batch(bytes);
        EXPECT_TRUE(batch.has_valid_crc());
        EXPECT_EQ(batch.codec(), codec);
        EXPECT_EQ(batch.records_count(), 2);
        EXPECT_EQ(batch.last_offset(), Offset(1));
        EXPECT_EQ(batch.max_timestamp(), kNow + 1);
        EXPECT_EQ(texts_of(batch), (std::vector<std::string>{"0 k0=v0", "1 k1=v1"}));
    }
}

TEST(CompressedBatch, DamageLeavesNoRecords) {
    for (const Codec codec : kCompressing) {
        Bytes bytes = batch_with(codec);
        bytes.back() ^= 1;
        EXPECT_EQ(error_of(bytes), BatchError::kBadCrc) << to_text(codec);
        bytes = batch_with(codec);
        std::fill(bytes.begin() + kRecordBatchOverhead, bytes.end(), std::uint8_t{0xEE});
        sign(bytes);
        EXPECT_EQ(error_of(bytes), BatchError::kUndecodable) << to_text(codec);
        EXPECT_EQ(validate(bytes).error().error, AppendError::kUndecodable);
    }
}

TEST(CompressedBatch, NothingIsDecompressedWhereNothingIs) {
    const Bytes bytes = builder_of(Codec::kGzip).build();
    EXPECT_EQ(bytes.size(), kRecordBatchOverhead);
    EXPECT_EQ(error_of(bytes), std::nullopt);
}

TEST(CompressedBatchRows, V7_MarkerStaysUncompressed) {
    const Bytes marker = from_hex(vectors::kB11);
    LogConfig config = topic_with(Codec::kSnappy);
    config.timestamp_after_max_ms = std::nullopt;
    const auto result = validate(marker, config, AppendOrigin::kCoordinator);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->rebuilt, std::nullopt);
}

TEST(CompressedBatchRows, V8_AnotherLevelIsNoReasonToRebuild) {
    BatchOptions options;
    options.compression = {Codec::kGzip, Encoder::kLibrary, 1};
    RecordBatchBuilder builder(options);
    builder.append(record_of("k", "v"));
    const auto result = validate(builder.build(), topic_with(Codec::kGzip));
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->rebuilt, std::nullopt);
}

TEST(CompressedBatchRows, V9_GzipOnLz4TopicIsRebuilt) {
    const auto result = validate(batch_with(Codec::kGzip), topic_with(Codec::kLz4));
    ASSERT_TRUE(result.ok());
    ASSERT_TRUE(result->rebuilt.has_value());
    EXPECT_EQ(*result->rebuilt, batch_with(Codec::kLz4));
}

TEST(CompressedBatchRows, V9_EverySourceToEveryTarget) {
    for (const Codec source : types::kAllCodecs) {
        for (const Codec target : types::kAllCodecs) {
            const auto result = validate(batch_with(source), topic_with(target));
            ASSERT_TRUE(result.ok()) << to_text(source) << ' ' << to_text(target);
            EXPECT_EQ(result->rebuilt.has_value(), source != target);
            EXPECT_EQ(result->rebuilt.value_or(batch_with(source)), batch_with(target));
        }
    }
}

TEST(CompressedBatch, ProducerKeepsItsCodecByDefault) {
    for (const Codec codec : types::kAllCodecs) {
        EXPECT_EQ(validate(batch_with(codec))->rebuilt, std::nullopt) << to_text(codec);
    }
}

TEST(CompressedBatch, RebuildingKeepsProducerHeadersAndTheTransactionalBit) {
    BatchOptions options;
    options.producer = ProducerStamp{ProducerId(7), ProducerEpoch(2), 40};
    options.is_transactional = true;
    const std::vector<RecordHeader> headers = {{"h", view_of("x")}, {"none", std::nullopt}};
    RecordInput record = record_of("k", "v");
    record.headers = headers;
    RecordBatchBuilder plain(options);
    plain.append(record);
    const auto result = validate(plain.build(), topic_with(Codec::kZstd));
    ASSERT_TRUE(result.ok());
    options.compression.codec = Codec::kZstd;
    RecordBatchBuilder expected(options);
    expected.append(record);
    EXPECT_EQ(result->rebuilt, expected.build());
}

TEST(CompressedBatch, RebuildingStampsTheBrokersClock) {
    LogConfig config = topic_with(Codec::kGzip);
    config.timestamp_type = TimestampType::kLogAppendTime;
    const auto result = validate(batch_with(Codec::kNone), config);
    ASSERT_TRUE(result.ok());
    const RecordBatchView batch(*result->rebuilt);
    EXPECT_EQ(batch.timestamp_type(), TimestampType::kLogAppendTime);
    EXPECT_EQ(batch.max_timestamp(), kNow);
    EXPECT_TRUE(batch.has_valid_crc());
}

TEST(CompressedBatch, InnerOffsetsWithGapsAreRebuiltWhenCompressed) {
    // Some old clients number the records of a compressed batch wrongly; the count is right.
    for (const Codec codec : types::kAllCodecs) {
        RecordBatchBuilder builder = builder_of(codec);
        builder.append_at(Offset(3), record_of("k0", "v0", kNow));
        builder.append_at(Offset(7), record_of("k1", "v1", kNow + 1));
        Bytes bytes = builder.build();
        store_be(bytes.data() + BatchField::kLastOffsetDelta, std::int32_t{1});
        sign(bytes);
        const auto result = validate(bytes);
        ASSERT_TRUE(result.ok());
        EXPECT_EQ(result->rebuilt,
                  codec == Codec::kNone ? std::nullopt : std::optional(batch_with(codec)));
    }
}

TEST(CompressedBatch, TheLimitCountsAgainAfterRebuilding) {
    const std::string long_value(500, 'x');
    const Bytes small = builder_of(Codec::kGzip).append(record_of("k", long_value)).build();
    ASSERT_LT(small.size(), 200U);
    LogConfig config = topic_with(Codec::kNone);
    config.max_message_bytes = 400;
    EXPECT_EQ(validate(small, config).error().error, AppendError::kRecordTooLarge);
    config.max_message_bytes = 1000;
    EXPECT_TRUE(validate(small, config).ok());
}

TEST(CompressedBatch, ATimestampThatNoBuilderWritesCannotBeRebuilt) {
    Bytes bytes = batch_with(Codec::kNone);
    store_be(bytes.data() + BatchField::kBaseTimestamp, std::int64_t{-5});
    sign(bytes);
    EXPECT_TRUE(validate(bytes).ok());
    EXPECT_EQ(validate(bytes, topic_with(Codec::kGzip)).error().error, AppendError::kUndecodable);
}

TEST(CompressedBatchRows, V14_CompactedTopicNeedsKeys) {
    LogConfig config;
    config.is_compacted = true;
    for (const Codec codec : kCompressing) {
        RecordBatchBuilder builder = builder_of(codec);
        builder.append(record_of("k", "v"));
        RecordInput unkeyed = record_of("", "v");
        unkeyed.key = std::nullopt;
        builder.append(unkeyed);
        const auto result = validate(builder.build(), config);
        EXPECT_EQ(result.error().error, AppendError::kInvalidRecord);
        EXPECT_EQ(result.error().record_errors,
                  (std::vector<RecordError>{{1, AppendError::kInvalidRecord}}));
    }
}

TEST(CompressedBatchRows, V20_CountTooHighOrTooLowWithEveryCodec) {
    for (const Codec codec : kCompressing) {
        for (const Encoder encoder : {Encoder::kLab, Encoder::kLibrary}) {
            Bytes bytes = batch_with(codec, encoder);
            store_be(bytes.data() + BatchField::kRecordsCount, std::int32_t{3});
            sign(bytes);
            EXPECT_EQ(error_of(bytes), BatchError::kTooFewBytes) << to_text(codec);
            store_be(bytes.data() + BatchField::kRecordsCount, std::int32_t{1});
            sign(bytes);
            EXPECT_EQ(error_of(bytes), BatchError::kLeftoverBytes) << to_text(codec);
            store_be(bytes.data() + BatchField::kLastOffsetDelta, std::int32_t{0});
            sign(bytes);
            EXPECT_EQ(validate(bytes).error().error, AppendError::kInvalidRecord);
        }
    }
}

TEST(CompressedBatch, UnknownCodecHasNoCodeOfItsOwn) {
    Bytes bytes = batch_with(Codec::kNone);
    bytes[BatchField::kAttributes + 1] = 6;
    sign(bytes);
    EXPECT_EQ(validate(bytes).error().error, AppendError::kUndecodable);
    EXPECT_EQ(to_error_code(AppendError::kUndecodable), types::ErrorCode::kUnknownServerError);
}

struct LogOfCompressedBatches {
    LogOfCompressedBatches(Codec codec, LogConfig config) : log(open(disk, std::move(config))) {
        for (int i = 0; i < 2; ++i) {
            RecordBatchBuilder builder = builder_of(codec);
            builder.append(record_of("k", fmt::format("v{}", 2 * i)));
            builder.append(record_of("k", fmt::format("v{}", 2 * i + 1)));
            const Bytes batch = builder.build();
            const LeaderAppend append{batch, LeaderEpoch(5)};
            EXPECT_TRUE(log.append_as_leader(disk, types::Rules{}, append).ok());
        }
    }

    static Log open(sim::Disk& disk, LogConfig config) {
        LogOptions options;
        options.partition = {"t", 0};
        options.config = std::move(config);
        options.config.timestamp_after_max_ms = std::nullopt;
        auto opened = Log::open(disk, options);
        KLAB_ASSERT(opened.ok(), "the test log does not open");
        return std::move(opened).value().log;
    }

    [[nodiscard]] Offset first_offset_read_from(std::int64_t offset) {
        const auto read = log.read(
            disk,
            {.start = Offset(offset), .upper_bound = log.log_end_offset(), .max_bytes = 1 << 20});
        EXPECT_TRUE(read.ok());
        return RecordBatchView(ByteView(*read->records)).base_offset();
    }

    sim::Disk disk;
    Log log;
};

TEST(CompressedLogRows, U36_ReadsStartAtTheBatch) {
    for (const Codec codec : kCompressing) {
        LogOfCompressedBatches t(codec, {});
        EXPECT_EQ(t.first_offset_read_from(0), Offset(0));
        EXPECT_EQ(t.first_offset_read_from(1), Offset(0));
        EXPECT_EQ(t.first_offset_read_from(2), Offset(2));
        EXPECT_EQ(t.first_offset_read_from(3), Offset(2));
    }
}

TEST(CompressedLog, RecordsAreListedWithTheirOffsets) {
    for (const Codec codec : kCompressing) {
        LogOfCompressedBatches t(codec, {});
        std::vector<std::string> listed;
        for (const RecordSight& record : list_records(t.log, t.disk, Offset(1), Offset(4))) {
            listed.push_back(fmt::format("{} {}", record.offset, record.value.value_or("~")));
        }
        EXPECT_EQ(listed, (std::vector<std::string>{"1 v1", "2 v2", "3 v3"}));
    }
}

TEST(CompressedLog, TheTopicsCodecIsWhatLiesOnTheDisk) {
    LogOfCompressedBatches t(Codec::kGzip, topic_with(Codec::kLz4));
    const Bytes file = *t.disk.read(t.log.segments().front().file(), 0, t.log.size());
    BatchIterator batches(file);
    std::int64_t next = 0;
    while (const auto batch = batches.next()) {
        EXPECT_EQ(batch->codec(), Codec::kLz4);
        EXPECT_EQ(batch->base_offset(), Offset(next));
        EXPECT_EQ(batch->leader_epoch(), LeaderEpoch(5));
        EXPECT_TRUE(batch->has_valid_crc());
        next += 2;
    }
    EXPECT_EQ(next, 4);
}

}  // namespace
}  // namespace klab::storage
