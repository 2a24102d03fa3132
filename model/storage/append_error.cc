// SPDX-License-Identifier: Apache-2.0
//
// See append_error.h.
#include "model/storage/append_error.h"

namespace klab::storage {

types::ErrorCode to_error_code(AppendError error) {
    using types::ErrorCode;
    switch (error) {
        case AppendError::kCorruptRecord:
            return ErrorCode::kCorruptMessage;
        case AppendError::kInvalidRecord:
            return ErrorCode::kInvalidRecord;
        case AppendError::kInvalidTimestamp:
            return ErrorCode::kInvalidTimestamp;
        case AppendError::kRecordTooLarge:
            return ErrorCode::kMessageTooLarge;
        case AppendError::kRecordBatchTooLarge:
            return ErrorCode::kRecordListTooLarge;
        case AppendError::kOutOfOrderSequence:
            return ErrorCode::kOutOfOrderSequenceNumber;
        case AppendError::kInvalidProducerEpoch:
            return ErrorCode::kInvalidProducerEpoch;
        case AppendError::kInvalidTxnState:
            return ErrorCode::kInvalidTxnState;
        case AppendError::kTransactionCoordinatorFenced:
            return ErrorCode::kTransactionCoordinatorFenced;
        case AppendError::kInvalidOffset:
        case AppendError::kOffsetOverflow:
        case AppendError::kIndexFull:
        case AppendError::kCorruptIndex:
        case AppendError::kStorage:
            return ErrorCode::kKafkaStorageError;
        case AppendError::kUndecodable:
            break;  // a KafkaException or IllegalArgumentException, which have no code
        case AppendError::kOffsetsOutOfOrder:
        case AppendError::kUnexpectedAppendOffset:
            break;  // followers only: no code of their own
    }
    return ErrorCode::kUnknownServerError;
}

}  // namespace klab::storage
