// SPDX-License-Identifier: Apache-2.0
//
// CleaningError: why a cleaning of a log ends early, and what becomes of the log then.
//
//     kCorruptRecord, kInvalidRecord, kMapOverflow, kBatchTooLarge    the log is uncleanable
//     kOffsetOverflow                                                 tried again after a split
//     kStorage                                                        the log directory goes
//     offline
//
// Called by: every file of this folder.
// Kafka: the exceptions that CleanerThread.cleanFilthiestLog and cleanLog tell apart.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/storage/record_batch.h"

namespace klab::storage::cleaner {

enum class CleaningError : std::uint8_t {
    kCorruptRecord,   ///< the frame of a batch is broken, or the file ends inside one
    kInvalidRecord,   ///< records of a batch cannot be read, or cannot be written again
    kMapOverflow,     ///< a load factor above 1 asked for more keys than the map has slots
    kBatchTooLarge,   ///< no buffer that the settings allow holds the batch
    kOffsetOverflow,  ///< an offset lies too far above the base of the segment it goes into
    kStorage,         ///< the disk refused
};

/// A batch that cannot be read, as the end of a cleaning.
[[nodiscard]] CleaningError cleaning_error_of(BatchError error);

/// "corrupt record" and the like, for messages to people.
[[nodiscard]] std::string_view to_text(CleaningError error);

}  // namespace klab::storage::cleaner
