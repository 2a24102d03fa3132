// SPDX-License-Identifier: Apache-2.0
//
// What a leader checks in a producer's batch before it gives it offsets, and when it has to write
// the batch anew: if the topic wants another codec, or if the offsets inside a compressed batch are
// not 0, 1, 2 and so on. Otherwise the records stay as the producer wrote them.
//
//     source codec   compression.type   batch
//     any            producer           as it is
//     lz4            lz4                as it is, whatever the level
//     gzip           lz4                decompressed and built anew, perhaps too large now
//     none           gzip               the same; a control batch stays as it is
//
// Called by: log_append.cc (append_as_leader).
// Kafka: LogValidator, UnifiedLog.append. KIP-32 (timestamps), KIP-467 (errors of single records),
// KIP-1030.
// Simplified: levels of compression change nothing.
#pragma once

#include <cstdint>
#include <optional>
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
    /// The batch written anew, at offset 0; nothing: the batch as it came is good.
    std::optional<Bytes> rebuilt;
};

/// Checks one batch; the checksum has been checked before. `now_ms` is the broker's wall clock.
/// Errors: kInvalidRecord, kInvalidTimestamp (wins when both occur), kUndecodable, kRecordTooLarge
/// (a batch written anew is larger than max.message.bytes).
[[nodiscard]] Result<ValidatedBatch, ValidationFailure> validate_batch(const RecordBatchView& batch,
                                                                       const LogConfig& config,
                                                                       AppendOrigin origin,
                                                                       std::int64_t now_ms);

}  // namespace klab::storage
