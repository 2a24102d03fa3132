// SPDX-License-Identifier: Apache-2.0
//
// What a leader checks in a batch: rows V1 to V16 of Kafka's own cases, without
// compression (compressed_batch_test.cc).
#include "model/storage/log_validator.h"

#include <gtest/gtest.h>

#include "model/storage/record_batch_builder.h"
#include "tests/storage/hex.h"
#include "tests/storage/record_batch_vectors.h"

namespace klab::storage {
namespace {

constexpr std::int64_t kNow = 1'700'000'000'000;
constexpr std::int64_t kMinute = 60'000;

Bytes records_at(std::initializer_list<std::int64_t> timestamps) {
    RecordBatchBuilder builder;
    for (const std::int64_t timestamp : timestamps) {
        RecordInput record;
        record.timestamp = timestamp;
        record.key = view_of("k");
        record.value = view_of("v");
        builder.append(record);
    }
    return builder.build();
}

Bytes three() { return records_at({kNow, kNow, kNow}); }

Result<ValidatedBatch, ValidationFailure> validate(const Bytes& bytes,
                                                   const LogConfig& config = {},
                                                   AppendOrigin origin = AppendOrigin::kClient) {
    return validate_batch(RecordBatchView(bytes), config, origin, kNow);
}

Bytes with_counts(std::int32_t last_offset_delta, std::int32_t count) {
    Bytes bytes = three();
    store_be(bytes.data() + BatchField::kLastOffsetDelta, last_offset_delta);
    store_be(bytes.data() + BatchField::kRecordsCount, count);
    return bytes;
}

TEST(LogValidatorRows, V1_CountsThatAgree) {
    const auto result = validate(with_counts(2, 3));
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->max_timestamp, kNow);
}

TEST(LogValidatorRows, V2_OffsetsAndCountDisagree) {
    EXPECT_EQ(validate(with_counts(0, 3)).error().error, AppendError::kInvalidRecord);
    EXPECT_EQ(validate(with_counts(15, 3)).error().error, AppendError::kInvalidRecord);
    EXPECT_EQ(validate(with_counts(-3, 3)).error().error, AppendError::kInvalidRecord);
}

TEST(LogValidatorRows, V3_HeaderAgreesButRecordsDoNot) {
    EXPECT_EQ(validate(with_counts(5, 6)).error().error, AppendError::kInvalidRecord);
    EXPECT_EQ(validate(with_counts(1, 2)).error().error, AppendError::kInvalidRecord);
}

TEST(LogValidatorRows, V4_NoRecords) {
    EXPECT_EQ(validate(RecordBatchBuilder().build()).error().error, AppendError::kInvalidRecord);
}

TEST(LogValidatorRows, V6_ControlBatchFromClientAndCoordinator) {
    const Bytes marker = from_hex(vectors::kB11);
    EXPECT_EQ(validate(marker).error().error, AppendError::kInvalidRecord);
    LogConfig any_time;
    any_time.timestamp_after_max_ms = std::nullopt;
    EXPECT_TRUE(validate(marker, any_time, AppendOrigin::kCoordinator).ok());
}

TEST(LogValidatorRows, V10_EveryRecordTooOld) {
    LogConfig config;
    config.timestamp_before_max_ms = 1000;
    config.timestamp_after_max_ms = 1000;
    const auto result = validate(records_at({kNow - 1001, kNow - 1001, kNow - 1001}), config);
    EXPECT_EQ(result.error().error, AppendError::kInvalidTimestamp);
    EXPECT_EQ(result.error().record_errors.size(), 3U);
    EXPECT_TRUE(validate(records_at({kNow - 1000, kNow + 1000}), config).ok()) << "limits allowed";
}

TEST(LogValidatorRows, V11_BeforeAndAfterHaveTheirOwnLimits) {
    LogConfig config;
    config.timestamp_before_max_ms = 24 * 60 * kMinute;
    config.timestamp_after_max_ms = 60 * kMinute;
    const std::int64_t old = kNow - (24 * 60 + 5) * kMinute;
    const auto too_old = validate(records_at({old, old, old}), config);
    EXPECT_EQ(too_old.error().error, AppendError::kInvalidTimestamp);
    EXPECT_EQ(too_old.error().record_errors.size(), 3U);
    const std::int64_t late = kNow + 65 * kMinute;
    const auto too_new = validate(records_at({late, late, late}), config);
    EXPECT_EQ(too_new.error().record_errors.size(), 3U);
}

TEST(LogValidatorRows, V12_TimestampErrorWins) {
    LogConfig config;
    config.is_compacted = true;
    RecordBatchBuilder builder;
    RecordInput record;
    record.timestamp = kNow;
    builder.append(record);  // no key: invalid on a compacted topic
    record.key = view_of("k");
    record.timestamp = kNow + 2 * 60 * kMinute;
    builder.append(record);
    const auto result = validate(builder.build(), config);
    EXPECT_EQ(result.error().error, AppendError::kInvalidTimestamp);
    EXPECT_EQ(result.error().record_errors,
              (std::vector<RecordError>{{0, AppendError::kInvalidRecord},
                                        {1, AppendError::kInvalidTimestamp}}));
}

TEST(LogValidatorRows, V13_CompactedTopicNeedsKeys) {
    LogConfig config;
    config.is_compacted = true;
    RecordBatchBuilder builder;
    RecordInput record;
    record.timestamp = kNow;
    builder.append(record);
    record.key = view_of("k");
    builder.append(record);
    const auto result = validate(builder.build(), config);
    EXPECT_EQ(result.error().error, AppendError::kInvalidRecord);
    EXPECT_EQ(result.error().record_errors,
              (std::vector<RecordError>{{0, AppendError::kInvalidRecord}}));
}

TEST(LogValidatorRows, V16_NoTimestampOnACreateTimeTopic) {
    LogConfig config;
    config.timestamp_before_max_ms = 1000;
    EXPECT_TRUE(validate(records_at({-1}), config).ok());
}

TEST(LogValidator, ProducerIdNeedsASequence) {
    Bytes bytes = three();
    store_be(bytes.data() + BatchField::kProducerId, std::int64_t{5});
    EXPECT_EQ(validate(bytes).error().error, AppendError::kInvalidRecord);
}

TEST(LogValidator, LogAppendTimeTopicTakesTheBrokersClock) {
    LogConfig config;
    config.timestamp_type = TimestampType::kLogAppendTime;
    const auto result = validate(records_at({5, 7}), config);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->timestamp_type, TimestampType::kLogAppendTime);
    EXPECT_EQ(result->max_timestamp, kNow);
}

TEST(LogValidator, ClientMayNotClaimLogAppendTime) {
    // On a LogAppendTime topic, and for records without a timestamp, the bit is the broker's.
    Bytes bytes = three();
    set_max_timestamp(bytes, TimestampType::kLogAppendTime, -1);
    EXPECT_EQ(validate(bytes).error().error, AppendError::kInvalidTimestamp);
}

TEST(AppendErrors, MapToProtocolCodes) {
    EXPECT_EQ(to_error_code(AppendError::kCorruptRecord), types::ErrorCode::kCorruptMessage);
    EXPECT_EQ(to_error_code(AppendError::kRecordTooLarge), types::ErrorCode::kMessageTooLarge);
    EXPECT_EQ(to_error_code(AppendError::kRecordBatchTooLarge),
              types::ErrorCode::kRecordListTooLarge);
    EXPECT_EQ(to_error_code(AppendError::kUnexpectedAppendOffset),
              types::ErrorCode::kUnknownServerError);
}

}  // namespace
}  // namespace klab::storage
