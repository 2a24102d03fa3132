// SPDX-License-Identifier: Apache-2.0
//
// See cleaning_error.h.
#include "model/storage/cleaner/cleaning_error.h"

namespace klab::storage::cleaner {

CleaningError cleaning_error_of(BatchError error) {
    return is_corruption(error) ? CleaningError::kCorruptRecord : CleaningError::kInvalidRecord;
}

std::string_view to_text(CleaningError error) {
    switch (error) {
        case CleaningError::kCorruptRecord:
            return "corrupt record";
        case CleaningError::kInvalidRecord:
            return "invalid record";
        case CleaningError::kMapOverflow:
            return "more keys than slots";
        case CleaningError::kBatchTooLarge:
            return "batch too large";
        case CleaningError::kOffsetOverflow:
            return "offset overflow";
        case CleaningError::kStorage:
            return "storage";
    }
    return "";
}

}  // namespace klab::storage::cleaner
