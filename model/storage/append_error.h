// SPDX-License-Identifier: Apache-2.0
//
// AppendError: why a log refused bytes. Finer than the error codes of the protocol, because the
// replica layer must tell "does not join on" from "the disk failed".
//
// Called by: log.h, log_validator.h, producer_state.h; the broker maps it to an ErrorCode.
// Kafka: the exceptions of UnifiedLog.append, LogValidator and ProducerAppendInfo.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/types/error_code.h"

namespace klab::storage {

enum class AppendError : std::uint8_t {
    kCorruptRecord,        ///< frame or checksum of a batch is wrong
    kInvalidRecord,        ///< the batch breaks a rule of the format or of this append
    kInvalidTimestamp,     ///< some record's timestamp is outside the allowed window
    kRecordTooLarge,       ///< a batch is larger than max.message.bytes
    kRecordBatchTooLarge,  ///< the append is larger than segment.bytes
    kUndecodable,  ///< of no known codec, not decompressible, or not to be written in another
    kOutOfOrderSequence,            ///< a gap or a step back in a producer's sequence
    kInvalidProducerEpoch,          ///< written by a producer that has been fenced
    kInvalidTxnState,               ///< a plain batch while the producer's transaction is open
    kTransactionCoordinatorFenced,  ///< a marker from a coordinator of an older epoch
    kOffsetsOutOfOrder,             ///< offsets of a follower's append do not ascend
    kUnexpectedAppendOffset,        ///< a follower's append begins below the log end
    kInvalidOffset,                 ///< an index entry would go backwards: damage
    kOffsetOverflow,                ///< an offset is further from its segment's base than 31 bits
    kIndexFull,                     ///< no room in an index file
    kCorruptIndex,                  ///< an index file holds what it cannot hold
    kStorage,                       ///< the disk refused; the log directory is to be taken offline
};

/// The code a client or fetcher sees.
[[nodiscard]] types::ErrorCode to_error_code(AppendError error);

}  // namespace klab::storage
