// SPDX-License-Identifier: Apache-2.0
//
// See log_validator.h.
#include "model/storage/log_validator.h"

#include <algorithm>

#include "model/storage/record.h"

namespace klab::storage {

namespace {

/// The rules of a batch header that only clients can break.
bool is_valid_client_header(const RecordBatchView& batch) {
    const std::int64_t count_by_offsets = std::int64_t{batch.last_offset_delta()} + 1;
    if (count_by_offsets <= 0 || batch.records_count() <= 0) {
        return false;
    }
    if (batch.records_count() != count_by_offsets || batch.is_control()) {
        return false;
    }
    return !batch.producer_id() || batch.base_sequence().has_value();
}

/// The limits themselves are allowed.
bool is_outside_window(std::int64_t timestamp, const LogConfig& config, std::int64_t now_ms) {
    const auto& before = config.timestamp_before_max_ms;
    const auto& after = config.timestamp_after_max_ms;
    return (before && timestamp < now_ms && now_ms - timestamp > *before) ||
           (after && timestamp > now_ms && timestamp - now_ms > *after);
}

std::optional<AppendError> check_record(const RecordView& record,
                                        TimestampType written_as,
                                        const LogConfig& config,
                                        std::int64_t now_ms) {
    if (config.is_compacted && !record.key) {
        return AppendError::kInvalidRecord;
    }
    if (config.timestamp_type == TimestampType::kCreateTime && record.timestamp != kNoTimestamp) {
        return is_outside_window(record.timestamp, config, now_ms)
                   ? std::optional(AppendError::kInvalidTimestamp)
                   : std::nullopt;
    }
    return written_as == TimestampType::kLogAppendTime
               ? std::optional(AppendError::kInvalidTimestamp)
               : std::nullopt;
}

AppendError worst_of(const std::vector<RecordError>& errors) {
    const bool any_timestamp = std::any_of(errors.begin(), errors.end(), [](const RecordError& e) {
        return e.error == AppendError::kInvalidTimestamp;
    });
    return any_timestamp ? AppendError::kInvalidTimestamp : AppendError::kInvalidRecord;
}

}  // namespace

Result<ValidatedBatch, ValidationFailure> validate_batch(const RecordBatchView& batch,
                                                         const LogConfig& config,
                                                         AppendOrigin origin,
                                                         std::int64_t now_ms) {
    if (origin == AppendOrigin::kClient && !is_valid_client_header(batch)) {
        return Error{ValidationFailure{AppendError::kInvalidRecord, {}}};
    }
    ValidationFailure failure;
    std::int64_t max_timestamp = kNoTimestamp;
    std::uint32_t index = 0;
    RecordIterator records(batch);
    while (const auto record = records.next()) {
        if (const auto error = check_record(*record, batch.timestamp_type(), config, now_ms)) {
            failure.record_errors.push_back({index, *error});
        }
        max_timestamp = std::max(max_timestamp, record->timestamp);
        ++index;
    }
    if (records.error()) {
        const bool codec = *records.error() == BatchError::kUnsupportedCodec;
        failure.error = codec ? AppendError::kUnsupportedCompression : AppendError::kInvalidRecord;
        failure.record_errors.clear();
        return Error{std::move(failure)};
    }
    if (!failure.record_errors.empty()) {
        failure.error = worst_of(failure.record_errors);
        return Error{std::move(failure)};
    }
    const bool by_broker = config.timestamp_type == TimestampType::kLogAppendTime;
    return ValidatedBatch{config.timestamp_type, by_broker ? now_ms : max_timestamp};
}

}  // namespace klab::storage
