// SPDX-License-Identifier: Apache-2.0
//
// What a leader checks in a producer's batch before it gives it offsets.
//
// Called by: log.cc (append_as_leader).
// Kafka: LogValidator. KIP-32 (timestamps), KIP-467 (errors of single records), KIP-1030.
// Simplified: no recompression; a compressed batch is refused.
#pragma once

#include <cstdint>
#include <vector>

#include "model/storage/append_error.h"
#include "model/storage/log_config.h"
#include "model/storage/record_batch.h"
#include "sim/base/result.h"

namespace klab::storage {

/// One record that must not be appended.
struct RecordError {
    std::uint32_t index = 0;  ///< place in the batch, from 0
    AppendError error = AppendError::kInvalidRecord;

    friend bool operator==(const RecordError&, const RecordError&) = default;
};

struct ValidationFailure {
    AppendError error = AppendError::kInvalidRecord;
    std::vector<RecordError> record_errors;  ///< empty when the batch as a whole is at fault

    friend bool operator==(const ValidationFailure&, const ValidationFailure&) = default;
};

/// What an accepted batch will carry in its header.
struct ValidatedBatch {
    TimestampType timestamp_type = TimestampType::kCreateTime;
    std::int64_t max_timestamp = kNoTimestamp;  ///< ms
};

/// Checks one batch; the checksum has been checked before. `now_ms` is the broker's wall clock.
/// Errors: kInvalidRecord, kInvalidTimestamp (wins when both occur), kUnsupportedCompression.
[[nodiscard]] Result<ValidatedBatch, ValidationFailure> validate_batch(const RecordBatchView& batch,
                                                                       const LogConfig& config,
                                                                       AppendOrigin origin,
                                                                       std::int64_t now_ms);

}  // namespace klab::storage
