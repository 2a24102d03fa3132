// SPDX-License-Identifier: Apache-2.0
//
// See log_validator.h.
#include "model/storage/log_validator.h"

#include <algorithm>

#include "model/storage/record.h"
#include "model/storage/record_batch_builder.h"

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

/// What the records of a batch say.
struct CheckedRecords {
    std::vector<RecordError> errors;
    std::int64_t max_timestamp = kNoTimestamp;
    bool has_plain_offsets = true;  ///< 0, 1, 2 and so on from the base
};

/// Errors: what the iterator says.
Result<CheckedRecords, BatchError> check_records(const RecordBatchView& batch,
                                                 const LogConfig& config,
                                                 std::int64_t now_ms) {
    CheckedRecords checked;
    std::uint32_t index = 0;
    RecordIterator records(batch);
    while (const auto record = records.next()) {
        if (const auto error = check_record(*record, batch.timestamp_type(), config, now_ms)) {
            checked.errors.push_back({index, *error});
        }
        checked.max_timestamp = std::max(checked.max_timestamp, record->timestamp);
        checked.has_plain_offsets &= record->offset == batch.base_offset() + index;
        ++index;
    }
    if (records.error()) {
        return Error{*records.error()};
    }
    return checked;
}

AppendError append_error_of(BatchError error) {
    switch (error) {
        case BatchError::kUndecodable:
        case BatchError::kExpandsTooFar:
        case BatchError::kUnknownCodec:
            return AppendError::kUndecodable;
        case BatchError::kBadCrc:
            return AppendError::kCorruptRecord;
        case BatchError::kSizeFieldTooSmall:
        case BatchError::kUnsupportedMagic:
        case BatchError::kNegativeCount:
        case BatchError::kTooFewBytes:
        case BatchError::kLeftoverBytes:
        case BatchError::kMalformedRecord:
            break;
    }
    return AppendError::kInvalidRecord;
}

/// The records in a batch of another codec, with offsets 0, 1, 2 and so on.
Result<Bytes, AppendError> rebuild(const RecordBatchView& batch,
                                   const LogConfig& config,
                                   Codec codec,
                                   std::int64_t now_ms) {
    BatchOptions options;
    options.compression.codec = codec;
    options.is_transactional = batch.is_transactional();
    options.is_control = batch.is_control();
    if (const auto id = batch.producer_id()) {
        const auto epoch = batch.producer_epoch().value_or(types::ProducerEpoch(0));
        options.producer = ProducerStamp{*id, epoch, batch.base_sequence()};
    }
    if (config.timestamp_type == TimestampType::kLogAppendTime) {
        options.log_append_time = now_ms;
    }
    RecordBatchBuilder builder(options);
    RecordIterator records(batch);
    while (const auto record = records.next()) {
        if (record->timestamp < kNoTimestamp) {
            return Error{AppendError::kUndecodable};
        }
        const std::vector<RecordHeader> headers = record->headers();
        builder.append({record->timestamp, record->key, record->value, headers});
    }
    Bytes bytes = builder.build();
    if (bytes.size() > static_cast<std::size_t>(config.max_message_bytes)) {
        return Error{AppendError::kRecordTooLarge};
    }
    return bytes;
}

Error<ValidationFailure> refuse(AppendError error) { return Error{ValidationFailure{error, {}}}; }

}  // namespace

Result<ValidatedBatch, ValidationFailure> validate_batch(const RecordBatchView& batch,
                                                         const LogConfig& config,
                                                         AppendOrigin origin,
                                                         std::int64_t now_ms) {
    const auto source = batch.codec();
    if (!source) {
        return refuse(AppendError::kUndecodable);
    }
    if (origin == AppendOrigin::kClient && !is_valid_client_header(batch)) {
        return refuse(AppendError::kInvalidRecord);
    }
    const auto checked = check_records(batch, config, now_ms);
    if (!checked) {
        return refuse(append_error_of(checked.error()));
    }
    if (!checked->errors.empty()) {
        return Error{ValidationFailure{worst_of(checked->errors), checked->errors}};
    }
    const bool by_broker = config.timestamp_type == TimestampType::kLogAppendTime;
    ValidatedBatch valid{
        config.timestamp_type, by_broker ? now_ms : checked->max_timestamp, std::nullopt};
    const Codec target = config.compression.value_or(*source);
    if (*source == Codec::kNone && target == Codec::kNone) {
        return valid;
    }
    const bool stays_plain = *source == Codec::kNone && batch.is_control();
    if ((*source == target || stays_plain) && checked->has_plain_offsets) {
        return valid;
    }
    auto rebuilt = rebuild(batch, config, target, now_ms);
    if (!rebuilt) {
        return refuse(rebuilt.error());
    }
    valid.rebuilt = std::move(rebuilt).value();
    return valid;
}

}  // namespace klab::storage
